package story

import (
	"slices"
	"strings"
	"sync"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story/prompt"
)

// approvals holds the replies of the tree that a person approved: starred ones, and
// those that a person wrote. They may be said again. The tree is walked once,
// when the first line is to be recalled; later marks and edits are noted.
type approvals struct {
	mu     sync.Mutex
	walked bool
	kept   []prompt.Kept // in the order of ids, so by age
	lang   map[ID]string // of playthroughs
}

// kept gives the approved replies of the tree. The slice is shared.
func (s *Session) kept() []prompt.Kept {
	if s.reader == nil {
		return nil
	}
	s.approved.mu.Lock()
	defer s.approved.mu.Unlock()
	if s.approved.walked {
		return s.approved.kept
	}
	s.approved.walked = true
	err := s.reader.Walk(func(t Turn, list []Alternative) error {
		for _, a := range list {
			if approved(a) {
				s.approved.kept = append(s.approved.kept, s.keep(t, a))
			}
		}
		return nil
	})
	if err != nil {
		s.log.Warn("approved replies are not recalled", "error", err)
	}
	slices.SortFunc(s.approved.kept, func(a, b prompt.Kept) int { return strings.Compare(a.ID, b.ID) })
	return s.approved.kept
}

// approve notes what became of a reply: marked, unmarked, or written. Readers
// hold the list as it was.
func (s *Session) approve(t Turn, a Alternative) {
	s.approved.mu.Lock()
	defer s.approved.mu.Unlock()
	if !s.approved.walked { // the walk will find it
		return
	}
	at, found := slices.BinarySearchFunc(s.approved.kept, string(a.ID), func(k prompt.Kept, id string) int { return strings.Compare(k.ID, id) })
	list := slices.Clone(s.approved.kept)
	if found {
		list = slices.Delete(list, at, at+1)
	}
	if approved(a) {
		list = slices.Insert(list, at, s.keep(t, a))
	}
	s.approved.kept = list
}

// keep is an approved reply as it may be said again. It runs with approved.mu held.
func (s *Session) keep(t Turn, a Alternative) prompt.Kept {
	lang := s.speaks(t.Playthrough)
	if p := s.Script().Persona(a.Speaker); p != nil {
		lang = p.Language(lang)
	}
	return prompt.Kept{ID: string(a.ID), By: a.Speaker, Language: lang, Cue: t.Input.Text, Text: a.Text, State: t.Before}
}

// speaks is the language of a playthrough.
func (s *Session) speaks(playthrough ID) string {
	if s.approved.lang == nil {
		s.approved.lang = map[ID]string{}
	}
	lang, known := s.approved.lang[playthrough]
	if !known {
		p, err := s.reader.Playthrough(playthrough)
		if err != nil {
			s.log.Warn("language of a playthrough", "playthrough", playthrough, "error", err)
		}
		lang = p.Language
		s.approved.lang[playthrough] = lang
	}
	return lang
}

// approved reports whether a person stands behind a reply: by hand or by mark.
// A marked reply with an error found in it is a bookmark, and one that was
// recalled is an authored line already.
func approved(a Alternative) bool {
	if a.Speaker == "" || a.Text == "" || a.Status != Finished {
		return false
	}
	if a.Human {
		return true
	}
	recalled := a.Reply != nil && (a.Reply.Engine.Kind == engine.Recall || a.Reply.Step == engine.StepGrounded)
	faulty := slices.ContainsFunc(a.Findings, func(f lint.Finding) bool { return f.Level == lint.Error })
	return a.Mark && !recalled && !faulty
}
