package safefile_test

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"fabula/engine/safefile"
)

// holds fails unless the folder has exactly this file, with this text.
func holds(t *testing.T, name, want string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil || string(data) != want {
		t.Errorf("%q, %v; want %q", data, err, want)
	}
	left, err := os.ReadDir(filepath.Dir(name))
	if err != nil || len(left) != 1 {
		t.Errorf("left beside it: %v, %v", left, err)
	}
}

// Ensure that a file is replaced whole, is its owner's alone whatever was there, and
// that an error on the way leaves what was there and nothing beside it.
func TestReplace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "one")
	if err := os.WriteFile(name, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	stop := errors.New("stop")
	err := safefile.ReplaceBy(name, func(w io.Writer) error {
		_, err := w.Write([]byte("half"))
		return errors.Join(err, stop)
	})
	if !errors.Is(err, stop) {
		t.Errorf("%v", err)
	}
	holds(t, name, "old")
	if err := safefile.Replace(name, []byte("new")); err != nil {
		t.Fatal(err)
	}
	holds(t, name, "new")
	if info, err := os.Stat(name); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("%v, %v", info.Mode(), err)
	}
	if err := safefile.Replace(filepath.Join(name, "below"), nil); err == nil {
		t.Error("a folder that is none was written to")
	}
}

// Ensure that nothing that is there is touched, a link to nowhere neither.
func TestCreate(t *testing.T) {
	name := filepath.Join(t.TempDir(), "one")
	if err := safefile.Create(name, []byte("first")); err != nil {
		t.Fatal(err)
	}
	if err := safefile.Create(name, []byte("second")); !errors.Is(err, fs.ErrExist) {
		t.Errorf("%v", err)
	}
	holds(t, name, "first")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink("nowhere", link); err != nil {
		t.Fatal(err)
	}
	if err := safefile.Create(link, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("through a link: %v", err)
	}
}

// Ensure that a name without a folder is one here.
func TestHere(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := safefile.Replace("one", []byte("here")); err != nil {
		t.Fatal(err)
	}
	holds(t, "one", "here")
}
