//go:build unix

package worlds_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"fabula/worlds"
)

// Ensure that no link leads out of a world, whichever way and wherever it
// stands, and that one which stays inside is followed.
func TestNothingOutside(t *testing.T) {
	for name, c := range map[string]struct {
		link func(dir, secret string) error
		want string
	}{
		"absolute": {func(dir, secret string) error { return os.Symlink(secret, filepath.Join(dir, "personas", "x.yaml")) },
			"personas/x.yaml unreadable_file outside"},
		"upwards": {func(dir, _ string) error {
			return os.Symlink("../../secret.yaml", filepath.Join(dir, "lore", "x.yaml"))
		},
			"lore/x.yaml unreadable_file outside"},
		"a playtest": {func(dir, secret string) error {
			return os.Symlink(secret, filepath.Join(dir, "playtests", "x.yaml"))
		}, "playtests/x.yaml unreadable_file outside"},
		"a folder": {func(dir, secret string) error { return os.Symlink(filepath.Dir(secret), filepath.Join(dir, "labels")) },
			"labels unreadable_file outside"},
		"through another": {func(dir, _ string) error {
			if err := os.Symlink("..", filepath.Join(dir, "plot", "up")); err != nil {
				return err
			}
			return os.Symlink("up/../secret.yaml", filepath.Join(dir, "plot", "x.yaml"))
		}, "plot/x.yaml unreadable_file outside"},
		"inside": {func(dir, _ string) error {
			return errors.Join(os.MkdirAll(filepath.Join(dir, ".shared"), 0o700), os.Symlink("../.shared/more.yaml", filepath.Join(dir, "lore", "x.yaml")),
				os.WriteFile(filepath.Join(dir, ".shared", "more.yaml"), []byte("entries: [{id: shared, keys: [thing], text: It is there.}]\n"), 0o600))
		}, "<nil>"},
	} {
		t.Run(name, func(t *testing.T) {
			top := t.TempDir()
			dir, secret := filepath.Join(top, "world"), filepath.Join(top, "secret.yaml")
			write(t, dir, small)
			for _, d := range []string{"lore", "plot", "personas", "playtests"} {
				if err := os.MkdirAll(filepath.Join(dir, d), 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.WriteFile(secret, []byte("password: hunter2\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := c.link(dir, secret); err != nil {
				t.Fatal(err)
			}
			w, err := worlds.Open(dir)
			if got := told(w, err); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}
