package store

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"

	bolt "go.etcd.io/bbolt"
)

// compactTx bounds one transaction of a copy, in bytes.
const compactTx = 16 << 20

// Compact rewrites the store in dir without the pages that nothing uses any
// more, which hold what was changed and purged. The copy is written beside the
// file, held against it key by key, and renamed into its place: a kill at any
// moment leaves the one or the other. It gives the bytes before and after.
// Errors: as Open.
func Compact(dir string) (before, after int64, err error) {
	s, err := openWriter(dir)
	if err != nil {
		return 0, 0, err
	}
	s.sweep()
	before, after, err = s.compact()
	return before, after, errors.Join(err, s.Close())
}

// compact puts a rewritten file in the place of the one that is held. The store
// must be closed after that.
func (s *Store) compact() (before, after int64, err error) {
	tmp := fmt.Sprintf("%s%s%d", s.file, unfinished, os.Getpid())
	defer func() { _ = os.Remove(tmp) }()
	err = guard(s.file, func() error { return rewrite(s.db, tmp) })
	if err == nil {
		err = verify(tmp)
	}
	if err != nil {
		return 0, 0, unwritten(s.file, fmt.Errorf("compact store: %w", err))
	}
	sizes := [2]int64{}
	for i, file := range []string{s.file, tmp} {
		info, err := os.Stat(file)
		if err != nil {
			return 0, 0, err
		}
		sizes[i] = info.Size()
	}
	return sizes[0], sizes[1], s.swap(tmp)
}

// swap puts a whole new file in the place of the one that is held. Who waits for
// the lock of the old one finds that it is no longer in its place, and opens the
// new one.
func (s *Store) swap(tmp string) error {
	if runtime.GOOS == "windows" { // an open file cannot be replaced there
		if err := s.db.Close(); err != nil {
			return err
		}
	}
	if err := os.Rename(tmp, s.file); err != nil {
		return fmt.Errorf("put %s in its place: %w", s.file, err)
	}
	return syncDir(s.dir)
}

// rewrite copies every bucket into a new file and compares the two.
func rewrite(from *bolt.DB, to string) error {
	return filled(to, func(db *bolt.DB) error {
		if err := bolt.Compact(db, from, compactTx); err != nil {
			return err
		}
		return same(from, db)
	})
}

// filled makes a store file anew; it is synced once it holds everything.
func filled(to string, fill func(*bolt.DB) error) error {
	_ = os.Remove(to)
	db, err := bolt.Open(to, fileMode, &bolt.Options{Timeout: lockWait, NoSync: true})
	if err != nil {
		return err
	}
	if err = fill(db); err == nil {
		err = db.Sync()
	}
	return errors.Join(err, db.Close())
}

// same compares two files key by key.
func same(a, b *bolt.DB) error {
	return a.View(func(left *bolt.Tx) error {
		return b.View(func(right *bolt.Tx) error {
			names := 0
			err := left.ForEach(func(name []byte, x *bolt.Bucket) error {
				names++
				return sameBucket(string(name), x, right.Bucket(name))
			})
			return errors.Join(err, right.ForEach(func([]byte, *bolt.Bucket) error {
				if names--; names < 0 {
					return errors.New("the copy has more parts")
				}
				return nil
			}))
		})
	})
}

func sameBucket(name string, x, y *bolt.Bucket) error {
	if y == nil || x.Sequence() != y.Sequence() {
		return fmt.Errorf("the copy differs in %s", name)
	}
	c, d := x.Cursor(), y.Cursor()
	k, v := c.First()
	for l, w := d.First(); k != nil || l != nil; l, w = d.Next() {
		if !bytes.Equal(k, l) || !bytes.Equal(v, w) || (v == nil) != (w == nil) {
			return fmt.Errorf("the copy differs in %s at %q", name, k)
		}
		if v == nil {
			if err := sameBucket(name+"/"+string(k), x.Bucket(k), y.Bucket(l)); err != nil {
				return err
			}
		}
		k, v = c.Next()
	}
	return nil
}

// IndexFile is the index of story/search, beside the store. It holds texts.
const IndexFile = "search.index"

// dropIndex removes what search derived from a store that is another one now.
func dropIndex(dir string) error {
	err := os.Remove(filepath.Join(dir, IndexFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}
