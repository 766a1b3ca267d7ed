package flow

import (
	"slices"
	"strings"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// recorded is a recorded turn with one of its alternatives, and what follows.
type recorded struct {
	step     story.Step
	before   plot.State // of the turn
	where    string     // "hall-1@3"
	children []*recorded
	scene    string
	lines    []string // as a reader shows them
}

// branches makes the scenes of the recorded branches of this language, and says
// how to play each.
func (b *builder) branches() []Path {
	if b.in.ApprovedOnly {
		return nil
	}
	seen := map[story.ID]*recorded{}
	var order []*recorded
	var paths []Path
	for _, branch := range b.in.Branches {
		if !b.mine(branch) || len(branch.Steps) == 0 {
			continue
		}
		var parent *recorded
		for _, step := range branch.Steps {
			r := seen[step.Alternative.ID]
			if r == nil {
				r = &recorded{step: step, where: branch.At(step.Turn)}
				seen[step.Alternative.ID], order = r, append(order, r)
				r.scene = b.names.of("turn", string(step.Alternative.ID), "t_"+strings.ToLower(string(step.Alternative.ID)))
				if parent != nil {
					r.before = parent.step.Alternative.State
					parent.children = append(parent.children, r)
				}
			}
			parent = r
		}
	}
	for _, r := range order {
		b.turn(r)
	}
	for _, branch := range b.in.Branches {
		if b.mine(branch) && len(branch.Steps) > 0 {
			paths = append(paths, b.path(branch, seen))
		}
	}
	return paths
}

// mine reports whether a branch belongs into this language's file; one in a
// language that the world does not have goes into the first.
func (b *builder) mine(branch export.Branch) bool {
	all := Languages(b.script)
	return branch.Language == b.lang || b.lang == all[0] && !slices.Contains(all, branch.Language)
}

// turn makes the scene of a recorded turn: what the player said, authored lines,
// the reply, and the lines after it.
func (b *builder) turn(r *recorded) {
	t, a := r.step.Turn, r.step.Alternative
	s := Scene{ID: r.scene, About: r.where, Tags: []Tag{tag("node", a.State.Node)}, Played: true, X: 7, Y: len(b.scenes)}
	if t.Input.Text != "" {
		s.Steps = b.quote(r, Say{ID: b.in.Numbers[export.Utterance{Turn: t.ID}], By: "player"}, t.Input.Text)
	}
	s.Steps = append(s.Steps, b.played(r, a.Lines)...)
	if a.Text != "" {
		reply := Say{ID: b.in.Numbers[export.Utterance{Turn: t.ID, Alternative: a.ID}], By: a.Speaker, Cues: a.Cues}
		s.Steps = append(s.Steps, b.quote(r, reply, a.Text)...)
	}
	s.Steps = append(s.Steps, b.played(r, a.After)...)
	for _, step := range s.Steps {
		r.lines = append(r.lines, Shown(step.Say.Name, step.Say.Text))
	}
	if r.goesOn() {
		s.Next = []Way{{To: r.children[0].scene}}
	} else {
		for _, c := range r.children {
			s.Choices = append(s.Choices, b.act(c))
		}
	}
	b.scenes = append(b.scenes, s)
}

// goesOn reports that the story goes on by itself: nothing was said or chosen.
func (r *recorded) goesOn() bool {
	return len(r.children) == 1 && r.children[0].step.Turn.Input.Text == "" &&
		r.children[0].step.Turn.Input.Choose == "" && r.children[0].step.Turn.Input.Jump == ""
}

// quote is a recorded text as it stands: braces in it are no variables.
func (b *builder) quote(r *recorded, s Say, text string) []Step {
	s.Name, s.Where = b.name(s.By), r.where
	return b.say(s, []plot.Part{{Text: text}})
}

func (b *builder) played(r *recorded, lines []plot.Played) []Step {
	var out []Step
	for _, l := range lines {
		out = append(out, b.quote(r, Say{Of: l.ID, By: l.By, Cues: l.Cues}, l.Text)...)
	}
	return out
}

// act is the choice that leads to a recorded turn: what the player said, or the
// exit that was chosen.
func (b *builder) act(r *recorded) Choice {
	in := r.step.Turn.Input
	c := Choice{ID: b.in.Numbers[export.Utterance{Turn: r.step.Turn.ID}], To: r.scene, Where: r.where}
	label := in.Text
	switch {
	case label != "":
	case in.Jump != "":
		label = "→ " + in.Jump
	case in.Choose != "":
		c.ID = r.before.Node + "." + in.Choose
		label = in.Choose
		if e := b.script.Exit(c.ID); e != nil {
			label = b.script.Label(e, r.before, b.lang)
		}
	}
	var err error
	c.Text, err = joined([]plot.Part{{Text: label}}, r.where)
	b.fail(err)
	return c
}

// path is how a branch is played from its entry.
func (b *builder) path(branch export.Branch, seen map[story.ID]*recorded) Path {
	entry := b.names.of("branch", string(branch.ID), "branch_"+branch.Name)
	p := Path{Branch: branch.Name, Start: entry, Choices: []int{}, Lines: []string{}}
	var last *recorded
	for _, step := range branch.Steps {
		r := seen[step.Alternative.ID]
		if last != nil && !last.goesOn() {
			p.Options = append(p.Options, len(p.Lines))
			p.Choices = append(p.Choices, slices.Index(last.children, r))
		}
		p.Lines = append(p.Lines, r.lines...)
		last = r
	}
	b.scenes = append(b.scenes, Scene{ID: entry, About: "branch " + branch.Name, Played: true, X: 6, Y: len(b.scenes),
		Next: []Way{{To: seen[branch.Steps[0].Alternative.ID].scene}}})
	return p
}
