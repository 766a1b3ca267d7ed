package choice

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"fabula/engine/safefile"
)

// version of the file's format.
const version = 1

// mostHistory bounds how many versions are kept.
const mostHistory = 50

// File is the file of choices. It is safe for concurrent use, and what another
// process writes is seen by the next Read.
type File struct {
	path string

	mu    sync.Mutex
	stamp stamp
	now   document
	read  bool
}

// stamp tells whether a file changed.
type stamp struct {
	size     int64
	modified int64 // nanoseconds since 1970
}

// document is the whole file.
type document struct {
	Version int `json:"version"`
	Content
	History []Past `json:"history,omitempty"` // oldest first
}

// Open names the file; it need not exist.
func Open(path string) *File { return &File{path: path} }

// Path is where the file lies.
func (f *File) Path() string { return f.path }

// Read gives what holds now. A file that cannot be read is an error that names
// it and its line; what was read last is given with it.
func (f *File) Read() (Content, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.refresh()
	return f.now.Content.clone(), err
}

// refresh reads the file if it changed. It runs with f.mu held.
func (f *File) refresh() error {
	info, err := os.Stat(f.path)
	if errors.Is(err, fs.ErrNotExist) {
		f.now, f.read = document{Version: version}, false
		return nil
	}
	if err != nil {
		return fmt.Errorf("engine choices: %w", err)
	}
	at := stamp{info.Size(), info.ModTime().UnixNano()}
	if f.read && at == f.stamp {
		return nil
	}
	data, err := os.ReadFile(f.path)
	if err != nil {
		return fmt.Errorf("engine choices: %w", err)
	}
	doc, err := parse(data)
	if err != nil {
		return fmt.Errorf("engine choices: %s:%w; mend the file or delete it", f.path, err)
	}
	f.now, f.stamp, f.read = doc, at, true
	return nil
}

// parse reads a file; errors begin with their line.
func parse(data []byte) (document, error) {
	var doc document
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return doc, fmt.Errorf("%d: %w", line(data, offset(err, dec, data)), err)
	}
	if _, err := dec.Token(); err != io.EOF {
		return doc, fmt.Errorf("%d: something follows the closing brace", line(data, dec.InputOffset()))
	}
	if doc.Version != version {
		return doc, fmt.Errorf("1: version %d; this program writes %d", doc.Version, version)
	}
	if err := doc.check(); err != nil {
		return doc, fmt.Errorf("1: %w", err)
	}
	return doc, nil
}

// offset is where in the file a decoding error lies.
func offset(err error, dec *json.Decoder, data []byte) int64 {
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		return int64(len(data))
	case errors.As(err, &syntax):
		return syntax.Offset
	case errors.As(err, &kind):
		return kind.Offset
	}
	if _, key, ok := strings.Cut(err.Error(), "unknown field "); ok { // the decoder is past it
		return int64(max(bytes.Index(data, []byte(key)), 0))
	}
	return dec.InputOffset()
}

func line(data []byte, at int64) int {
	return 1 + bytes.Count(data[:min(max(at, 0), int64(len(data)))], []byte("\n"))
}

// Change changes what holds and keeps what held before. did says what was done.
func (f *File) Change(did string, change func(*Content)) error {
	return f.rewrite(func(doc *document) error {
		was := doc.Content.clone()
		change(&doc.Content)
		doc.History = append(doc.History, Past{At: time.Now().UTC().Truncate(time.Second), Did: did, Was: was})
		doc.History = doc.History[max(0, len(doc.History)-mostHistory):]
		return doc.check()
	})
}

// ErrNoPast: there is no change to take back.
var ErrNoPast = errors.New("no change to take back")

// Rollback takes the last change back and gives it.
func (f *File) Rollback() (undone Past, err error) {
	err = f.rewrite(func(doc *document) error {
		n := len(doc.History)
		if n == 0 {
			return ErrNoPast
		}
		undone = doc.History[n-1]
		doc.Content, doc.History = undone.Was.clone(), doc.History[:n-1]
		return nil
	})
	return undone, err
}

// History gives the changes, oldest first.
func (f *File) History() ([]Past, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	err := f.refresh()
	return append([]Past(nil), f.now.History...), err
}

// rewrite replaces the file by a changed one, whole or not at all.
func (f *File) rewrite(change func(*document) error) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := f.refresh(); err != nil {
		return err
	}
	doc := f.now
	doc.Version, doc.Content = version, doc.Content.clone()
	doc.History = append([]Past(nil), doc.History...)
	if err := change(&doc); err != nil {
		return fmt.Errorf("engine choices: %w", err)
	}
	data, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return fmt.Errorf("engine choices: %w", err)
	}
	err = os.MkdirAll(filepath.Dir(f.path), 0o700)
	if err == nil {
		err = safefile.Replace(f.path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("engine choices: %w", err)
	}
	f.read = false // so that the next look takes the stamp
	return nil
}
