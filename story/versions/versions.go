// Package versions lists the wordings of a persona that stored replies were made
// with. The files of the past are gone; what of them reached a model is in the
// prompts, so that this is what can be shown and compared.
//
// Non-goals: files as they were; versions that nobody ever talked with.
package versions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"fabula/engine"
	"fabula/story"
	"fabula/story/prompt"
)

// Version is one wording of a persona.
type Version struct {
	story.Version
	Replies     int // made with it
	First, Last time.Time
	texts       map[string][]story.SegmentRef // by language: what of it was fixed in the prompt
}

// Languages lists the languages in which its text is known, sorted.
func (v *Version) Languages() []string {
	var out []string
	for l := range v.texts {
		out = append(out, l)
	}
	slices.Sort(out)
	return out
}

// Text reads what the persona brought into its prompts in a language: persona
// and samples, one after the other. "" where nobody talked with it in that one.
func (v *Version) Text(r story.Reader, language string) (string, error) {
	var parts []string
	for _, ref := range v.texts[language] {
		text, err := r.Blob(ref.Blob)
		if err != nil {
			return "", fmt.Errorf("version %d of a persona: %w", v.Ordinal, err)
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, "\n\n"), nil
}

// Fixed tells which segments of a prompt are the persona's own fixed part.
func Fixed(k prompt.Kind, role engine.Role) bool {
	return role == engine.System && (k == prompt.Persona || k == prompt.Sample)
}

// Read walks a store once and lists the versions of every persona, the newest
// first.
func Read(r story.Reader) (map[string][]Version, error) {
	found := map[string]map[string]*Version{}
	speaks := map[story.ID]string{}
	err := r.Walk(func(t story.Turn, alts []story.Alternative) error {
		for _, a := range alts {
			if a.Reply == nil || a.Reply.Persona.Hash == "" || a.Speaker == "" {
				continue
			}
			lang, known := speaks[t.Playthrough]
			if !known {
				p, err := r.Playthrough(t.Playthrough)
				if err != nil {
					return err
				}
				lang = p.Language
				speaks[t.Playthrough] = lang
			}
			if found[a.Speaker] == nil {
				found[a.Speaker] = map[string]*Version{}
			}
			note(found[a.Speaker], a, lang)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("versions of personas: %w", err)
	}
	out := map[string][]Version{}
	for id, all := range found {
		for _, v := range all {
			out[id] = append(out[id], *v)
		}
		slices.SortFunc(out[id], func(a, b Version) int { return cmp.Compare(b.Ordinal, a.Ordinal) })
	}
	return out, nil
}

// note counts a reply. The text of the last one in a language stands for its
// version there: an engine with a small window may have left samples out before.
func note(all map[string]*Version, a story.Alternative, lang string) {
	v := all[a.Reply.Persona.Hash]
	if v == nil {
		v = &Version{Version: a.Reply.Persona, First: a.Made, texts: map[string][]story.SegmentRef{}}
		all[a.Reply.Persona.Hash] = v
	}
	v.Replies++
	if a.Made.Before(v.First) {
		v.First = a.Made
	}
	if a.Made.After(v.Last) {
		v.Last = a.Made
	}
	var refs []story.SegmentRef
	for _, s := range a.Reply.Segments {
		if Fixed(s.Kind, s.Role) {
			refs = append(refs, s)
		}
	}
	if len(refs) >= len(v.texts[lang]) && len(refs) > 0 {
		v.texts[lang] = refs
	}
}
