package store

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// steps[n] turns schema n into n+1, inside one transaction with all others.
// Schema 0 was never released; it lacked the index of visits.
var steps = map[int]func(*bolt.Tx) error{
	0: layout,
}

// upgrade keeps a dated copy of the file, then takes it to Schema in one
// transaction: it is either wholly old or wholly new.
func (s *Store) upgrade(from int) error {
	copied := fmt.Sprintf("%s.schema%d.%s.bak", s.file, from, stamp())
	if err := s.backup(copied); err != nil {
		return fmt.Errorf("copy store before its upgrade: %w", err)
	}
	return s.update(func(tx *bolt.Tx) error {
		for n := from; n < Schema; n++ {
			step, ok := steps[n]
			if !ok {
				return damaged(s.file, "schema %d is unknown", n)
			}
			if err := step(tx); err != nil {
				return fmt.Errorf("upgrade store from schema %d: %w", n, err)
			}
		}
		return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte(strconv.Itoa(Schema)))
	})
}

// backup writes a whole copy beside the file: written apart, synced, renamed.
func (r *reader) backup(to string) error {
	tmp := to + ".new"
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o644)
	if err != nil {
		return err
	}
	err = r.copyTo(f)
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = os.Rename(tmp, to)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return err
	}
	return syncDir(filepath.Dir(to))
}

func (r *reader) copyTo(w io.Writer) error {
	return r.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
}

// copies lists the automatic copies beside a store, newest first.
func copies(file string) []string {
	found, _ := filepath.Glob(file + ".*.bak")
	slices.SortFunc(found, func(a, b string) int { return age(b) - age(a) })
	return found
}

func age(file string) int {
	info, err := os.Stat(file)
	if err != nil {
		return 0
	}
	return int(info.ModTime().Unix())
}
