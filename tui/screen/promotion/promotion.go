// Package promotion is the screen on which a stretch of recorded replies becomes
// authored lines: it shows the plot file that would be written, why each of its
// conditions is there, and what of the stretch gives no line.
//
// Non-goals: making the file (story/promote); writing over an author's.
package promotion

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/check"
	"fabula/story/export"
	"fabula/story/promote"
	"fabula/story/promote/proof"
	"fabula/tui/screen"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
	"fabula/worlds"
)

// Promotion is the screen. Its methods are called from one goroutine.
type Promotion struct {
	env   *screen.Env
	store string // folder of the world's store: line ids are kept there
	w, h  int
	asked screen.Promote
	more  int // turns before those that were asked for
	draft draft
	busy  bool
	wrote string // the file, once it is written
	gen   int
	file  widget.List // its rows, scrolled
}

// draft is what a stretch gave.
type draft struct {
	gen      int
	branch   string
	from, to int // turns
	file     string
	patch    *promote.Patch
	spoils   []check.Finding
	ids      *export.Ledger
	err      error
}

// written is what came of writing the file.
type written struct {
	gen  int
	file string
	err  error
}

// New makes the screen for a world with its store in a folder.
func New(env *screen.Env, store string) *Promotion { return &Promotion{env: env, store: store} }

// SetSize sets columns and rows.
func (v *Promotion) SetSize(w, h int) { v.w, v.h = w, h }

// Typing is never so.
func (v *Promotion) Typing() bool { return false }

// Cursor is never shown.
func (v *Promotion) Cursor() (x, y int, show bool) { return 0, 0, false }

// Shown makes the file anew: the world may have been edited.
func (v *Promotion) Shown() tea.Cmd { return v.load() }

// Update takes one message.
func (v *Promotion) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return v.key(m)
	case tea.MouseMsg:
		widget.Point(m, v.View, &v.file)
	case screen.Promote:
		v.asked, v.more = m, 0
		return v.load()
	case draft:
		if m.gen == v.gen {
			v.draft, v.busy = m, false
			v.file.Select(0)
		}
	case written:
		return v.written(m)
	}
	return nil
}

// load makes the file and looks what it would break, in a command.
func (v *Promotion) load() tea.Cmd {
	if v.asked.Alternative == "" || v.env.NoFiles() != "" {
		return nil
	}
	v.gen++
	v.busy, v.wrote = true, ""
	d, asked, more, s, dir, store := draft{gen: v.gen}, v.asked, v.more, v.env.Session, v.env.Dir, v.store
	words := v.env.Text // the language may be another when the command runs
	word := func(n promote.Note) string { return words.Promoted(n.Code, n.Args) }
	return func() tea.Msg {
		w, err := worlds.Open(dir)
		if err != nil {
			d.err = err
			return d
		}
		if d.err = d.make(w, s.Reader(), store, asked, more, word); d.err == nil {
			d.spoils, d.err = proof.Spoils(w, d.file, d.patch.Text)
		}
		return d
	}
}

// make makes the file of a stretch.
func (d *draft) make(w *worlds.World, r story.Reader, store string, asked screen.Promote, more int, word func(promote.Note) string) (err error) {
	if d.ids, err = export.OpenLedger(store); err != nil {
		return err
	}
	in, err := export.CollectNumbered(r, w.Script, []string{string(asked.Branch)}, d.ids)
	if err != nil {
		return err
	}
	b := in.Branches[0]
	if b.Steps, err = r.Path(asked.Alternative); err != nil {
		return err
	}
	d.branch, d.to = b.Name, len(b.Steps)-1
	d.from = max(since(b.Steps, asked.Since)-more, 0)
	d.patch, err = promote.Make(promote.Request{Script: w.Script, Branch: b, Numbers: in.Numbers, From: d.from, To: d.to, Word: word})
	if err == nil {
		d.file = proof.Free(w, strings.TrimSuffix(d.patch.Name, ".yaml"))
	}
	return err
}

// since finds the turn that a stretch begins with: that of an alternative on the
// path, else the last.
func since(path []story.Step, id story.ID) int {
	for i, s := range path {
		if s.Alternative.ID == id {
			return i
		}
	}
	return len(path) - 1
}

// write writes the file, which must not be there yet, in a command.
func (v *Promotion) write() tea.Cmd {
	d, dir := v.draft, v.env.Dir
	v.busy = true
	return func() tea.Msg {
		m := written{gen: d.gen, file: filepath.Join("plot", d.file)}
		if m.err = worlds.WriteNew(filepath.Join(dir, m.file), d.patch.Text); m.err == nil {
			m.err = d.ids.Save()
		}
		return m
	}
}

func (v *Promotion) written(m written) tea.Cmd {
	if m.gen == v.gen {
		v.busy = false
	}
	if errors.Is(m.err, fs.ErrExist) {
		return tea.Batch(v.load(), screen.Fail(fmt.Errorf(v.env.Text.Promotion.Exists, m.file)))
	}
	if m.err != nil {
		return screen.Fail(fmt.Errorf("%s: %w", m.file, m.err))
	}
	if m.gen == v.gen {
		v.wrote = m.file
	}
	return func() tea.Msg { return screen.Reload{} }
}

// Keys lists what can be done.
func (v *Promotion) Keys() []widget.Binding {
	k, t := v.env.Text.Keys, v.env.Text.Promotion
	row := func(id string, r lang.Row, footer bool, why func() string, keys ...string) widget.Binding {
		return widget.Binding{ID: "promote." + id, Keys: keys, Name: r.Name, Hint: r.Hint, Footer: footer, Disabled: why}
	}
	down := row("down", k.Down, true, nil, "j", "down")
	down.Label = "j k"
	return []widget.Binding{
		row("write", t.Write, true, v.noWrite, "enter"),
		row("more", t.More, true, v.noMore, "+", "＋"), row("fewer", t.Fewer, true, v.noFewer, "-", "－"),
		down, row("up", k.Up, false, nil, "k", "up"),
		row("pagedown", k.PageDown, false, nil, "pgdown"), row("pageup", k.PageUp, false, nil, "pgup"),
		row("top", k.Top, false, nil, "g", "home"), row("end", k.End, false, nil, "G", "end"),
		row("back", v.env.Text.Compare.Back, true, nil, "esc"),
	}
}

// noWrite is why nothing can be written.
func (v *Promotion) noWrite() string {
	t := v.env.Text.Promotion
	switch {
	case v.env.NoFiles() != "":
		return v.env.NoFiles()
	case v.asked.Alternative == "":
		return t.Nothing
	case v.busy:
		return t.Busy
	case v.wrote != "":
		return fmt.Sprintf(t.Already, v.wrote)
	case v.draft.err != nil || len(v.draft.spoils) > 0:
		return t.Refused
	}
	return ""
}

func (v *Promotion) noMore() string {
	if v.asked.Alternative == "" || v.busy || v.draft.from == 0 {
		return v.env.Text.Promotion.NoMore
	}
	return ""
}

func (v *Promotion) noFewer() string {
	if v.asked.Alternative == "" || v.busy || v.draft.from >= v.draft.to {
		return v.env.Text.Promotion.NoFewer
	}
	return ""
}

func (v *Promotion) key(m tea.KeyMsg) tea.Cmd {
	b, instead, ok := screen.Press(v.Keys(), m)
	if !ok {
		return instead
	}
	switch b.ID {
	case "promote.write":
		return v.write()
	case "promote.more":
		v.more++
		return v.load()
	case "promote.fewer":
		v.more--
		return v.load()
	case "promote.back":
		return func() tea.Msg { return screen.Close{} }
	default:
		v.file.Key(b.Keys[0], v.h/2)
	}
	return nil
}

// refusal words why a stretch gives no file.
func refusal(err error, t *lang.Strings) string {
	var load *worlds.LoadError
	switch {
	case errors.As(err, &load):
		words := t.Promotion.Broken
		for _, f := range load.Faults {
			what, _ := lang.Fault(f.Code, f.Args, t.Code)
			words += "\n" + f.Pos.String() + ": " + what
		}
		return words
	case errors.Is(err, promote.ErrNothing):
		return t.Promotion.NoLine
	case errors.Is(err, promote.ErrHeld):
		return fmt.Sprintf(t.Promotion.Held, err)
	}
	return err.Error()
}
