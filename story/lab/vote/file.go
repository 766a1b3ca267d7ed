package vote

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"fabula/engine/safefile"
)

// seal fills in the hash of the items, and the id.
func (b *Batch) seal() {
	b.SHA256 = hash(b.body())
	b.ID = hash(encode(b.Header))[:short]
}

func encode(v any) []byte {
	data, err := json.Marshal(v)
	if err != nil {
		panic(err) // plain structs of strings and numbers
	}
	return append(data, '\n')
}

func (b *Batch) body() []byte {
	var out []byte
	for _, it := range b.Items {
		out = append(out, encode(it)...)
	}
	return out
}

// Encode writes the batch as JSON lines: the header, then the items.
func (b *Batch) Encode() []byte { return append(encode(b.Header), b.body()...) }

func (k *Key) encode() []byte { return encode(k) }

// ReadBatch reads what Encode wrote. name is of the file, for faults.
func ReadBatch(name string, data []byte) (*Batch, error) {
	first, rest, _ := bytes.Cut(data, []byte("\n"))
	b := &Batch{}
	if err := strict(first, &b.Header); err != nil || b.Vote != BatchFormat {
		return nil, &Fault{name, 1, FaultFormat, []string{BatchFormat}}
	}
	for i, line := range lines(rest) {
		var it Item
		if err := strict(line, &it); err != nil || it.ID == "" {
			return nil, &Fault{name, i + 2, FaultLine, nil}
		}
		b.Items = append(b.Items, it)
	}
	was := b.SHA256
	b.seal()
	if b.SHA256 != was || len(b.Items) != b.Header.Items || !bytes.Equal(first, bytes.TrimSpace(encode(b.Header))) {
		return nil, &Fault{name, 1, FaultEdited, nil}
	}
	return b, nil
}

// ReadKey reads the key of a batch and holds it against the batch's promise.
func ReadKey(name string, data []byte, b *Batch) (*Key, error) {
	k := &Key{}
	if hash(data) != b.Key || strict(data, k) != nil || k.Vote != KeyFormat {
		return nil, &Fault{name, 0, FaultKey, []string{b.ID}}
	}
	return k, nil
}

// strict decodes one JSON object and nothing else.
func strict(data []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if d.More() {
		return errors.New("more than one object")
	}
	return nil
}

// lines splits whole lines; what follows the last newline is left out.
func lines(data []byte) [][]byte {
	all := bytes.Split(data, []byte("\n"))
	return all[:len(all)-1]
}

// The files of a batch in its folder; ballots lie beside them as VOTER.jsonl.
const (
	batchFile = "batch.jsonl"
	keyFile   = "key.json"
	ballots   = "ballots"
)

// Dir is the folder of batches in a world's state folder.
const Dir = "votes"

// Folder is where the batches of a world lie, one folder each, named by id.
type Folder string

// Save writes a new batch, and its key if there is one, each beside and renamed.
// A batch that is there already is left as it is.
func (f Folder) Save(b *Batch, k *Key) error {
	dir := f.of(b.ID)
	if err := os.MkdirAll(filepath.Join(dir, ballots), 0o700); err != nil {
		return fmt.Errorf("batch %s: %w", b.ID, err)
	}
	if k != nil {
		if err := write(f.KeyFile(b.ID), k.encode()); err != nil {
			return err
		}
	}
	return write(f.File(b.ID), b.Encode())
}

// write never replaces a file.
func write(name string, data []byte) error {
	if err := safefile.Create(name, data); !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

func (f Folder) of(id string) string { return filepath.Join(string(f), id) }

// File is the path of the batch that can be mailed.
func (f Folder) File(id string) string { return filepath.Join(f.of(id), batchFile) }

// KeyFile is the path of a batch's key.
func (f Folder) KeyFile(id string) string { return filepath.Join(f.of(id), keyFile) }

// List gives the batches, newest first.
func (f Folder) List() ([]*Batch, error) {
	dirs, err := os.ReadDir(string(f))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var all []*Batch
	for _, d := range dirs {
		if !d.IsDir() {
			continue
		}
		b, e := f.read(d.Name())
		if errors.Is(e, fs.ErrNotExist) {
			continue
		}
		if e != nil {
			return nil, e
		}
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b *Batch) int {
		if c := b.Made.Compare(a.Made); c != 0 {
			return c
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all, err
}

func (f Folder) read(id string) (*Batch, error) {
	name := f.File(id)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return ReadBatch(name, data)
}

// ErrNoBatch says that a folder holds no batch of this name.
var ErrNoBatch = errors.New("no such batch")

// Find gives the batch whose id begins so; the newest for "".
func (f Folder) Find(id string) (*Batch, error) {
	all, err := f.List()
	if err != nil {
		return nil, err
	}
	for _, b := range all {
		if strings.HasPrefix(b.ID, id) {
			return b, nil
		}
	}
	return nil, fmt.Errorf("batch %q: %w", id, ErrNoBatch)
}

// Key opens the key of a batch. fs.ErrNotExist: it lies with who made the batch.
func (f Folder) Key(b *Batch) (*Key, error) {
	name := f.KeyFile(b.ID)
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	return ReadKey(name, data, b)
}

// Of reports whether a batch was made of these scenes, by their names.
func (k *Key) Of(scenes []Scene) bool {
	names := map[string]bool{}
	for _, s := range scenes {
		names[s.Name] = true
	}
	for _, o := range k.Items {
		if !names[o.Scene] {
			return false
		}
	}
	return len(k.Items) > 0
}
