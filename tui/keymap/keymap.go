// Package keymap reads which keys do what: keys.yaml of the configuration
// folder gives an action, by the id of its row, keys of its own.
//
//	keys:
//	  chat.retry: ctrl+r
//	  quit.now: Q ctrl+q
//
// What is not written there stays as it is, and so does an entry that cannot be
// used: it is a fault with a line. Non-goals: knowing screens; keys that two
// actions share on purpose.
package keymap

import (
	"slices"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/personas/source"
	"fabula/tui/widget"
)

// Entry gives an action keys, as tea.KeyMsg.String writes them.
type Entry struct {
	Action string
	Keys   []string
	Pos    source.Pos
}

// Codes of the faults of a key map.
const (
	CodeUnknownAction = "unknown_action"  // id, nearest or ""
	CodeUnknownKey    = "unknown_keyname" // id, name
	CodeReservedKey   = "reserved_key"    // id, key
	CodeFixedAction   = "fixed_action"    // id
	CodeTakenKey      = "taken_key"       // id, key, the other id
	CodeWritingKey    = "writing_key"     // id, key
)

// Codes lists every fault code of this package.
func Codes() []string {
	return []string{CodeUnknownAction, CodeUnknownKey, CodeReservedKey, CodeFixedAction, CodeTakenKey, CodeWritingKey}
}

// Type declares the keys of keys.yaml.
func Type() source.Type[[]Entry] {
	pairs := source.Map(source.Words("action"), source.Words("keys"))
	entries := source.As(pairs, func(all []source.Entry[string, string]) []Entry {
		var out []Entry
		for _, e := range all {
			out = append(out, Entry{Action: e.Key, Keys: strings.Fields(e.Value), Pos: e.Pos})
		}
		return out
	})
	return source.Object("keys", "which keys do what in the workbench",
		source.Key("keys", entries, func(all *[]Entry) *[]Entry { return all }, "an action's id, and its keys with blanks between; the palette and `fabula man` show the ids").Required())
}

// Read reads a key map; keys that no terminal sends, or that others need, are
// faults.
func Read(file source.File) ([]Entry, []source.Fault) {
	entries, faults := source.Read(file, Type())
	var good []Entry
	for i, e := range entries {
		if f, ok := e.fault(); !ok {
			faults = append(faults, f)
			continue
		}
		if first := slices.IndexFunc(entries, func(o Entry) bool { return o.Action == e.Action }); first == i {
			good = append(good, e)
		}
	}
	return good, source.Sort(faults)
}

// reserved keys belong to input methods, to tmux and screen, or to windows.
var reserved = []string{"ctrl+@", "ctrl+a", "ctrl+b", "f10", "f11"}

// fault says what is wrong with the keys themselves.
func (e Entry) fault() (source.Fault, bool) {
	for _, k := range e.Keys {
		if slices.Contains(reserved, k) {
			return source.Fault{Pos: e.Pos, Code: CodeReservedKey, Args: []string{e.Action, k}}, false
		}
		if _, ok := widget.KeyNamed(k); !ok {
			return source.Fault{Pos: e.Pos, Code: CodeUnknownKey, Args: []string{e.Action, k}}, false
		}
	}
	return source.Fault{}, true
}

// Map gives actions keys, by id.
type Map map[string][]string

// Resolve takes up the entries that can be used. Frame holds the rows that work
// everywhere, screens those of each screen: what is free on one screen may be
// taken on another.
func Resolve(entries []Entry, frame []widget.Binding, screens ...[]widget.Binding) (Map, []source.Fault) {
	m := Map{}
	var faults []source.Fault
	scopes := [][]widget.Binding{frame}
	for _, s := range screens {
		scopes = append(scopes, slices.Concat(frame, s))
	}
	for _, e := range entries {
		if f, ok := usable(e, scopes); !ok {
			faults = append(faults, f)
			continue
		}
		m[e.Action] = e.Keys
	}
	return m, source.Sort(append(faults, m.settle(entries, scopes)...))
}

// settle takes out the entries that clash. All are known by now: what one gives
// up, another may take. One that is taken out has its default back, which may be
// what another has taken, so it looks again until nothing clashes.
func (m Map) settle(entries []Entry, scopes [][]widget.Binding) []source.Fault {
	var faults []source.Fault
	for before := -1; before != len(faults); {
		before = len(faults)
		for _, e := range entries {
			if other, key := m.clash(e, scopes); other != "" {
				faults = append(faults, source.Fault{Pos: e.Pos, Code: CodeTakenKey, Args: []string{e.Action, key, other}})
				delete(m, e.Action)
			}
		}
	}
	return faults
}

// usable reports whether an action is there and may have other keys.
func usable(e Entry, scopes [][]widget.Binding) (source.Fault, bool) {
	var ids []string
	for _, rows := range scopes {
		for _, b := range rows {
			if b.ID == e.Action {
				return e.fits(b)
			}
			ids = append(ids, b.ID)
		}
	}
	return source.Fault{Pos: e.Pos, Code: CodeUnknownAction, Args: []string{e.Action, source.Nearest(e.Action, ids)}}, false
}

// fits reports whether a row may have the keys of an entry: a row that works
// while writing may have none that writes.
func (e Entry) fits(b widget.Binding) (source.Fault, bool) {
	if b.Fixed {
		return source.Fault{Pos: e.Pos, Code: CodeFixedAction, Args: []string{e.Action}}, false
	}
	for _, k := range e.Keys {
		if m, _ := widget.KeyNamed(k); b.When.Holds(true) && !m.Alt && (m.Type == tea.KeyRunes || m.Type == tea.KeyBackspace) {
			return source.Fault{Pos: e.Pos, Code: CodeWritingKey, Args: []string{e.Action, k}}, false
		}
	}
	return source.Fault{}, true
}

// clash finds another action that one of an entry's keys does where the entry's
// action works.
func (m Map) clash(e Entry, scopes [][]widget.Binding) (other, key string) {
	keys, ok := m[e.Action]
	if !ok {
		return "", ""
	}
	for _, rows := range scopes {
		at := slices.IndexFunc(rows, func(b widget.Binding) bool { return b.ID == e.Action })
		if at < 0 {
			continue
		}
		for _, b := range rows {
			if b.ID == e.Action || !b.When.Overlaps(rows[at].When) {
				continue
			}
			for _, k := range keys {
				if slices.Contains(m.Of(b), k) {
					return b.ID, k
				}
			}
		}
	}
	return "", ""
}

// Of gives the keys of a row: its own, or those it was given.
func (m Map) Of(b widget.Binding) []string {
	if keys, ok := m[b.ID]; ok {
		return keys
	}
	return b.Keys
}

// Rows gives rows with the keys that they were given.
func (m Map) Rows(rows []widget.Binding) []widget.Binding {
	if len(m) == 0 {
		return rows
	}
	out := slices.Clone(rows)
	for i := range out {
		if keys, ok := m[out[i].ID]; ok {
			out[i].Keys, out[i].Label = keys, strings.Join(keys, " ")
		}
	}
	return out
}
