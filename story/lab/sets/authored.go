package sets

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/personas"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Options say which samples are made.
type Options struct {
	Languages []string      // that NPCs speak; nil = all of the world
	Personas  []string      // ids; nil = all
	Budget    prompt.Budget // of the prompt; zero = a common window
	// Count measures prompts in an engine's tokens; nil = estimated.
	Count func([]engine.Message) (engine.Count, error)
}

// Authored makes a sample of every line that a persona can say: style samples,
// lines of a node at entering and after a beat, anchors, covers and greetings,
// each asked as in play, in a state in which it can be said, and without itself
// in the prompt. Lines that a state right after entering a node, or after one
// beat, never allows are left out. By persona, language and node.
func Authored(script *plot.Script, o Options) ([]Sample, error) {
	var out []Sample
	for _, p := range script.Personas {
		if !wanted(o.Personas, p.ID) {
			continue
		}
		for _, lang := range languages(script, p, o) {
			samples, err := authoredBy(script, p, lang, o)
			if err != nil {
				return nil, fmt.Errorf("samples of %s: %w", p.ID, err)
			}
			out = append(out, samples...)
		}
	}
	return out, nil
}

// languages are those of the wanted in which a persona speaks.
func languages(script *plot.Script, p *personas.Persona, o Options) []string {
	var out []string
	for _, lang := range script.Languages {
		speaks := p.Language(lang)
		if wanted(o.Languages, speaks) && !slices.Contains(out, speaks) {
			out = append(out, speaks)
		}
	}
	return out
}

// scene is a moment in which a persona can speak.
type scene struct {
	state   plot.State
	heard   []prompt.Spoken // since the node was entered
	cue     string          // what the player said to have a beat happen, empty without one
	present int             // place of the node in the plot
}

// spot is a line with one of the scenes in which it can be said.
type spot struct {
	line  engine.Candidate
	scene *scene
}

func authoredBy(script *plot.Script, p *personas.Persona, lang string, o Options) ([]Sample, error) {
	places := map[string][]spot{}
	var order []string
	for _, sc := range scenes(script, p, lang) {
		for _, c := range prompt.Candidates(prompt.Input{Script: script, State: sc.state, Speaker: p, Language: lang}) {
			if len(places[c.ID]) == 0 {
				order = append(order, c.ID)
			}
			places[c.ID] = append(places[c.ID], spot{c, sc})
		}
	}
	var spots []spot
	for _, id := range order {
		spots = append(spots, pick(id, places[id]))
	}
	slices.SortStableFunc(spots, func(a, b spot) int { return cmp.Compare(a.scene.present, b.scene.present) })
	var out []Sample
	for _, s := range spots {
		made, err := s.sample(script, p, lang, o)
		if err != nil {
			return nil, err
		}
		out = append(out, made)
	}
	return out, nil
}

// pick spreads lines that can be said in many scenes over them, by their id, so
// that an edit of one line moves no other. What can only be said after a beat is
// said after the first that allows it.
func pick(id string, all []spot) spot {
	plain := slices.DeleteFunc(slices.Clone(all), func(s spot) bool { return s.scene.cue != "" })
	if len(plain) == 0 {
		return all[0]
	}
	h := fnv.New32a()
	h.Write([]byte(id))
	return plain[int(h.Sum32()%uint32(len(plain)))]
}

// scenes are the states right after entering each node in which the persona is
// there, and after each of its beats.
func scenes(script *plot.Script, p *personas.Persona, lang string) []*scene {
	var out []*scene
	for i, n := range script.Nodes {
		st := script.Initial()
		lines, _ := script.Enter(&st, n.ID, lang)
		if !slices.ContainsFunc(script.Cast(st), func(m plot.Member) bool { return m.NPC == p.ID }) {
			continue
		}
		entered := &scene{state: st, present: i}
		for _, l := range lines {
			entered.heard = append(entered.heard, prompt.Spoken{By: l.By, Text: l.Text})
		}
		out = append(out, entered)
		for _, b := range n.Beats {
			if after, ok := afterBeat(script, entered, n, b, lang); ok {
				out = append(out, after)
			}
		}
	}
	return out
}

// afterBeat is the scene once the player has said an example of a beat.
func afterBeat(script *plot.Script, at *scene, n *plot.Node, b *plot.Beat, lang string) (*scene, bool) {
	if len(b.Fires) == 0 {
		return nil, false
	}
	id := n.ID + "." + b.ID
	after := &scene{state: at.state.Clone(), heard: at.heard, present: at.present}
	after.cue = script.Expand(b.Fires[0].In(lang, script.Languages...), after.state, lang)
	fired, _ := script.Hear(&after.state, plot.Hearing{By: "player", Text: after.cue, Lang: lang, Accept: []string{id}})
	return after, slices.ContainsFunc(fired, func(f plot.Fired) bool { return f.Beat == id })
}

// sample assembles the prompt to which a line is the reply.
func (s spot) sample(script *plot.Script, p *personas.Persona, lang string, o Options) (Sample, error) {
	kind := FromLine
	in := prompt.Input{Script: script, State: s.scene.state, Speaker: p, Language: lang, Line: s.line.Cue, Budget: o.Budget, Count: o.Count}
	switch {
	case strings.HasPrefix(s.line.ID, p.ID+".sample."):
		kind = FromSample
		in.Without = []prompt.Part{{Kind: prompt.Sample, Source: s.line.ID}}
	case s.scene.cue != "":
		in.Line = s.scene.cue
	case in.Line == s.line.Text:
		in.Line = "" // a cover carries itself as cue
	}
	if heard := before(s.scene.heard, s.line.Text); len(heard) > 0 {
		in.History = []prompt.Exchange{{Turn: "opening", Lines: heard}}
	}
	made, err := prompt.Assemble(in)
	if shown := telling(made, s.line.Text); err == nil && len(shown) > 0 { // the same words in another place
		in.Without = append(in.Without, shown...)
		made, err = prompt.Assemble(in)
	}
	if err != nil {
		return Sample{}, fmt.Errorf("%s: %w", s.line.ID, err)
	}
	node := s.scene.state.Node
	return Sample{ID: s.line.ID + "@" + node + "." + lang, Persona: p.ID, Node: node, Depth: len(in.History), Language: lang,
		Source: kind, Messages: made.Messages, Reply: s.line.Text}, nil
}

// before gives what was heard until a line was said.
func before(heard []prompt.Spoken, line string) []prompt.Spoken {
	for i, l := range heard {
		if l.Text == line {
			return heard[:i]
		}
	}
	return heard
}

// shortLine is the length in characters up to which it means nothing that a line
// occurs in another.
const shortLine = 12

// telling names the samples and covers of a prompt that hold a line.
func telling(made prompt.Prompt, line string) []prompt.Part {
	if len([]rune(line)) <= shortLine {
		return nil
	}
	var out []prompt.Part
	for _, seg := range made.Segments {
		if (seg.Kind == prompt.Sample || seg.Kind == prompt.Cover) && strings.Contains(seg.Text, line) {
			out = append(out, prompt.Part{Kind: seg.Kind, Source: seg.Source})
		}
	}
	return out
}
