package store

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	bolt "go.etcd.io/bbolt"
)

// create makes an empty store beside the file and renames it in, so that a
// kill never leaves half a store behind.
func create(file string) error {
	if _, err := os.Stat(file); err == nil || !errors.Is(err, fs.ErrNotExist) {
		return nil // what is there is looked at by openFile
	}
	tmp := fmt.Sprintf("%s.new.%d", file, os.Getpid())
	defer func() { _ = os.Remove(tmp) }()
	err := guard(file, func() error {
		db, err := bolt.Open(tmp, fileMode, &bolt.Options{Timeout: lockWait})
		if err != nil {
			return err
		}
		return errors.Join(db.Update(fresh), db.Close())
	})
	if err != nil {
		return opened(file, err)
	}
	// A second process may have been faster: link fails where rename would
	// put an empty store in place of its work.
	if err := os.Link(tmp, file); err == nil || errors.Is(err, fs.ErrExist) {
		return syncDir(filepath.Dir(file))
	}
	if _, err := os.Stat(file); err == nil {
		return nil
	}
	if err := os.Rename(tmp, file); err != nil { // no links on this file system
		return fmt.Errorf("make store %s: %w", file, err)
	}
	return syncDir(filepath.Dir(file))
}

// fresh makes an empty store.
func fresh(tx *bolt.Tx) error {
	if err := layout(tx); err != nil {
		return err
	}
	if err := renew(tx); err != nil {
		return err
	}
	return tx.Bucket([]byte("meta")).Put([]byte("schema"), []byte(strconv.Itoa(Schema)))
}

func layout(tx *bolt.Tx) error {
	for _, name := range buckets {
		if _, err := tx.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}

// renew gives the store another life: what was derived from it before is stale.
func renew(tx *bolt.Tx) error {
	return tx.Bucket([]byte("meta")).Put([]byte("life"), []byte(rand.Text()))
}

// openFile opens an existing file, after a look at its head: the library would
// make an empty file into a store and fault on a truncated one. A writer that
// waited for the lock while another process put a new file in this one's place
// opens that one.
func openFile(file string, readOnly bool) (*bolt.DB, fs.FileInfo, error) {
	for {
		db, held, err := openOnce(file, readOnly)
		if err != nil {
			return nil, nil, err
		}
		if now, err := os.Stat(file); err != nil || os.SameFile(now, held) {
			return db, held, nil
		}
		if err := db.Close(); err != nil {
			return nil, nil, err
		}
	}
}

func openOnce(file string, readOnly bool) (*bolt.DB, fs.FileInfo, error) {
	if err := inspect(file); err != nil {
		return nil, nil, err
	}
	var db *bolt.DB
	var held *os.File // a panic inside the library would leave it open, and locked
	err := guard(file, func() (err error) {
		db, err = bolt.Open(file, fileMode, &bolt.Options{Timeout: lockWait, ReadOnly: readOnly, PreLoadFreelist: true, InitialMmapSize: mapSize,
			OpenFile: func(name string, flag int, perm os.FileMode) (*os.File, error) {
				f, err := os.OpenFile(name, flag, perm)
				held = f
				return f, err
			}})
		return err
	})
	if err != nil {
		if held != nil {
			unlock(held) // closed already unless the library panicked
		}
		return nil, nil, opened(file, err)
	}
	db.AllocSize = growth
	info, err := held.Stat()
	if err != nil {
		return nil, nil, errors.Join(opened(file, err), db.Close())
	}
	return db, info, nil
}

// Layout of a bbolt meta page: a 16 byte page header, then the fields below.
const (
	metaMagic  = 0xED0CDAED
	metaStart  = 16
	metaLength = 64 // checksum included
	minPage    = 1 << 9
	maxPage    = 1 << 16
)

// inspect checks that the file looks like a whole store, without a lock and
// without mapping it. A file that grows meanwhile passes.
func inspect(file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("open store: %w", err)
	}
	defer func() { _ = f.Close() }()
	newest, err := newestMeta(f)
	if err != nil {
		return err
	}
	pages, size := newest.pages, newest.size
	info, err := f.Stat()
	switch {
	case err != nil:
		return fmt.Errorf("open store: %w", err)
	case info.IsDir():
		return damaged(file, "it is a folder")
	case info.Size() == 0:
		return damaged(file, "it is empty")
	case pages == 0:
		return damaged(file, "it is not a fabula store, or its head is destroyed")
	case info.Size() < pages*size:
		return damaged(file, "it is cut short: %d bytes of %d are there", info.Size(), pages*size)
	}
	return nil
}

// meta is what a meta page says of a file.
type meta struct {
	tx          uint64 // the last transaction
	root        uint64 // the page of the top
	pages, size int64  // how many, of how many bytes
}

// newestMeta reads the newest intact meta page; no pages when none is intact.
func newestMeta(f io.ReaderAt) (newest meta, err error) {
	for offset := int64(0); offset <= maxPage; offset = next(offset) {
		head := make([]byte, metaStart+metaLength)
		if _, err := f.ReadAt(head, offset); err != nil {
			if errors.Is(err, io.EOF) {
				break
			}
			return meta{}, nil //nolint:nilerr // a folder; inspect names it
		}
		m := head[metaStart:]
		sum := fnv.New64a()
		_, _ = sum.Write(m[:56])
		if binary.NativeEndian.Uint32(m) != metaMagic || binary.NativeEndian.Uint64(m[56:]) != sum.Sum64() {
			continue
		}
		if tx := binary.NativeEndian.Uint64(m[48:]); newest.pages == 0 || tx > newest.tx {
			newest = meta{tx: tx, root: binary.NativeEndian.Uint64(m[16:]), pages: int64(binary.NativeEndian.Uint64(m[40:])), size: int64(binary.NativeEndian.Uint32(m[8:]))}
		}
	}
	return newest, nil
}

// next steps through the places where a second meta page can be: one page in,
// whatever the page size.
func next(offset int64) int64 {
	if offset == 0 {
		return minPage
	}
	return offset * 2
}

// walk touches every page that holds keys, so that a destroyed one is found
// before anything is written.
func (r *reader) walk() error {
	return r.view(func(tx *bolt.Tx) error {
		for _, name := range buckets {
			b := tx.Bucket([]byte(name))
			if b == nil {
				return damaged(r.file, "its part %q is missing", name)
			}
			c := b.Cursor()
			for k, _ := c.First(); k != nil; {
				k, _ = c.Next()
			}
		}
		return nil
	})
}

func (r *reader) schema() (int, error) {
	n := 0
	err := r.view(func(tx *bolt.Tx) error {
		b := tx.Bucket([]byte("meta"))
		if b == nil {
			return damaged(r.file, "it is not a fabula store")
		}
		var err error
		if n, err = strconv.Atoi(string(b.Get([]byte("schema")))); err != nil {
			return damaged(r.file, "its schema number is missing")
		}
		return nil
	})
	return n, err
}

func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return fmt.Errorf("sync %s: %w", dir, err)
	}
	err = d.Sync()
	if cerr := d.Close(); err == nil {
		err = cerr
	}
	if oddFilesystem(err) || errors.Is(err, fs.ErrInvalid) {
		return nil // some file systems cannot sync folders
	}
	return err
}
