package story

import (
	"errors"
	"slices"
	"strings"
	"sync"

	"fabula/story/prompt"
)

// Edited is the first reply of a path whose prompt an edit of the world changed,
// and a part of it that did. What a window cuts and what is recalled does not
// count: that moves with engines and pins, not with what authors write.
type Edited struct {
	Alternative ID          `json:"alternative"`
	N           int         `json:"n"` // of the turn
	Speaker     string      `json:"speaker"`
	Kind        prompt.Kind `json:"kind"`   // of the part; empty: the NPC or the node is no more
	Source      string      `json:"source"` // of the part, the NPC or the node
}

// editedSteps is how many turns above a reply are looked at beside those that
// lore looks back: anchors hear the last ones, of which the NPC may miss some.
const editedSteps = 8

// edits keeps what was found of alternatives, for one state of the world.
type edits struct {
	mu     sync.Mutex
	script string // hash
	of     map[ID]*Edited
	texts  map[string]string // of prompts, by hash
}

// Edited tells whether the prompts of a path are other ones now than when its
// replies were made, because the world's files were edited; nil = no. It asks no
// engine. Replays of such paths are where to look (ReplayOptions.OnlyChanged).
func (s *Session) Edited(leaf ID) (*Edited, error) {
	if s.reader == nil {
		return nil, ErrReadOnly
	}
	path, err := s.reader.Path(leaf)
	if err != nil {
		return nil, err
	}
	script := s.Script()
	s.edits.mu.Lock()
	defer s.edits.mu.Unlock()
	if s.edits.of == nil || s.edits.script != script.Hash {
		s.edits.script, s.edits.of, s.edits.texts = script.Hash, map[ID]*Edited{}, map[string]string{}
	}
	above := editedSteps
	for _, l := range script.Lore {
		above = max(above, editedSteps+l.Depth)
	}
	for i, step := range path {
		r := step.Alternative.Reply
		if r == nil || r.Script == script.Hash || step.Alternative.Human || len(r.Segments) == 0 {
			continue
		}
		e, known := s.edits.of[step.Alternative.ID]
		if !known {
			if e, err = s.edited(path[max(0, i-above):i], step); err != nil {
				return nil, err
			}
			s.edits.of[step.Alternative.ID] = e
		}
		if e != nil {
			return e, nil
		}
	}
	return nil, nil
}

// edited holds the recorded prompt of a reply against what authors now write
// into it.
func (s *Session) edited(above []Step, step Step) (*Edited, error) {
	e := &Edited{Alternative: step.Alternative.ID, N: step.Turn.Depth, Speaker: step.Alternative.Speaker}
	p, asked, err := s.replan(above, step)
	var gone *VanishedError
	var cast *CastError
	switch {
	case errors.As(err, &gone):
		e.Source = gone.Node
		return e, nil
	case errors.As(err, &cast):
		e.Source = cast.Asked
		return e, nil
	case err != nil:
		return nil, err
	}
	made, err := prompt.Assemble(prompt.Input{Script: p.script, State: p.turn.Before, Speaker: asked.persona, Language: asked.lang,
		History: asked.history, Line: p.turn.Input.Text, Opening: spoken(p.lines), Without: asked.without})
	if err != nil {
		return nil, err
	}
	r := step.Alternative.Reply
	was, err := s.authored(r)
	if err != nil {
		return nil, err
	}
	is := map[part][]string{}
	for _, seg := range made.Segments {
		if k := (part{seg.Kind, seg.Source}); k.authored() {
			is[k] = append(is[k], strings.TrimSpace(seg.Text))
		}
	}
	var k part
	var differs bool
	if k, differs = unlike(was, is, made.Dropped); !differs {
		k, differs = unlike(is, was, r.Dropped)
	}
	if !differs {
		return nil, nil
	}
	e.Kind, e.Source = k.kind, k.source
	return e, nil
}

// part is where a segment of a prompt comes from.
type part struct {
	kind   prompt.Kind
	source string
}

// authored reports whether a part holds what authors write: not the talk, nor
// what is recalled or summed up of it.
func (k part) authored() bool {
	switch k.kind {
	case prompt.History, prompt.Line, prompt.Summary:
		return false
	case prompt.Memory:
		return len(k.source) != idLength
	}
	return true
}

// authored gives the texts of a recorded prompt that authors wrote, by part.
func (s *Session) authored(r *Reply) (map[part][]string, error) {
	out := map[part][]string{}
	for _, seg := range r.Segments {
		k := part{seg.Kind, seg.Source}
		if !k.authored() {
			continue
		}
		text, ok := s.edits.texts[seg.Blob]
		if !ok {
			var err error
			if text, err = s.reader.Blob(seg.Blob); err != nil {
				return nil, err
			}
			text = strings.TrimSpace(text)
			s.edits.texts[seg.Blob] = text
		}
		out[k] = append(out[k], text)
	}
	return out, nil
}

// unlike finds a part of one prompt that another lacks or words otherwise, in
// the order of a prompt. What the other had no room for is not missing.
func unlike(one, other map[part][]string, dropped []prompt.Dropped) (part, bool) {
	var keys []part
	for k := range one {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(x, y part) int { return strings.Compare(string(x.kind)+x.source, string(y.kind)+y.source) })
	for _, k := range keys {
		texts, there := other[k]
		if !there && left(k, dropped) {
			continue
		}
		for _, text := range one[k] {
			if !slices.ContainsFunc(texts, func(t string) bool { return sameText(t, text) }) {
				return k, true
			}
		}
	}
	return part{}, false
}

// left reports whether a part may be among those that a prompt had no room for:
// samples are listed together.
func left(k part, dropped []prompt.Dropped) bool {
	list, _, _ := strings.Cut(k.source, ".sample.")
	return slices.ContainsFunc(dropped, func(d prompt.Dropped) bool {
		return d.What == k.source || k.kind == prompt.Sample && strings.HasPrefix(d.What, list+".sample.")
	})
}

// sameText compares without the heading that the first of several has.
func sameText(a, b string) bool {
	return a == b || strings.HasSuffix(a, "\n"+b) || strings.HasSuffix(b, "\n"+a)
}
