package tui

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/engine/safefile"
	"fabula/story"
	"fabula/tui/screen"
	"fabula/tui/screen/chat"
)

// kept is what survives quitting: where the person was and what was being
// written. It lies beside the store.
type kept struct {
	Branch story.ID `json:"branch"`
	Draft  string   `json:"draft,omitempty"`
	chat.Change
	Toured bool `json:"toured,omitempty"` // the tour was begun or declined
}

const keptFile = "workbench.json"

// resumed is where to begin.
type resumed struct {
	branch story.ID
	draft  string
	change chat.Change
	toured bool
	fresh  bool // there is no branch yet
	err    error
}

// resume finds the branch to show, in a command.
func (a *app) resume() tea.Cmd {
	s, o := a.env.Session, a.o
	if s == nil || s.Reader() == nil {
		return nil
	}
	return func() tea.Msg { return resume(s, o) }
}

// resume finds the branch to show: the asked one, the one shown last, the
// newest. Where the asked one is not to be had, another comes with the error.
func resume(s *story.Session, o Options) resumed {
	k := readKept(o.StateDir)
	r := resumed{draft: k.Draft, change: k.Change, toured: k.Toured}
	if o.Branch != "" {
		b, err := s.Reader().Branch(o.Branch)
		if err == nil {
			r.branch = b.ID
			return r
		}
		r.err = err
	}
	if b, err := s.Reader().Branch(string(k.Branch)); err == nil && k.Branch != "" && speaks(s, b, o.Speak) {
		r.branch = b.ID
		return r
	}
	all, err := s.Reader().Branches()
	if err != nil {
		r.err = err
		return r
	}
	r.fresh = true
	for _, b := range all {
		if !slices.Contains(b.Tags, story.SimulatedTag) && speaks(s, b, o.Speak) { // a robot's is nobody's last one
			r.fresh, r.branch = false, b.ID
			break
		}
	}
	return r
}

// speaks reports whether NPCs speak the asked language on a branch.
func speaks(s *story.Session, b story.Branch, asked string) bool {
	if asked == "" {
		return true
	}
	p, err := s.Reader().Playthrough(b.Playthrough)
	return err == nil && p.Language == asked
}

// started is a first playthrough.
type started struct{ branch story.ID }

func (a *app) resumed(m resumed) tea.Cmd {
	if m.draft != "" && a.chat.Draft() == "" {
		a.chat.SetDraft(m.draft, m.change)
	}
	a.kept.Draft, a.kept.Change = m.draft, m.change
	a.toured = a.toured || m.toured
	a.offerTour(a.toured)
	var cmds []tea.Cmd
	if m.err != nil {
		cmds = append(cmds, screen.Fail(m.err))
	}
	switch {
	case m.fresh && !a.begun:
		a.begun = true
		cmds = append(cmds, a.beginFirst())
	case m.branch != "":
		cmds = append(cmds, a.chat.Update(screen.GoTo{Branch: m.branch}))
	}
	return tea.Batch(cmds...)
}

// beginFirst starts a playthrough where there is none, so that a person can
// talk at once.
func (a *app) beginFirst() tea.Cmd {
	s, speak := a.env.Session, a.o.Speak
	return func() tea.Msg {
		b, _, err := s.Begin(story.Start{Language: speak})
		if err != nil {
			return screen.Toast{Text: err.Error(), Error: true}
		}
		return started{b.ID}
	}
}

func readKept(dir string) (k kept) {
	data, err := os.ReadFile(filepath.Join(dir, keptFile))
	if err != nil || json.Unmarshal(data, &k) != nil {
		return kept{} // a lost place is no reason not to open
	}
	return k
}

// saveNow is the end of a quiet moment after typing.
type saveNow struct{}

// keep sees to it that place and draft are written: after a quiet moment, and at
// once when the draft was sent, so that a killed program does not bring it back.
func (a *app) keep() tea.Cmd {
	draft := a.chat.Draft()
	a.dirty = a.dirty || draft != a.kept.Draft
	switch {
	case draft == "" && a.kept.Draft != "":
		return a.saveCmd()
	case !a.dirty || a.saving:
		return nil
	}
	a.saving = true
	return tea.Tick(saveFor, func(time.Time) tea.Msg { return saveNow{} })
}

func (a *app) state() kept {
	return kept{Branch: a.chat.Branch().ID, Draft: a.chat.Draft(), Change: a.chat.Change(), Toured: a.toured}
}

// saveCmd writes place and draft, in a command.
func (a *app) saveCmd() tea.Cmd {
	k := a.state()
	a.dirty = false
	if k == a.kept || k.Branch == "" {
		return nil
	}
	a.kept = k
	put := a.shelf.next(k)
	return func() tea.Msg {
		if err := put(); err != nil {
			return unsaved{err}
		}
		return wasKept{}
	}
}

// wasKept: place and draft are written.
type wasKept struct{}

// unsaved is a failure to keep place and draft.
type unsaved struct{ err error }

// retryFor is how long after a failure place and draft are written again.
const retryFor = 5 * time.Second

// unsaved says once that place and draft could not be written, and writes them
// again later.
func (a *app) unsaved(m unsaved) tea.Cmd {
	var say tea.Cmd
	if words := m.err.Error(); words != a.unkept && !a.toast.Error { // else it is told the next time
		a.unkept = words
		say = a.yield(screen.Toast{Text: words, Error: true})
	}
	a.kept, a.dirty, a.saving = kept{}, true, true
	return tea.Batch(say, tea.Tick(retryFor, func(time.Time) tea.Msg { return saveNow{} }))
}

// save writes place and draft when the program ends.
func (a *app) save() {
	if k := a.state(); k.Branch != "" {
		_ = a.shelf.next(k)() // the screen is gone; there is nobody to tell
	}
}

// shelf is where place and draft lie. Commands run in any order; what was asked
// for last stays.
type shelf struct {
	dir   string
	asked int // by the program's loop only

	mu      sync.Mutex
	written int
}

// next gives what writes k, unless something newer is written by then.
func (s *shelf) next(k kept) func() error {
	s.asked++
	n := s.asked
	return func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if n < s.written {
			return nil
		}
		s.written = n
		return writeKept(s.dir, k)
	}
}

func writeKept(dir string, k kept) error {
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	name := filepath.Join(dir, keptFile)
	switch err := safefile.Replace(name, data); {
	case errors.Is(err, fs.ErrNotExist):
		return nil // no folder, so there is no store to come back to either
	case err != nil:
		return fmt.Errorf("keep the text: %w", err)
	}
	return nil
}
