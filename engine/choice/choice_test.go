package choice_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine/choice"
)

func file(t *testing.T, text string) *choice.File {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config", "engines.json")
	if text != "" {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return choice.Open(path)
}

// Ensure that the most particular wish leads, that others follow it, and that a
// world's deadlines outrank those that hold everywhere.
func TestTheMostParticularWishLeads(t *testing.T) {
	f := file(t, `{"version": 1, "use": "big, small", "ladder": ["gguf"], "first_token_ms": 900, "gap_ms": 800,
		"personas": {"adu": "recall"},
		"worlds": {"ferry": {"use": "small", "first_token_ms": 300, "personas": {"adu": "tiny", "qin": "big"}}}}`)
	c, err := f.Read()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		world, persona string
		want           choice.Answer
	}{
		"nobody in particular": {"", "", choice.Answer{Chosen: []string{"big", "small"}, FirstToken: 900 * time.Millisecond}},
		"a character":          {"inn", "adu", choice.Answer{Chosen: []string{"recall", "big", "small"}, FirstToken: 900 * time.Millisecond}},
		"a world":              {"ferry", "cui", choice.Answer{Chosen: []string{"small", "big"}, FirstToken: 300 * time.Millisecond}},
		"a character there":    {"ferry", "adu", choice.Answer{Chosen: []string{"tiny", "recall", "small", "big"}, FirstToken: 300 * time.Millisecond}},
	} {
		t.Run(name, func(t *testing.T) {
			test.want.Ladder, test.want.Gap = []string{"gguf"}, 800*time.Millisecond
			if diff := cmp.Diff(test.want, c.For(test.world, test.persona)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// Ensure that changes are kept, seen by another reader at once, and taken back
// one by one.
func TestChangesAndRollback(t *testing.T) {
	f := file(t, "")
	other := choice.Open(f.Path())
	uses := func() string {
		t.Helper()
		c, err := other.Read()
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(c.For("ferry", "adu").Chosen, " ")
	}
	if uses() != "" {
		t.Errorf("chosen without a file: %q", uses())
	}
	steps := []struct{ world, persona, use, want string }{
		{"", "", "big", "big"}, {"ferry", "", "small", "small big"}, {"", "adu", "recall", "recall small big"},
		{"ferry", "adu", "tiny", "tiny recall small big"}, {"ferry", "", "", "tiny recall big"},
	}
	for _, s := range steps {
		if err := f.Change("use "+s.use, func(c *choice.Content) { c.Pin(s.world, s.persona, s.use) }); err != nil {
			t.Fatal(err)
		}
		if got := uses(); got != s.want {
			t.Errorf("after %+v: %q", s, got)
		}
	}
	for i := len(steps) - 1; i >= 0; i-- {
		undone, err := other.Rollback()
		if err != nil || undone.Did != "use "+steps[i].use {
			t.Fatalf("%+v, %v", undone, err)
		}
		want := ""
		if i > 0 {
			want = steps[i-1].want
		}
		if got := uses(); got != want {
			t.Errorf("after taking back %d: %q, want %q", i, got, want)
		}
	}
	if _, err := f.Rollback(); !errors.Is(err, choice.ErrNoPast) {
		t.Errorf("nothing left to take back: %v", err)
	}
}

// Ensure that a slip of the pen names file, line and what to do, and that the
// last good content stays in use.
func TestBrokenFiles(t *testing.T) {
	for text, want := range map[string]string{
		"{\n\"version\": 1,\n\"uze\": \"x\"\n}": `engines.json:3: json: unknown field "uze"; mend`,
		"{\n\"version\": 1,\n\"use\": 3}":       "engines.json:3: json: cannot unmarshal",
		"{\"version\": 1,\n":                    "engines.json:2: unexpected EOF",
		"{\"version\": 7}":                      "version 7; this program writes 1",
		"{\"version\": 1}\n{}":                  "engines.json:2: something follows",
		`{"version": 1, "gap_ms": -4}`:          "gap_ms is -4: write milliseconds",
		`{"version": 1, "worlds": {"ferry": {"first_token_ms": 99999999}}}`: "worlds.ferry.first_token_ms",
	} {
		f := file(t, text)
		if _, err := f.Read(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
		if err := f.Change("use x", func(c *choice.Content) { c.Pin("", "", "x") }); err == nil {
			t.Errorf("%s: a broken file was overwritten", text)
		}
	}
	f := file(t, `{"version": 1, "use": "big"}`)
	if _, err := f.Read(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path(), []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if c, err := f.Read(); err == nil || c.Use != "big" {
		t.Errorf("%+v, %v", c, err)
	}
}

// Ensure that many at once lose no change and never see half a file.
func TestTogether(t *testing.T) {
	f := file(t, "")
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 4 {
				if err := f.Change("use x", func(c *choice.Content) { c.Pin("", "", "x") }); err != nil {
					t.Error(err)
				}
				if _, err := choice.Open(f.Path()).Read(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	all.Wait()
	if past, err := f.History(); err != nil || len(past) != 32 {
		t.Errorf("%d changes, %v", len(past), err)
	}
}

// FuzzRead looks for files that break the reader.
func FuzzRead(f *testing.F) {
	f.Add(`{"version": 1, "use": "a,b", "worlds": {"w": {"personas": {"p": "x"}}}}`)
	f.Add(`{"version": 1, "history": [{"was": {"use": "a"}}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := file(t, text).Read()
		if err == nil {
			_ = c.For("w", "p")
		}
	})
}
