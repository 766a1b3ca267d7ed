package tui

import (
	"errors"
	"fmt"
	"time"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/tui/screen"
	"fabula/worlds"
)

// reloaded is what came of reading the world's files again.
type reloaded struct {
	session *story.Session
	err     error
	asked   bool
}

// watchEvery is how often the files' stamps are looked at.
const watchEvery = time.Second

// edited says that an authored file was changed, added or removed.
type edited struct{ stamp string }

// watchFiles waits, in a command, until the stamps of the world's files differ
// from last; "" = as they are now. An embedded world has none to watch.
func (a *app) watchFiles(last string) tea.Cmd {
	dir, ctx := a.o.Dir, a.ctx
	if dir == "" {
		return nil
	}
	return func() tea.Msg {
		if last == "" {
			last = worlds.Stamp(dir)
		}
		for {
			select {
			case <-ctx.Done():
				return nil
			case <-time.After(watchEvery):
			}
			if now := worlds.Stamp(dir); now != last {
				return edited{now}
			}
		}
	}
}

// edited takes up an edit at once. It tells of it only if the authored bytes
// differ from what was told last: a file may merely have been touched.
func (a *app) edited(m edited) tea.Cmd {
	return tea.Batch(a.watchFiles(m.stamp), a.reload(false))
}

// reload reads the world's files again, in a command; asked says that the person
// waits for an answer. One reading goes on at a time: two would open the store
// twice. What is asked for meanwhile is one more reading, once it is over.
func (a *app) reload(asked bool) tea.Cmd {
	open := a.o.Open
	if a.env.Session == nil && open == nil {
		return nil
	}
	if a.reading {
		asked = asked || a.reread != nil && *a.reread
		a.reread = &asked
		return nil
	}
	a.reading = true
	if s := a.env.Session; s != nil {
		return func() tea.Msg { return reloaded{err: s.Reload(), asked: asked} }
	}
	return func() tea.Msg {
		s, err := open()
		return reloaded{s, err, asked}
	}
}

func (a *app) reloaded(m reloaded) tea.Cmd {
	done := a.takeReloaded(m)
	a.reading = false
	if again := a.reread; again != nil {
		a.reread = nil
		return tea.Batch(done, a.reload(*again))
	}
	return done
}

func (a *app) takeReloaded(m reloaded) tea.Cmd {
	a.world.Broken(m.err)
	told := a.told
	a.told = a.played(m.err)
	var say tea.Cmd
	switch words := (screen.Toast{Text: a.env.Text.World.Reloaded}); {
	case m.err != nil && (m.asked || told != a.told):
		return a.tellFaults(m)
	case m.err != nil:
		return nil
	case m.asked:
		say = a.show(words)
	case told != a.told:
		say = a.yield(words)
	default:
		return nil // as it was
	}
	if a.env.Session == nil && m.session != nil {
		a.env.Session = m.session
		a.told = a.played(nil)
		return tea.Batch(say, a.resume(), a.open(screen.Open{Name: screen.Chat}))
	}
	a.chat.Redraw()
	return tea.Batch(say, a.broadcast(screen.Changed{Branch: a.chat.Branch().ID}))
}

// played says in a line what is played: the hash of the script, and why it is
// not that of the files.
func (a *app) played(stale error) string {
	s := ""
	if a.env.Session != nil {
		s = a.env.Session.Script().Hash
	}
	if stale != nil {
		s += " " + stale.Error()
	}
	return s
}

// tellFaults says why the files do not load. Unasked, it gives way to an error
// that stands, and stays no longer than any word: a row above the talk remains.
func (a *app) tellFaults(m reloaded) tea.Cmd {
	words := m.err.Error()
	var load *worlds.LoadError
	if errors.As(m.err, &load) {
		words = fmt.Sprintf(a.env.Text.World.StillBroken, len(load.Faults))
	}
	if m.asked {
		return a.show(screen.Toast{Text: words, Error: true})
	}
	if a.front != screen.World {
		words = a.env.Text.World.Changed
	}
	return a.yield(screen.Toast{Text: words})
}
