package sets

import (
	"fmt"
	"slices"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Played makes a sample of every finished reply of a store, with the prompt as
// it was sent: of all alternatives, also on branches that were left. What was
// played outside the plot, what a rule or a fault ended, and what nobody of the
// world says is left out. In the order of the store, parents first. Each is
// judged by the rules about voice as the world now is.
func Played(r story.Reader, script *plot.Script, o Options) ([]Sample, error) {
	p := player{r: r, script: script, o: o, speaks: map[story.ID]string{}}
	branches, err := r.Branches()
	if err != nil {
		return nil, fmt.Errorf("samples of what was played: %w", err)
	}
	for _, b := range branches {
		if slices.Contains(b.Tags, story.SimulatedTag) {
			p.simulated = append(p.simulated, b.ID)
		}
		if slices.Contains(b.Tags, story.SandboxTag) {
			p.outside = append(p.outside, b.ID)
		}
	}
	if err := r.Walk(p.turn); err != nil {
		return nil, fmt.Errorf("samples of what was played: %w", err)
	}
	return p.out, nil
}

type player struct {
	r      story.Reader
	script *plot.Script
	o      Options
	speaks map[story.ID]string // language of playthroughs

	simulated, outside []story.ID // branches
	out                []Sample
}

func (p *player) turn(t story.Turn, alternatives []story.Alternative) error {
	if t.Input.Sandbox || slices.Contains(p.outside, t.Branch) {
		return nil
	}
	lang, ok := p.speaks[t.Playthrough]
	if !ok {
		through, err := p.r.Playthrough(t.Playthrough)
		if err != nil {
			return err
		}
		lang = through.Language
		p.speaks[t.Playthrough] = lang
	}
	for _, a := range alternatives {
		if err := p.reply(t, a, lang); err != nil {
			return err
		}
	}
	return nil
}

func (p *player) reply(t story.Turn, a story.Alternative, lang string) error {
	persona := p.script.Persona(a.Speaker)
	if persona == nil || a.Reply == nil || a.Text == "" || a.Status != story.Finished || a.Reply.Blocked != "" || a.Reply.Fault != "" {
		return nil
	}
	spoken := persona.Language(lang)
	if !wanted(p.o.Personas, persona.ID) || !wanted(p.o.Languages, spoken) {
		return nil
	}
	s := Sample{ID: string(a.ID), Persona: persona.ID, Node: t.Before.Node, Depth: t.Depth, Language: spoken, Source: FromBranch,
		Reply: a.Text, Edited: a.Human, Marked: a.Mark}
	if slices.Contains(p.simulated, t.Branch) {
		s.Source = FromPlaytest
	}
	var segments []prompt.Segment
	for _, ref := range a.Reply.Segments {
		text, err := p.r.Blob(ref.Blob)
		if err != nil {
			return err
		}
		segments = append(segments, prompt.Segment{Kind: ref.Kind, Source: ref.Source, Role: ref.Role, Text: text})
	}
	s.Messages = prompt.Messages(segments)
	if len(s.Messages) == 0 {
		return nil // an engine that reads no prompt
	}
	for _, f := range story.Findings(p.script, story.Judged(p.script, persona, t.Before, spoken, a.Text), lint.Reply) {
		if !slices.Contains(s.Findings, f.Code) {
			s.Findings = append(s.Findings, f.Code)
		}
	}
	p.out = append(p.out, s)
	return nil
}

// wanted reports whether a list names one; an empty list names all.
func wanted(list []string, one string) bool { return len(list) == 0 || slices.Contains(list, one) }
