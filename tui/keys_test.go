package tui_test

import (
	"context"
	"strings"
	"testing"

	"fabula/story"
	"fabula/tui"
	"fabula/tui/widget"
	"fabula/worlds"
)

// sense is what a letter may mean, on every screen: part of the row's id.
var sense = map[string][]string{
	"a": {"analyse"}, "b": {"branch"}, "B": {"beats"}, "c": {"compare"}, "C": {"continue"}, "d": {"delete"}, "e": {"edit"}, "E": {"edit"}, "f": {"free", "facts"}, "F": {"findings"},
	"i": {"compose", "import", "facts"}, "L": {"recall"}, "m": {"mark"}, "n": {"new", "next"}, "N": {"new"}, "o": {"open", "outline", "marks"}, "p": {"prompt", "preview"}, "P": {"promote"}, "q": {"quit", "leave", "close"},
	"r": {"retry", "reload", "rerun", "without"}, "R": {"several", "more"}, "s": {"path", "swap", "state", "stop"}, "t": {"title", "try", "tour"}, "T": {"tokens"}, "u": {"undo"}, "U": {"redo"},
	"v": {"versus", "versions", "vote", "coverage", "diff"}, "w": {"warm"}, "x": {"export"}, "y": {"copy"}, "z": {"fold", "zoom"},
	"h": {"left", "prev"}, "j": {"down"}, "k": {"up"}, "l": {"right", "next"}, "J": {"down"}, "K": {"up"}, "g": {"top", "first"}, "G": {"end", "last"},
}

// Ensure that a letter keeps its sense, and that every row can be explained.
func TestKeysKeepTheirSense(t *testing.T) {
	t.Parallel()
	w, err := worlds.OpenFS(ferry, "ferry")
	if err != nil {
		t.Fatal(err)
	}
	s, err := story.New(story.Config{Script: w.Script})
	if err != nil {
		t.Fatal(err)
	}
	m, _ := tui.NewModel(context.Background(), tui.Options{Name: "ferry", Session: s})
	seen := map[string]bool{}
	for _, b := range tui.Rows(m) {
		if b.ID == "" || b.Name == "" || b.Hint == "" || len(b.Keys) == 0 || seen[b.ID] {
			t.Errorf("row %+v: incomplete, or its id is taken", b)
		}
		seen[b.ID] = true
		for _, k := range b.Keys {
			if len(k) == 1 && (k[0] >= 'a' && k[0] <= 'z' || k[0] >= 'A' && k[0] <= 'Z') && !means(k, b.ID) {
				t.Errorf("%s is bound to %s: a letter keeps its sense", k, b.ID)
			}
			for _, taken := range []string{"ctrl+@", "ctrl+b", "ctrl+a", "f10", "f11"} {
				if k == taken {
					t.Errorf("%s is bound to %s: input methods, tmux or window menus use it", k, b.ID)
				}
			}
		}
	}
}

func means(key, id string) bool {
	for _, s := range sense[key] {
		if strings.Contains(id, s) {
			return true
		}
	}
	return false
}

// Ensure that everything that a key does can be done by name: the palette has
// every row of the screen below it and of the frame, with its key.
func TestEveryRowIsInThePalette(t *testing.T) {
	t.Parallel()
	b := open(t, setting{w: 120, h: 40})
	b.Wait("Adu")
	for _, way := range [][]string{{}, {"esc"}, {"B"}, {"esc", "f2"}, {"f6"}, {"f1"}} {
		b.Press(way...)
		have := tui.Commands(b.model)
		for _, row := range tui.Here(b.model) {
			if !have[row.Hint] && !strings.HasPrefix(row.ID, "palette") {
				t.Errorf("after %v: %s is not in the palette", way, row.ID)
			}
		}
		if len(have) < 20 {
			t.Errorf("after %v: %d commands", way, len(have))
		}
	}
}

// Ensure that commands of two screens never have one name in the palette: what is
// the same is listed once.
func TestPaletteHasNoTwins(t *testing.T) {
	t.Parallel()
	for lang, name := range map[string]string{"en": "Adu", "zh": "阿渡"} {
		b := open(t, setting{w: 120, h: 40, lang: lang, keeper: stocked(), files: tried()})
		b.Wait(name)
		b.say("here are the herbs", "water")
		for _, way := range [][]string{{}, {"esc"}, {"p"}, {"esc", "B"}, {"esc", "T"}, {"esc", "v"}, {"esc", "f2"}, {"f3"}, {"f4"}, {"f6"}, {"f7"}, {"f8"}, {"alt+c"}, {"alt+x"}, {"f1"}} {
			b.Press(way...)
			for name, ids := range tui.Names(b.model) {
				of := map[string]bool{}
				for _, id := range ids {
					where, what, _ := strings.Cut(id, ".")
					if of[where] = true; what == "back" || what == "leave" || what == "close" {
						delete(of, where)
					}
				}
				if len(of) > 1 {
					t.Errorf("%s, after %v: %v are called %q", lang, way, ids, name)
				}
			}
		}
	}
}

// Ensure that every row is told to whoever reads the manual, and that its keys
// are keys that a terminal sends.
func TestManualHasEveryRow(t *testing.T) {
	t.Parallel()
	b := open(t, setting{})
	told := map[string]bool{}
	for _, page := range tui.Manual("en") {
		for _, row := range page.Rows {
			told[row.ID] = true
			for _, k := range row.Keys {
				if _, ok := widget.KeyNamed(k); !ok {
					t.Errorf("%s: no terminal sends %q", row.ID, k)
				}
			}
		}
	}
	for _, row := range tui.Rows(b.model) {
		if !told[row.ID] {
			t.Errorf("%s is not in the manual", row.ID)
		}
	}
}
