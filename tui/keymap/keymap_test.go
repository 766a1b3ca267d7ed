package keymap_test

import (
	"slices"
	"testing"

	"fabula/personas/source"
	"fabula/tui/keymap"
	"fabula/tui/widget"
)

var (
	frame = []widget.Binding{{ID: "help", Keys: []string{"f1"}, When: widget.Anywhere}, {ID: "quit.now", Keys: []string{"q"}}}
	chat  = []widget.Binding{{ID: "chat.retry", Keys: []string{"r"}}, {ID: "chat.branch", Keys: []string{"b"}}, {ID: "chat.send", Keys: []string{"enter"}, When: widget.Typing}, {ID: "chat.choose", Keys: []string{"1", "2"}, Fixed: true}}
	world = []widget.Binding{{ID: "world.new", Keys: []string{"n"}}}
)

// resolve reads a key map and gives it with its faults as CODE line.
func resolve(t *testing.T, text string) (keymap.Map, []string) {
	t.Helper()
	entries, faults := keymap.Read(source.File{Name: "keys.yaml", Data: []byte(text)})
	m, more := keymap.Resolve(entries, frame, chat, world)
	var out []string
	for _, f := range append(faults, more...) {
		out = append(out, f.Code+" "+f.Pos.String())
	}
	return m, out
}

// Ensure that what can be used is taken up, and that what cannot is told with
// its line and leaves the default.
func TestResolve(t *testing.T) {
	for _, tc := range []struct {
		name, text string
		want       map[string][]string // rows that changed
		faults     []string
	}{
		{"another key", "keys:\n  chat.retry: ctrl+r R\n", map[string][]string{"chat.retry": {"ctrl+r", "R"}}, nil},
		{"a swap", "keys:\n  chat.retry: b\n  chat.branch: r\n", map[string][]string{"chat.retry": {"b"}, "chat.branch": {"r"}}, nil},
		{"the same key on two screens", "keys:\n  chat.retry: n\n", map[string][]string{"chat.retry": {"n"}}, nil},
		{"a key of the other state", "keys:\n  chat.retry: enter\n", map[string][]string{"chat.retry": {"enter"}}, nil},
		{"taken on its screen", "keys:\n  chat.retry: b\n", nil, []string{"taken_key keys.yaml:2:3"}},
		{"taken by the frame", "keys:\n  world.new: q\n", nil, []string{"taken_key keys.yaml:2:3"}},
		{"a frame's key that a screen has", "keys:\n  quit.now: n\n", nil, []string{"taken_key keys.yaml:2:3"}},
		{"a letter for what works while writing", "keys:\n  help: h\n", nil, []string{"writing_key keys.yaml:2:3"}},
		{"rubbing out is writing", "keys:\n  chat.send: backspace\n", nil, []string{"writing_key keys.yaml:2:3"}},
		{"alt with a letter writes nothing", "keys:\n  help: alt+h\n", map[string][]string{"help": {"alt+h"}}, nil},
		{"what stays takes its key back", "keys:\n  chat.retry: b\n  chat.branch: q\n", nil, []string{"taken_key keys.yaml:2:3", "taken_key keys.yaml:3:3"}},
		{"unknown action", "keys:\n  chat.retri: x\n  world.new: N\n", map[string][]string{"world.new": {"N"}}, []string{"unknown_action keys.yaml:2:3"}},
		{"no such key", "keys:\n  chat.retry: ctrl+ä\n", nil, []string{"unknown_keyname keys.yaml:2:3"}},
		{"reserved", "keys:\n  chat.retry: ctrl+b\n", nil, []string{"reserved_key keys.yaml:2:3"}},
		{"fixed", "keys:\n  chat.choose: x\n", nil, []string{"fixed_action keys.yaml:2:3"}},
		{"another top key", "key:\n  chat.retry: x\n", nil, []string{"unknown_key keys.yaml:1:1"}},
	} {
		m, faults := resolve(t, tc.text)
		if !slices.Equal(faults, tc.faults) {
			t.Errorf("%s: faults %v, want %v", tc.name, faults, tc.faults)
		}
		for _, b := range slices.Concat(frame, chat, world) {
			want, changed := tc.want[b.ID]
			if !changed {
				want = b.Keys
			}
			if got := m.Of(b); !slices.Equal(got, want) {
				t.Errorf("%s: %s has %v, want %v", tc.name, b.ID, got, want)
			}
		}
	}
}

func TestRowsShowTheirOwnKeys(t *testing.T) {
	m, _ := resolve(t, "keys:\n  chat.retry: ctrl+r R\n")
	rows := m.Rows(chat)
	if rows[0].Shown() != "ctrl+r R" || rows[1].Shown() != "b" || chat[0].Keys[0] != "r" {
		t.Errorf("%v, %v", rows, chat)
	}
}

// FuzzRead ensures that no file makes reading fail otherwise than by a fault.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"keys:\n  chat.retry: ctrl+r\n", "keys: [a]\n", "keys:\n  a: \"\"\n  a: b\n", "\x00", "keys:\n  chat.retry: '   '\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		entries, faults := keymap.Read(source.File{Name: "keys.yaml", Data: []byte(text)})
		for _, e := range entries {
			for _, k := range e.Keys {
				if _, ok := widget.KeyNamed(k); !ok {
					t.Errorf("%q is no key, and %v were told", k, faults)
				}
			}
		}
	})
}
