package catalog

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fabula/engine/gguf/header"
)

// Progress is told how many bytes of how many are there; total is 0 while it is
// not known.
type Progress func(done, total int64)

// ErrExists: a model of that name is there with other content.
var ErrExists = errors.New("a model of this name is there already")

// Add copies a GGUF file into the folder of models and returns what it is. The
// original stays where it is. A file that is no whole model is refused with
// what it is; the same file again is no error. progress may be nil.
func (c *Catalog) Add(ctx context.Context, path string, progress Progress) (Model, error) {
	h, err := header.Open(path)
	if err == nil {
		err = usable(h)
	}
	if err != nil {
		return Model{}, fmt.Errorf("add model: %w", err)
	}
	name, err := fileName(filepath.Base(path))
	if err != nil {
		return Model{}, fmt.Errorf("add model: %w", err)
	}
	src, err := os.Open(path)
	if err != nil {
		return Model{}, fmt.Errorf("add model: %w", err)
	}
	defer src.Close()
	m, err := c.receive(ctx, incoming{name: name, from: src, total: h.Size, most: h.Size, progress: progress})
	if err != nil {
		return Model{}, fmt.Errorf("add model %s: %w", path, err)
	}
	return m, nil
}

// fileName makes a name for a file in the folder: what was offered, with our
// extension, if it is one that no shell or file system trips over.
func fileName(offered string) (string, error) {
	name := offered
	if isModel(name) {
		name = name[:len(name)-len(extension)]
	}
	for _, r := range name {
		if r < ' ' || r == 0x7f || strings.ContainsRune(`/\:*?"<>|`, r) {
			return "", fmt.Errorf("%q is no name for a file", offered)
		}
	}
	if name == "" || strings.HasPrefix(name, ".") || len(name) > 200 {
		return "", fmt.Errorf("%q is no name for a file", offered)
	}
	return name + extension, nil
}

// incoming is a model on its way into the folder.
type incoming struct {
	name     string // of the file
	from     io.Reader
	total    int64  // bytes to come, 0 = unknown
	most     int64  // bytes allowed
	sum      string // SHA-256 that it has to have, empty = any
	progress Progress
}

// receive writes a model under a hidden name, checks it and then names it.
// Nothing is left behind when it fails.
func (c *Catalog) receive(ctx context.Context, in incoming) (m Model, err error) {
	if err := os.MkdirAll(c.o.Dir, 0o755); err != nil {
		return m, err
	}
	tmp, err := os.CreateTemp(c.o.Dir, ".incoming-*")
	if err != nil {
		return m, err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	sum, err := in.copy(ctx, tmp)
	err = errors.Join(err, tmp.Chmod(0o644), tmp.Sync(), tmp.Close())
	if err != nil {
		return m, err
	}
	if in.sum != "" && !strings.EqualFold(sum, in.sum) {
		return m, fmt.Errorf("its SHA-256 is %s, not %s; it was thrown away", sum, in.sum)
	}
	h, err := header.Open(tmp.Name())
	if err == nil {
		err = usable(h)
	}
	if err != nil {
		return m, err
	}
	target := filepath.Join(c.o.Dir, in.name)
	if err := place(tmp.Name(), target, sum); err != nil {
		return m, err
	}
	return finished(target, sum)
}

// copy writes the model and gives its hash.
func (in incoming) copy(ctx context.Context, to io.Writer) (string, error) {
	sum := sha256.New()
	out := &meter{ctx: ctx, to: io.MultiWriter(to, sum), total: in.total, progress: in.progress}
	n, err := io.Copy(out, io.LimitReader(in.from, in.most+1))
	switch {
	case err != nil:
		return "", err
	case n > in.most:
		return "", fmt.Errorf("it is larger than %d bytes", in.most)
	case in.total > 0 && n != in.total:
		return "", fmt.Errorf("%d bytes came of %d", n, in.total)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}

// meter tells how much was written, refuses what does not begin like a GGUF
// file, and stops with its context.
type meter struct {
	ctx         context.Context
	to          io.Writer
	start       []byte
	done, total int64
	progress    Progress
}

// looked is how many bytes are seen before a file is judged by its start.
const looked = 64

func (m *meter) Write(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
	}
	if n := looked - len(m.start); n > 0 {
		m.start = append(m.start, p[:min(n, len(p))]...)
		if len(m.start) >= looked && string(m.start[:4]) != "GGUF" {
			return 0, fmt.Errorf("%w: it is %s", header.ErrNotGGUF, header.Describe(m.start))
		}
	}
	n, err := m.to.Write(p)
	m.done += int64(n)
	if m.progress != nil {
		m.progress(m.done, m.total)
	}
	return n, err
}

// place gives a finished file its name. A file that is there stays: it is the
// same, or that is an error.
func place(tmp, target, sum string) error {
	_, err := os.Lstat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return os.Rename(tmp, target)
	}
	if err != nil {
		return err
	}
	there, err := hash(target)
	if err != nil {
		return err
	}
	if there != sum {
		return fmt.Errorf("%w: %s, with SHA-256 %s; remove or rename it first", ErrExists, target, there)
	}
	return nil
}

// finished notes the hash of a model in the folder and describes it.
func finished(path, sum string) (Model, error) {
	if err := noteHash(path, sum); err != nil {
		return Model{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Model{}, err
	}
	return describe(path, info), nil
}
