package catalog

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	digest "hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/memory"
	"fabula/engine/safefile"
)

// ErrBusy: another process fetches the same file.
var ErrBusy = errors.New("it is being fetched already")

// part is a download that is under way or was broken off: a hidden file with
// the first bytes, and beside it a note of what they are the first bytes of.
type part struct {
	file *os.File
	note partNote
	have int64       // bytes there
	sum  digest.Hash // of those bytes
	head []byte      // the first of them, until they were looked at
}

// partNote says what a part belongs to.
type partNote struct {
	Key      string `json:"key"` // content or address
	ETag     string `json:"etag,omitempty"`
	Modified string `json:"modified,omitempty"` // Last-Modified
	Total    int64  `json:"total,omitempty"`    // bytes when whole, 0 = unknown
}

// validator is what a server can tell by that the file is still the same; ""
// if it gave nothing. Weak tags do not do for ranges (RFC 9110, 13.1.5).
func (n partNote) validator() string {
	if n.ETag != "" && n.ETag[0] == '"' {
		return n.ETag
	}
	return n.Modified
}

// openPart finds what is there of a file. A part of something else is thrown
// away. Only one process at a time has it.
func openPart(dir, name, key string) (*part, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(dir, "."+name+".part"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := lock(f); err != nil {
		return nil, errors.Join(fmt.Errorf("%w: %s", ErrBusy, name), f.Close())
	}
	p := &part{file: f, sum: sha256.New()}
	if data, err := os.ReadFile(p.notePath()); err == nil {
		_ = json.Unmarshal(data, &p.note) // a broken note is none
	}
	if p.note.Key != key {
		p.note = partNote{Key: key}
		return p, p.restart()
	}
	if p.have, err = io.Copy(io.MultiWriter(p.sum, (*start)(&p.head)), f); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return p, nil
}

// start keeps the first bytes that are written to it.
type start []byte

func (s *start) Write(b []byte) (int, error) {
	if n := looked - len(*s); n > 0 {
		*s = append(*s, b[:min(n, len(b))]...)
	}
	return len(b), nil
}

func (p *part) notePath() string { return p.file.Name() + ".json" }

// looked is how many bytes are seen before a file is judged by its start.
const looked = 64

// Write appends, and refuses what does not begin like a GGUF file. What could be
// written counts, whatever failed then.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.file.WriteAt(b, p.have)
	p.have += int64(n)
	_, _ = p.sum.Write(b[:n])
	_, _ = (*start)(&p.head).Write(b[:n])
	if err != nil {
		return n, final{error: fmt.Errorf("%w; %s are kept", err, memory.Size(p.have))}
	}
	if len(p.head) >= looked && string(p.head[:4]) != "GGUF" {
		return n, final{fmt.Errorf("%w: it is %s", header.ErrNotGGUF, header.Describe(p.head)), true}
	}
	return n, nil
}

// restart empties the part and notes what it now belongs to.
func (p *part) restart() error {
	p.sum.Reset()
	p.have, p.head = 0, nil
	if err := p.file.Truncate(0); err != nil {
		return err
	}
	return p.keep()
}

// keep writes the note.
func (p *part) keep() error {
	data, err := json.Marshal(p.note)
	if err != nil {
		return err
	}
	return safefile.Replace(p.notePath(), append(data, '\n'))
}

// sha256 is the SHA-256 of what is there, in hexadecimal.
func (p *part) sha256() string { return hex.EncodeToString(p.sum.Sum(nil)) }

// release syncs and closes a whole part, so that it can be given another name
// on every system.
func (p *part) release() error { return errors.Join(p.file.Sync(), p.file.Close()) }

// discard removes the part, released or not. It may have been given its name.
func (p *part) discard() error {
	_ = p.file.Close()
	err := os.Remove(p.file.Name())
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	return errors.Join(err, os.Remove(p.notePath()))
}

// close leaves it for later; one without a byte is not worth keeping.
func (p *part) close() error {
	if p.have == 0 {
		return p.discard()
	}
	return p.file.Close()
}
