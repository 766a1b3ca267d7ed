package store

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"unicode/utf8"

	bolt "go.etcd.io/bbolt"
)

// DumpFormat names the format of Dump in its first line.
const DumpFormat = "fabula-store/1"

// ErrDump: what is to be restored is no whole dump.
var ErrDump = errors.New("not a whole dump")

// maxLine bounds a line of a dump: more than the largest value the library holds
// would be refused by it anyway.
const maxLine = 256 << 20

// dumpLine is one line of a dump: the head, a bucket with its sequence, a key
// with its value, or the end with the SHA-256 of all lines before. A value that
// is JSON stands as it is, other text as a string, the rest in base64.
type dumpLine struct {
	Format   string          `json:"format,omitempty"`
	Schema   int             `json:"schema,omitempty"`
	World    string          `json:"world,omitempty"`  // id; older dumps name none
	Bucket   []string        `json:"bucket,omitempty"` // path, from the top
	Sequence uint64          `json:"sequence,omitempty"`
	Key      *string         `json:"key,omitempty"`
	KeyBytes []byte          `json:"key64,omitempty"` // where the key is no text
	Value    json.RawMessage `json:"value,omitempty"`
	Text     *string         `json:"text,omitempty"`
	Bytes    *[]byte         `json:"base64,omitempty"`
	End      string          `json:"end,omitempty"` // SHA-256 of the lines before, hex
	Lines    int             `json:"lines,omitempty"`
}

// Dump writes the store in dir as JSON lines that Restore reads: the same store,
// the same bytes, but for its life, which each store has for itself. Its head names the world, if that is not empty. A store that is
// held is dumped from a snapshot. It gives the number of lines.
func Dump(dir, world string, w io.Writer) (int, error) {
	r, c, err := OpenReader(dir)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.Close() }()
	file, ok := r.(*fileReader)
	if !ok {
		return 0, fmt.Errorf("store %s: nothing was played yet: %w", filepath.Join(dir, File), os.ErrNotExist)
	}
	return file.dump(world, w)
}

func (r *reader) dump(world string, w io.Writer) (int, error) {
	schema, err := r.schema()
	if err != nil {
		return 0, err
	}
	d := &dumper{out: bufio.NewWriterSize(w, 1<<20), sum: sha256.New()}
	d.write(dumpLine{Format: DumpFormat, Schema: schema, World: world})
	err = r.view(func(tx *bolt.Tx) error {
		return tx.ForEach(func(name []byte, b *bolt.Bucket) error { return d.bucket([]string{string(name)}, b) })
	})
	if err == nil {
		d.write(dumpLine{End: hex.EncodeToString(d.sum.Sum(nil)), Lines: d.lines})
		err = errors.Join(d.err, d.out.Flush())
	}
	return d.lines, err
}

// DumpedFrom gives the id of the world that a dump is of; empty for a copy, and
// for a dump that names none.
func DumpedFrom(file string) (world string, err error) {
	f, err := os.Open(file)
	if err != nil {
		return "", fmt.Errorf("restore: %w", err)
	}
	defer func() { _ = f.Close() }()
	head, err := bufio.NewReader(io.LimitReader(f, dumpHead)).ReadBytes('\n')
	var l dumpLine
	if err != nil || json.Unmarshal(head, &l) != nil {
		return "", nil //nolint:nilerr // what it is, Restore says
	}
	return l.World, nil
}

// dumpHead bounds the first line of a dump.
const dumpHead = 4096

type dumper struct {
	out   *bufio.Writer
	sum   hash.Hash
	lines int
	err   error
}

func (d *dumper) write(l dumpLine) {
	data, err := json.Marshal(l)
	if err == nil {
		data = append(data, '\n')
		_, _ = d.sum.Write(data)
		_, err = d.out.Write(data)
	}
	d.lines++
	d.err = errors.Join(d.err, err)
}

func (d *dumper) bucket(path []string, b *bolt.Bucket) error {
	d.write(dumpLine{Bucket: path, Sequence: b.Sequence()})
	return b.ForEach(func(k, v []byte) error {
		if v == nil {
			return d.bucket(append(path[:len(path):len(path)], string(k)), b.Bucket(k))
		}
		if path[0] == "meta" && string(k) == "life" {
			return d.err
		}
		d.write(lineOf(k, v))
		return d.err
	})
}

func lineOf(k, v []byte) dumpLine {
	l := dumpLine{}
	if utf8.Valid(k) {
		key := string(k)
		l.Key = &key
	} else {
		l.KeyBytes = bytes.Clone(k)
	}
	text := string(v)
	switch {
	case len(v) > 1 && v[0] == '{' && canonical(v):
		l.Value = bytes.Clone(v)
	case utf8.Valid(v):
		l.Text = &text
	default:
		data := bytes.Clone(v)
		l.Bytes = &data
	}
	return l
}

// canonical reports whether a value comes back from a line of JSON as it is.
func canonical(v []byte) bool {
	again, err := json.Marshal(json.RawMessage(v))
	return err == nil && bytes.Equal(again, v)
}

// restoreDump makes a store file of a dump.
func restoreDump(from io.Reader, to string) error {
	in := bufio.NewReaderSize(from, 1<<20)
	sum := sha256.New()
	return filled(to, func(db *bolt.DB) error {
		u := &undumper{db: db}
		err := u.read(in, sum)
		if err == nil {
			return u.commit()
		}
		if u.tx != nil {
			_ = u.tx.Rollback()
		}
		return err
	})
}

type undumper struct {
	db     *bolt.DB
	tx     *bolt.Tx
	path   []string
	bucket *bolt.Bucket
	size   int
}

func (u *undumper) read(in *bufio.Reader, sum hash.Hash) error {
	for n := 1; ; n++ {
		line, err := readLine(in)
		if err != nil {
			return fmt.Errorf("line %d: %w: %w", n, ErrDump, err)
		}
		var l dumpLine
		if err := json.Unmarshal(line, &l); err != nil {
			return fmt.Errorf("line %d: %w: %w", n, ErrDump, err)
		}
		if l.End != "" {
			if l.End != hex.EncodeToString(sum.Sum(nil)) || l.Lines != n-1 {
				return fmt.Errorf("line %d: %w: lines were changed or are missing", n, ErrDump)
			}
			return nil
		}
		_, _ = sum.Write(line)
		if err := u.line(n, l); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
	}
}

func readLine(in *bufio.Reader) ([]byte, error) {
	var line []byte
	for {
		part, err := in.ReadSlice('\n')
		line = append(line, part...)
		switch {
		case err == nil:
			return line, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, io.ErrUnexpectedEOF
		case len(line) > maxLine:
			return nil, errors.New("the line is too long")
		}
	}
}

func (u *undumper) line(n int, l dumpLine) error {
	switch {
	case n == 1 && l.Format != DumpFormat:
		return fmt.Errorf("%w: it does not begin with %s", ErrDump, DumpFormat)
	case n == 1 && l.Schema > Schema:
		return fmt.Errorf("schema %d, this fabula knows up to %d: %w", l.Schema, Schema, ErrSchema)
	case n == 1:
		return nil
	case len(l.Bucket) > 0:
		u.path = l.Bucket
		if err := u.open(); err != nil {
			return err
		}
		return u.bucket.SetSequence(l.Sequence)
	}
	return u.put(l)
}

// open finds or makes the bucket that lines now belong to.
func (u *undumper) open() (err error) {
	if u.tx == nil {
		if u.tx, err = u.db.Begin(true); err != nil {
			return err
		}
	}
	if u.bucket, err = u.tx.CreateBucketIfNotExists([]byte(u.path[0])); err != nil {
		return err
	}
	for _, name := range u.path[1:] {
		if u.bucket, err = u.bucket.CreateBucketIfNotExists([]byte(name)); err != nil {
			return err
		}
	}
	return nil
}

func (u *undumper) put(l dumpLine) error {
	if u.path == nil {
		return fmt.Errorf("%w: a key before any bucket", ErrDump)
	}
	key := l.KeyBytes
	if l.Key != nil {
		key = []byte(*l.Key)
	}
	var value []byte
	switch {
	case l.Value != nil:
		value = l.Value
	case l.Text != nil:
		value = []byte(*l.Text)
	case l.Bytes != nil:
		value = *l.Bytes
	default:
		return fmt.Errorf("%w: a key without a value", ErrDump)
	}
	if len(key) == 0 {
		return fmt.Errorf("%w: a value without a key", ErrDump)
	}
	if u.size += len(key) + len(value); u.size > compactTx {
		u.size = 0
		if err := u.commit(); err != nil {
			return err
		}
		if err := u.open(); err != nil {
			return err
		}
	}
	return u.bucket.Put(key, value)
}

func (u *undumper) commit() error {
	if u.tx == nil {
		return nil
	}
	err := u.tx.Commit()
	u.tx, u.bucket = nil, nil
	return err
}
