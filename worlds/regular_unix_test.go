//go:build unix

package worlds_test

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"fabula/worlds"
)

// Ensure that what is no ordinary file is reported and not read: opening a pipe
// would wait for a writer.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, small)
	if err := syscall.Mkfifo(filepath.Join(dir, "lore", "pipe.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir) // the name of a socket must be short
	l, err := net.Listen("unix", filepath.Join("plot", "socket.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	for name, target := range map[string]string{"device.yaml": os.DevNull, "folder.yaml": ".", "loop.yaml": "loop.yaml"} {
		if err := os.Symlink(target, filepath.Join(dir, "lore", name)); err != nil {
			t.Fatal(err)
		}
	}
	_, err = worlds.Open(dir) // for ever, if it waits
	want := "lore/device.yaml unreadable_file outside\nlore/folder.yaml unreadable_file special\n" +
		"lore/loop.yaml unreadable_file too many levels of symbolic links\n" +
		"lore/pipe.yaml unreadable_file special\nplot/socket.yaml unreadable_file special"
	if text := told(nil, err); text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}

// Ensure that a world whose world.yaml is a pipe does not hang either.
func TestManifestIsPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "world.yaml"), 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := worlds.Open(dir)
	if text, want := told(nil, err), "world.yaml unreadable_file special"; text != want {
		t.Errorf("got %s, want %s", text, want)
	}
}
