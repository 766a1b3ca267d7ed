package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
)

// Edits knows of paths, by their leaves, what an edit of the world's files
// changed in their prompts. What was found stands until the next answer comes.
type Edits struct {
	gen    int
	script string                     // hash of the world that was looked at
	of     map[story.ID]*story.Edited // never written to: a command may read it
}

// EditsFound answers Edits.Look; whoever holds those Edits takes it.
type EditsFound struct {
	asked  *Edits
	gen    int
	script string
	of     map[story.ID]*story.Edited
}

// Look looks at paths, in a command: at new ones only, while the world is as it
// was. A path that cannot be read has no mark: opening it says why.
func (e *Edits) Look(s *story.Session, leaves []story.ID) tea.Cmd {
	e.gen++
	m, was, hash := EditsFound{asked: e, gen: e.gen, of: map[story.ID]*story.Edited{}}, e.of, e.script
	return func() tea.Msg {
		m.script = s.Script().Hash
		for _, leaf := range leaves {
			found, known := was[leaf]
			if !known || hash != m.script {
				found, _ = s.Edited(leaf)
			}
			m.of[leaf] = found
		}
		return m
	}
}

// Take takes what was found, unless somebody else asked, or it was asked anew.
func (e *Edits) Take(m EditsFound) {
	if m.asked == e && m.gen == e.gen {
		e.script, e.of = m.script, m.of
	}
}

// Of gives what was found of a path; nil = its prompts are as they were.
func (e *Edits) Of(leaf story.ID) *story.Edited { return e.of[leaf] }

// Any reports whether an edit changed the prompts of any path.
func (e *Edits) Any() bool {
	for _, found := range e.of {
		if found != nil {
			return true
		}
	}
	return false
}

// EditSign marks a path whose prompts an edit changed.
const EditSign = "~"

// EditWords says what the sign means for a path; for nil, what it means.
func (e *Env) EditWords(x *story.Edited) string {
	words := e.Text.Edits.Legend
	if x != nil {
		words = e.Text.Edited(x.N, string(x.Kind), x.Source)
	}
	return EditSign + " " + words
}
