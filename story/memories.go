package story

import (
	"fmt"
	"slices"

	"fabula/personas"
	"fabula/story/memory"
	"fabula/story/plot"
)

// Fact is a fact of a path with who knows of it.
type Fact struct {
	memory.Fact
	Witnesses []string `json:"witnesses"`      // personas that were there, in script order
	Told      []string `json:"told,omitempty"` // that learned of it without being there
}

// Memories is what a branch holds for its NPCs to remember.
type Memories struct {
	Language string // in which facts are worded
	Facts    []Fact // in order of time
	// Of one NPC only: what a text calls to its mind, best first, the summaries
	// of segments that are complete, and the turn before which it knows only what
	// it recalls (empty: none yet).
	Recalled []memory.Recollection
	Past     []Digest
	Horizon  ID
}

// Digest is a segment of a path as it is summed up, with what that leaves out.
type Digest struct {
	memory.Summary
	First int           `json:"first"` // depth of its first and last turn
	Last  int           `json:"last"`
	Lost  []memory.Loss `json:"lost"`
}

// Memories lists the facts of the path to an alternative; with npc those that it
// witnessed or was told of, and what a text calls to its mind. Errors: a
// *CastError for an NPC that the world does not have.
func (s *Session) Memories(leaf ID, npc, text string) (Memories, error) {
	if s.reader == nil {
		return Memories{}, fmt.Errorf("memories: %w", ErrNotFound)
	}
	path, err := s.reader.Path(leaf)
	if err != nil {
		return Memories{}, err
	}
	last := path[len(path)-1]
	through, err := s.reader.Playthrough(last.Turn.Playthrough)
	if err != nil {
		return Memories{}, err
	}
	script := s.Script()
	out := Memories{Language: through.Language}
	if npc == "" {
		out.Facts = s.records(script, path, through.Language)
		return out, nil
	}
	persona := script.Persona(npc)
	if persona == nil {
		return out, &CastError{Asked: npc, There: ids(script.Cast(last.Alternative.State))}
	}
	out.Language = persona.Language(through.Language)
	known := func(f Fact) bool {
		return slices.Contains(f.Witnesses, persona.ID) || slices.Contains(f.Told, persona.ID)
	}
	out.Facts = slices.DeleteFunc(s.records(script, path, out.Language), func(f Fact) bool { return !known(f) })
	s.recalled(&out, script, persona, path, text)
	return out, nil
}

// recalled adds what an NPC makes of its past.
func (s *Session) recalled(out *Memories, script *plot.Script, persona *personas.Persona, path []Step, text string) {
	a := asking{persona: persona, lang: out.Language}
	a.moments = moments(script, path, persona.ID)
	mine := s.facts(script, &a)
	byID := map[string]string{} // as the NPC heard it
	x := memory.NewIndex()
	for _, f := range mine {
		byID[f.ID] = f.Text
		x.Add(f)
	}
	for i, f := range out.Facts {
		if heard, ok := byID[f.ID]; ok {
			out.Facts[i].Text = heard
		}
	}
	locked := lockedWatch(script, persona, path[len(path)-1].Alternative.State)
	for _, r := range x.Search(text, x.Len(), mostRecalled) {
		if !a.betrays(locked, r.Turn) {
			out.Recalled = append(out.Recalled, r)
		}
	}
	names := namesIn(script, out.Language)
	for _, seg := range memory.Divide(lived(script, &a), out.Language) {
		if seg.Closed {
			sum := s.summary(seg, names, nil).Summary
			out.Past = append(out.Past, Digest{sum, seg.Turns[0].Depth, seg.Turns[len(seg.Turns)-1].Depth, memory.Lost(seg.Turns, sum.Points, names)})
		}
	}
	for _, step := range path {
		if step.Alternative.Speaker == persona.ID {
			if h := step.Alternative.Reply.Horizon(); h != "" {
				out.Horizon = h
			}
		}
	}
}

// records lists all facts of a path, in order of time: the talk, then what
// happened in it.
func (s *Session) records(script *plot.Script, path []Step, lang string) []Fact {
	pins := s.pins()
	st := path[len(path)-1].Alternative.State
	var out []Fact
	before := plot.State{}
	for i := range path {
		w := witnesses(script, &path[i], before)
		before = path[i].Alternative.State
		for _, f := range stepFacts(script, &path[i], lang) {
			f.Pinned = pins[f.ID]
			rec := Fact{f.Fact, w.of(f.side), learned(script, st, f.about)}
			rec.keep(script.Beat(f.about))
			out = append(out, rec)
		}
	}
	return out
}

// keep adds those who remember a beat because its author says so.
func (f *Fact) keep(b *plot.Beat) {
	if b == nil || b.Remember == nil || f.Kind != memory.Beat {
		return
	}
	for _, id := range b.Remember.By {
		if !slices.Contains(f.Witnesses, id) && !slices.Contains(f.Told, id) {
			f.Told = append(f.Told, id)
		}
	}
}

// attendance lists who was there before, during and after a turn.
type attendance struct{ before, during, after []string }

// witnesses gives who was there for a turn.
func witnesses(script *plot.Script, step *Step, before plot.State) attendance {
	during := ids(script.Cast(step.Turn.Before))
	for _, id := range []string{step.Turn.Speaker, step.Turn.Input.To} {
		if id != "" && !slices.Contains(during, id) {
			during = append(during, id)
		}
	}
	return attendance{ids(script.Cast(before)), during, ids(script.Cast(step.Alternative.State))}
}

// side says which of a turn's witnesses saw something.
type side int

const (
	playerSide side = iota // those before a move and after it
	choiceSide             // those before a move
	replySide              // those that the turn ended with
	wholeTurn              // anybody who was there for a part
)

func (w attendance) of(s side) []string {
	all := slices.Clone(w.during)
	switch s {
	case choiceSide:
		all = slices.Clone(w.before)
	case playerSide, wholeTurn:
		all = append(all, w.before...)
	}
	if s == wholeTurn {
		all = append(all, w.after...)
	}
	out := []string{}
	for _, id := range all {
		if !slices.Contains(out, id) {
			out = append(out, id)
		}
	}
	return out
}

// stepFact is a fact of one turn, who saw it, and what `tell` calls it.
type stepFact struct {
	memory.Fact
	side  side
	about string // "node.beat", "node.exit", "npc.secret"; empty for talk
}

// stepFacts lists what happened in a turn.
func stepFacts(script *plot.Script, step *Step, lang string) []stepFact {
	m := moment{step: step, before: true, during: true, after: true}
	m.lines = listen(*step, "", true, true, true)
	t, a := &step.Turn, &step.Alternative
	var out []stepFact
	add := func(f memory.Fact, s side, about string) {
		if f.Text != "" {
			out = append(out, stepFact{f, s, about})
		}
	}
	event := func(kind memory.Kind, what, who, text string, sure float64) memory.Fact {
		f := factOf(script, m, kind, "."+what)
		f.Who, f.Text, f.Confidence, f.Event = who, text, sure, true
		return f
	}
	add(saidIn(script, lang, m), wholeTurn, "")
	if t.Taken != nil {
		add(choiceIn(script, lang, m), choiceSide, t.Taken.Exit)
	}
	for _, f := range t.Fired {
		add(event(memory.Beat, f.Beat, f.By, beatWords(script, lang, f, t.Input.Text, t.Before), sureOf(f.Evidence)), playerSide, f.Beat)
	}
	for _, f := range a.Fired {
		add(event(memory.Beat, f.Beat, f.By, beatWords(script, lang, f, a.Text, a.State), sureOf(f.Evidence)), replySide, f.Beat)
	}
	for _, d := range a.Delivered {
		add(event(memory.Anchor, d.Anchor, d.By, anchorWords(script, lang, d, a), sureOf(d.Evidence)), replySide, d.Anchor)
	}
	for _, id := range toldIn(script, step) {
		add(event(memory.Secret, id, a.Speaker, nameIn(script, a.Speaker, lang)+colon(lang)+a.Text, 1), replySide, id)
	}
	return out
}

// beatWords is what is remembered of a beat, else the sentence on which it was
// noticed.
func beatWords(script *plot.Script, lang string, f plot.Fired, text string, st plot.State) string {
	if b := script.Beat(f.Beat); b != nil && b.Remember != nil {
		return script.Expand(b.Remember.Text.In(lang, script.Languages...), st, lang)
	}
	if words := noticed(script, lang, f.By, text, f.Evidence); words != "" {
		return words
	}
	return f.Beat
}

// anchorOf finds an anchor by "node.id"; nil if there is none.
func anchorOf(script *plot.Script, key string) *plot.Anchor {
	for _, n := range script.Nodes {
		for _, a := range n.Anchors {
			if n.ID+"."+a.ID == key {
				return a
			}
		}
	}
	return nil
}

// sureOf is how sure evidence is; what a person said, or the plot did, is certain.
func sureOf(e plot.Evidence) float64 {
	if e.Score <= 0 || e.Score > 1 {
		return 1
	}
	return e.Score
}

// toldIn lists the secrets that the reply of a turn told, "npc.secret".
func toldIn(script *plot.Script, step *Step) []string {
	p := script.Persona(step.Alternative.Speaker)
	if p == nil {
		return nil
	}
	var out []string
	for _, sec := range p.Secrets {
		if id := p.ID + "." + sec.ID; step.Alternative.State.Told[id] > step.Turn.Before.Told[id] {
			out = append(out, id)
		}
	}
	return out
}

// learned lists who was told of something.
func learned(script *plot.Script, st plot.State, about string) []string {
	var out []string
	for _, p := range script.Personas {
		if about != "" && st.Learned[p.ID+":"+about] > 0 {
			out = append(out, p.ID)
		}
	}
	return out
}

// Pin has a fact remembered by those who know of it whatever is spoken of, once
// it no longer fits as history; off takes that back. Errors: ErrNotFound for a
// fact that the branch does not have.
func (s *Session) Pin(branch ID, fact string, on bool) error {
	if s.store == nil {
		return fmt.Errorf("pin: %w", ErrReadOnly)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return err
	}
	all, err := s.Memories(b.Leaf, "", "")
	if err != nil {
		return err
	}
	if !slices.ContainsFunc(all.Facts, func(f Fact) bool { return f.ID == fact }) {
		return fmt.Errorf("pin: fact %q on branch %s: %w", fact, b.Name, ErrNotFound)
	}
	return s.store.PutPin(fact, on)
}
