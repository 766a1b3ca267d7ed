package vote

import (
	"slices"

	"fabula/engine"
	"fabula/story"
	"fabula/story/compare"
	"fabula/story/lab/sets"
)

// Naming gives the name to be shown for a speaker: a persona's id or
// compare.Player.
type Naming func(by string) string

// shown is how many utterances before a scene are shown with it.
const shown = 4

// Told gives what was said in some steps.
func Told(steps []story.Step, name Naming) []Line {
	var out []Line
	for _, s := range steps {
		for _, l := range compare.Said(s) {
			by := l.By
			if by != "" {
				by = name(by)
			}
			out = append(out, Line{by, l.Text})
		}
	}
	return out
}

func last(l []Line) []Line { return l[max(len(l)-shown, 0):] }

// Endings makes one scene of branches, one a candidate: what follows the steps in
// which all say the same, at most turns of it, and the last lines before. A side
// ends before a reply that broke off, which would tell the voter which it is. left
// is the most turns of a side that are not shown.
func Endings(scene string, paths [][]story.Step, turns int, name Naming) (s Scene, left int) {
	n := 0
	for alike(paths, n) {
		n++
	}
	s = Scene{Name: scene, Before: last(Told(paths[0][:n], name))}
	for _, p := range paths {
		tail := unbroken(p[n:])
		tail = tail[:min(turns, len(tail))]
		left = max(left, len(p)-n-len(tail))
		s.Said = append(s.Said, Told(tail, name))
	}
	return s, left
}

// unbroken gives the steps before the first whose reply did not come to its end.
func unbroken(steps []story.Step) []story.Step {
	i := slices.IndexFunc(steps, func(s story.Step) bool {
		r := s.Alternative.Reply
		return r != nil && (r.Reason == engine.Cancelled || r.Reason == engine.Interrupted || r.Reason == engine.Fault)
	})
	if i < 0 {
		return steps
	}
	return steps[:i]
}

// alike reports whether all paths have a step n, and say the same in it.
func alike(paths [][]story.Step, n int) bool {
	return !slices.ContainsFunc(paths, func(p []story.Step) bool {
		return n >= len(p) || !slices.Equal(compare.Said(p[n]), compare.Said(paths[0][n]))
	})
}

// Retold makes scenes of one path whose replies were given by several
// candidates, everything else being as recorded: some turns a scene. replies are
// by candidate, then alternative; a scene in which one candidate lacks a reply is
// left out.
func Retold(scene func(depth int) string, path []story.Step, replies []map[story.ID]string, turns int, name Naming) []Scene {
	var out []Scene
	var part []story.Step
	from := 0
	flush := func() {
		if len(part) > 0 {
			s := Scene{Name: scene(part[0].Turn.Depth), Before: last(Told(path[:from], name))}
			for _, of := range replies {
				s.Said = append(s.Said, Told(given(part, of), name))
			}
			out = append(out, s)
		}
		part = nil
	}
	for i, step := range path {
		has := !slices.ContainsFunc(replies, func(of map[story.ID]string) bool { return of[step.Alternative.ID] == "" })
		if !has || len(part) == turns {
			flush()
		}
		if has {
			if len(part) == 0 {
				from = i
			}
			part = append(part, step)
		}
	}
	flush()
	return out
}

// given puts replies in the place of those recorded.
func given(steps []story.Step, replies map[story.ID]string) []story.Step {
	out := slices.Clone(steps)
	for i := range out {
		out[i].Alternative.Text = replies[out[i].Alternative.ID]
	}
	return out
}

// Answered makes scenes of sets of replies to the same samples, one set a
// candidate: samples that one of them lacks are left out.
func Answered(all [][]sets.Sample, name Naming) []Scene {
	var out []Scene
	for _, s := range all[0] {
		scene := Scene{Name: s.ID, Before: last(asked(s, name))}
		for _, of := range all {
			i := slices.IndexFunc(of, func(o sets.Sample) bool { return o.ID == s.ID })
			if i < 0 {
				break
			}
			scene.Said = append(scene.Said, []Line{{name(s.Persona), of[i].Reply}})
		}
		if len(scene.Said) == len(all) {
			out = append(out, scene)
		}
	}
	return out
}

// asked is the talk of a prompt: what a system message says is no part of it.
func asked(s sets.Sample, name Naming) []Line {
	var out []Line
	for _, m := range s.Messages {
		by := name(compare.Player)
		switch m.Role {
		case engine.System:
			continue
		case engine.Assistant:
			by = name(s.Persona)
		}
		for _, p := range m.Parts {
			out = append(out, Line{by, p})
		}
	}
	return out
}
