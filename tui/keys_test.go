package tui_test

import (
	"context"
	"strings"
	"testing"

	"fabula/story"
	"fabula/tui"
	"fabula/worlds"
)

// sense is what a letter may mean, on every screen: part of the row's id.
var sense = map[string][]string{
	"n": {"new", "next"}, "a": {"analyse"}, "b": {"branch"}, "B": {"beats"}, "d": {"delete"}, "e": {"edit"}, "f": {"free"}, "m": {"mark"}, "r": {"retry", "reload"}, "R": {"retry.several"}, "t": {"title"}, "T": {"tokens"}, "v": {"versus", "coverage"}, "c": {"compare"}, "o": {"open", "outline"}, "s": {"path", "swap", "state"}, "u": {"undo"}, "U": {"redo"}, "h": {"left"}, "E": {"edit"}, "C": {"continue"}, "p": {"prompt"}, "L": {"recall"}, "F": {"findings"}, "l": {"right"},
	"y": {"copy"}, "z": {"fold"}, "i": {"compose"}, "q": {"quit"}, "j": {"down"}, "k": {"up"}, "g": {"top"}, "G": {"end"},
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
