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
	m, err := c.copied(ctx, name, src, h.Size, progress)
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

// copied writes a model under a hidden name, checks it and then names it.
// Nothing is left behind when it fails.
func (c *Catalog) copied(ctx context.Context, name string, from io.Reader, total int64, progress Progress) (m Model, err error) {
	if err := os.MkdirAll(c.o.Dir, 0o700); err != nil {
		return m, err
	}
	tmp, err := os.CreateTemp(c.o.Dir, ".incoming-*")
	if err != nil {
		return m, err
	}
	defer os.Remove(tmp.Name()) // gone already when all went well
	sum := sha256.New()
	n, err := io.Copy(&meter{ctx: ctx, to: io.MultiWriter(tmp, sum), total: total, progress: progress}, io.LimitReader(from, total))
	if err == nil && n != total {
		err = fmt.Errorf("%d bytes came of %d", n, total)
	}
	err = errors.Join(err, tmp.Chmod(0o600), tmp.Sync(), tmp.Close())
	if err != nil {
		return m, err
	}
	return c.adopt(tmp.Name(), name, hex.EncodeToString(sum.Sum(nil)), nil)
}

// adopt checks a whole file and gives it its name in the folder. notes go into
// its sidecar.
func (c *Catalog) adopt(tmp, name, sum string, notes map[string]any) (Model, error) {
	h, err := header.Open(tmp)
	if err == nil {
		err = usable(h)
	}
	if err != nil {
		return Model{}, err
	}
	target := filepath.Join(c.o.Dir, name)
	if err := place(tmp, target, sum); err != nil {
		return Model{}, err
	}
	return finished(target, sum, notes)
}

// meter tells how much was written and stops with its context.
type meter struct {
	ctx         context.Context
	to          io.Writer
	done, total int64
	progress    Progress
}

func (m *meter) Write(p []byte) (int, error) {
	if err := m.ctx.Err(); err != nil {
		return 0, err
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
func finished(path, sum string, notes map[string]any) (Model, error) {
	if err := noteHash(path, sum, notes); err != nil {
		return Model{}, err
	}
	info, err := os.Stat(path)
	if err != nil {
		return Model{}, err
	}
	return describe(path, info), nil
}
