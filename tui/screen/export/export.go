// Package export is the dialog that writes what was played for other programs:
// what, in which format, where to, and which files that makes.
//
// The files are made before they are written, so that the preview is what is
// written. Non-goals: the formats themselves (story/export).
package export

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/widget"
	"fabula/worlds"
)

// Dialog is the screen. Its methods are called from one goroutine.
type Dialog struct {
	env  *screen.Env
	w, h int

	list   widget.List // fields
	files  widget.List // scrolled
	here   story.ID    // branch that the chat shows
	chosen story.ID    // branch that can be exported alone
	name   string      // of chosen
	one    bool        // chosen alone, else all
	format int
	ask    screen.ExportAsk // Approved and Redact; the rest is filled in when asked
	folder string
	typing *widget.Composer // the folder is being written

	gen   int
	busy  bool
	asked bool // it was said that files would be replaced
	p     preview
}

// The fields, in their order.
const (
	fieldWhat = iota
	fieldFormat
	fieldLines
	fieldSecrets
	fieldFolder
	fields
)

// preview is what would be written.
type preview struct {
	gen    int
	made   screen.Exported
	there  []state // of the files
	folder string
	name   string
	err    error
}

// state is what lies where a file would be written.
type state struct {
	exists, same bool
	size         int64
}

// New makes the dialog.
func New(env *screen.Env) *Dialog {
	d := &Dialog{env: env, folder: env.Export.Folder, ask: screen.ExportAsk{Redact: env.Export.Redact}}
	d.list.SetLen(fields)
	d.list.Select(fieldFormat)
	return d
}

// SetSize sets columns and rows.
func (d *Dialog) SetSize(w, h int) {
	d.w, d.h = w, h
	if d.typing != nil {
		d.typing.SetWidth(d.room())
	}
}

// Box is what the dialog takes of a window.
func (d *Dialog) Box(w, h int) (bw, bh int) { return min(w, 100), min(h, 28) }

// Typing reports whether the folder is being written.
func (d *Dialog) Typing() bool { return d.typing != nil }

// Cursor is the insertion point in the folder's name.
func (d *Dialog) Cursor() (x, y int, show bool) {
	if d.typing == nil {
		return 0, 0, false
	}
	_, x, _ = d.typing.View(1, "", d.env.Theme)
	return x + d.column() + 2, 1 + fieldFolder, true
}

// Shown makes the preview anew.
func (d *Dialog) Shown() tea.Cmd {
	if d.chosen == "" {
		d.chosen = d.here
	}
	return d.load()
}

// Update takes one message.
func (d *Dialog) Update(msg tea.Msg) tea.Cmd {
	switch m := msg.(type) {
	case tea.KeyMsg:
		return d.key(m)
	case tea.MouseMsg:
		return d.mouse(m)
	case screen.Went:
		d.here, d.chosen = m.Branch.ID, m.Branch.ID
	case screen.ExportThis:
		d.one = m.Branch != ""
		if d.one {
			d.chosen = m.Branch
		}
		return d.load()
	case preview:
		d.take(m)
	case screen.TaskEnded:
		if m.ID == taskID && d.p.made.Files != nil {
			return d.load()
		}
	}
	return nil
}

// load makes the files in a command.
func (d *Dialog) load() tea.Cmd {
	e, s := d.env.Export, d.env.Session
	d.asked = false
	if s == nil || s.Reader() == nil || e.Render == nil || len(e.Formats) == 0 {
		return nil
	}
	d.gen++
	d.busy = true
	gen, r, ask, folder := d.gen, s.Reader(), d.ask, expand(d.folder)
	ask.Format = e.Formats[d.format]
	chosen, one, own := d.chosen, d.one, d.env.Text.Export.Own
	return func() tea.Msg {
		p := preview{gen: gen, folder: folder}
		if chosen != "" {
			b, err := r.Branch(string(chosen))
			if err != nil {
				p.err = err
				return p
			}
			p.name = b.Name
			if one {
				ask.Branches = []string{string(b.ID)}
			}
		}
		if p.err = guard(folder, own); p.err != nil {
			return p
		}
		if p.made, p.err = e.Render(r, ask); p.err != nil {
			return p
		}
		for _, f := range p.made.Files {
			p.there = append(p.there, look(filepath.Join(folder, filepath.FromSlash(f.Name)), f.Data))
		}
		return p
	}
}

// guard refuses a folder of a world's own files.
func guard(folder, words string) error {
	var own *worlds.OwnError
	if err := worlds.Guard(folder); errors.As(err, &own) {
		return fmt.Errorf(words, own.World)
	}
	return nil
}

func (d *Dialog) take(p preview) {
	if p.gen != d.gen {
		return
	}
	d.busy, d.p = false, p
	d.files.Select(0)
	if p.name != "" {
		d.name = p.name
	}
}

// look says what lies where a file would be written.
func look(path string, data []byte) state {
	info, err := os.Lstat(path)
	if err != nil {
		return state{}
	}
	s := state{exists: true, size: info.Size()}
	if info.Mode().IsRegular() && s.size == int64(len(data)) {
		old, err := os.ReadFile(path)
		s.same = err == nil && bytes.Equal(old, data)
	}
	return s
}

// expand replaces a tilde by the person's home.
func expand(folder string) string {
	if rest, ok := strings.CutPrefix(folder, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			return filepath.Join(home, rest)
		}
	}
	return folder
}

// replaced counts the files that would be replaced by others.
func (p preview) replaced() (n int) {
	for _, s := range p.there {
		if s.exists && !s.same {
			n++
		}
	}
	return n
}
