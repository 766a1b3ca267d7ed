package flow

import (
	"fmt"
	"strings"
	"unicode"

	"fabula/personas"
	"fabula/story/plot"
)

// enter is the scene of entering a node, talk the one of what can be done there.
func (b *builder) enter(node string) string {
	if n := b.script.Node(node); n != nil {
		node = n.ID
	}
	return b.names.of("node", node, node)
}

func (b *builder) talk(node string) string { return b.names.of("talk", node, node+"_talk") }

// node makes the scenes of a node, in the order of FORMATS 2: enter(N), then
// what can be chosen, then what each choice does.
func (b *builder) node(n *plot.Node, at int) {
	about := "node " + n.ID
	if title := n.Title.In(b.lang, b.script.Languages...); title != "" {
		about += ": " + title
	}
	enter := Scene{ID: b.enter(n.ID), About: about, Tags: b.tags(n), X: at % 6, Y: at / 6 * 3, Next: []Way{{To: b.talk(n.ID)}}}
	if b.needed("turns") {
		enter.Steps = append(enter.Steps, Step{Set: &Set{b.turns("turns").Name, literal(plot.IntValue(0))}})
	}
	enter.Steps = append(enter.Steps, b.bump("visits "+n.ID, "visits_"+n.ID)...)
	enter.Steps = append(enter.Steps, b.effects(n.OnEnter, n.ID, nil)...)
	enter.Steps = append(enter.Steps, b.opening(n)...)
	talk := Scene{ID: b.talk(n.ID), About: "what can be done in " + n.ID, X: at % 6, Y: at/6*3 + 1}
	b.scenes = append(b.scenes, enter)
	place := len(b.scenes)
	b.scenes = append(b.scenes, talk)
	steps, choices := b.exits(n, at)
	choices = append(b.beats(n, at), choices...)
	b.scenes[place].Steps, b.scenes[place].Choices = steps, choices
}

func (b *builder) tags(n *plot.Node) []Tag {
	tags := []Tag{tag("node", n.ID)}
	if n.Ending != nil {
		tags = append(tags, tag("ending", n.Ending.Kind))
	}
	for _, t := range n.Scene {
		value, err := joined(b.parts(t.Value, b.lang), fmt.Sprintf("%s: scene %s", n.Pos, t.Key))
		b.fail(err)
		tags = append(tags, Tag{t.Key, value})
	}
	return tags
}

func tag(key, value string) Tag { return Tag{key, []plot.Part{{Text: value}}} }

// opening plays the lines at enter; where none is played, who is there greets.
func (b *builder) opening(n *plot.Node) []Step {
	steps, always := b.moment(n, "enter")
	var greetings []Step
	for _, m := range n.Cast {
		p := b.script.Persona(m.NPC)
		if p == nil || p.Greeting.Empty() {
			continue
		}
		greeted := b.flag("greeted", p.ID)
		say := Say{ID: p.ID + ".greeting", By: p.ID, Name: b.name(p.ID), Where: p.Greeting.Pos.String()}
		then := b.say(say, b.spoken(p.ID, p.Greeting))
		then = append(then, b.told(p.ID, p.Greeting.All())...)
		then = append(then, b.mark("greeted", p.ID)...)
		greetings = append(greetings, Step{If: both(b.cond(m.When, n.ID), not(greeted)), Then: then})
	}
	switch {
	case always || len(greetings) == 0:
		return steps
	case len(steps) == 0:
		return greetings
	}
	silent := b.ask(counter{"nobody spoke", plot.Bool}, "nobody_spoke")
	out := []Step{{Set: &Set{silent.Name, literal(plot.BoolValue(true))}}}
	for _, s := range steps {
		s.Then = append(s.Then, Step{Set: &Set{silent.Name, literal(plot.BoolValue(false))}})
		out = append(out, s)
	}
	return append(out, Step{If: silent, Then: greetings})
}

// moment plays the lines of n at a moment. always reports that one of them has
// no condition; each of the others is a step of its own with If.
func (b *builder) moment(n *plot.Node, moment string) (steps []Step, always bool) {
	for _, l := range n.Lines {
		if l.At != moment || b.in.ApprovedOnly && l.Status != "approved" {
			continue
		}
		id := plot.LineID(n.ID, l)
		said := b.say(Say{ID: id, By: l.By, Name: b.name(l.By), Cues: l.Cues, Where: fmt.Sprintf("%s: line %s", l.Pos, id)}, b.spoken(l.By, l.Text))
		said = append(said, b.told(l.By, l.Text.All())...)
		if when := b.cond(l.When, n.ID); when != nil {
			steps = append(steps, Step{If: when, Then: said})
		} else {
			steps, always = append(steps, said...), true
		}
	}
	return steps, always
}

// told notes the secrets that a text tells.
func (b *builder) told(by string, texts []string) []Step {
	var out []Step
	var st plot.State
	for _, text := range texts {
		for _, id := range b.script.ToldSecrets(&st, by, text) {
			if st.Told[id] == 1 {
				out = append(out, b.mark("told", id)...)
			}
		}
	}
	return out
}

// effects assigns in order, each seeing the last; integers stop at the ends of
// their domain. to renames the variables that are assigned and read.
func (b *builder) effects(list []plot.Effect, node string, to map[string]string) []Step {
	var out []Step
	for _, e := range list {
		var steps []Step
		for _, a := range b.script.Assignments(e) {
			steps = append(steps, b.assign(a, node, to)...)
		}
		if when := renamed(b.cond(e.When, node), to); when != nil {
			steps = []Step{{If: when, Then: steps}}
		}
		out = append(out, steps...)
	}
	return out
}

func (b *builder) assign(a plot.Assign, node string, to map[string]string) []Step {
	v := b.script.Var(a.Var)
	left := renamed(variable(b.variable(v.ID), v.Kind), to)
	value := renamed(b.lower(a.Value, node), to)
	switch a.Op {
	case "+=":
		value = binary(plot.OpAdd, left, value)
	case "-=":
		value = binary(plot.OpSub, left, value)
	}
	out := []Step{{Set: &Set{left.Name, value}}}
	if v.Kind != plot.Int || value.Op == plot.OpLit && value.Value.Int >= v.Min && value.Value.Int <= v.Max {
		return out
	}
	for _, end := range []struct {
		beyond plot.Op
		at     int
		never  bool
	}{{plot.OpGt, v.Max, grows(a, "-=")}, {plot.OpLt, v.Min, grows(a, "+=")}} {
		if end.never {
			continue
		}
		limit := literal(plot.IntValue(end.at))
		out = append(out, Step{If: binary(end.beyond, left, limit), Then: []Step{{Set: &Set{left.Name, limit}}}})
	}
	return out
}

// grows reports that an assignment by op moves a value away from one end only.
func grows(a plot.Assign, op string) bool {
	return a.Op == op && a.Value.Op == plot.OpLit && a.Value.Value.Int >= 0
}

// exits gives the choices of a node, and the steps that find out which are open
// where a condition cannot say it.
func (b *builder) exits(n *plot.Node, at int) (steps []Step, choices []Choice) {
	open := map[string]*plot.Expr{}
	var others []*plot.Expr
	for _, e := range n.Exits {
		look, when := b.passable(n, e)
		steps = append(steps, look...)
		open[e.ID] = when
		if !e.Otherwise {
			others = append(others, when)
		}
	}
	for _, e := range n.Exits {
		when := open[e.ID]
		if e.Otherwise && len(others) > 0 {
			if rest := either(others); rest == nil {
				continue // another is always open
			} else {
				when = both(when, not(rest))
			}
		}
		if e.Auto {
			continue // after a beat
		}
		where := fmt.Sprintf("%s: exit %s.%s", e.Pos, n.ID, e.ID)
		label, err := joined(b.label(e), where)
		b.fail(err)
		choices = append(choices, Choice{ID: n.ID + "." + e.ID, Text: label, When: when, To: b.exit(n, e, at, len(choices)), Where: where})
	}
	return steps, choices
}

// label is what a choice is called: its own text, the target's title, its id.
func (b *builder) label(e *plot.Exit) []plot.Part {
	text := e.Choice
	if target := b.script.Node(e.To); text.Empty() && target != nil {
		text = target.Title
	}
	if text.Empty() {
		return []plot.Part{{Text: e.ID}}
	}
	return b.parts(text, b.lang)
}

// passable is when an exit can be taken: its `when` now, and its target's after
// its effects. Where the effects touch what the target asks for, they are tried
// on copies first.
func (b *builder) passable(n *plot.Node, e *plot.Exit) ([]Step, *plot.Expr) {
	when := b.cond(e.When, n.ID)
	target := b.script.Node(e.To)
	if e.Stay || target == nil || target.When.Empty() {
		return nil, when
	}
	there := b.cond(target.When, target.ID)
	asked := reads(there)
	copies, taken := map[string]string{}, b.names.given["counter exit "+n.ID+"."+e.ID]
	for _, x := range e.Effects {
		for _, a := range b.script.Assignments(x) {
			if id := b.variable(a.Var); asked[id] {
				copies[id] = ""
			}
		}
	}
	if len(copies) == 0 && (taken == "" || !asked[taken]) {
		return nil, both(when, there)
	}
	return b.try(n, e, there, taken, when)
}

// try does the effects of an exit on copies and keeps whether its target then
// lets the player in.
func (b *builder) try(n *plot.Node, e *plot.Exit, there *plot.Expr, taken string, when *plot.Expr) ([]Step, *plot.Expr) {
	copies := map[string]string{}
	var steps []Step
	copied := func(id string, initial plot.Value, from *plot.Expr) {
		if _, done := copies[id]; done || id == "" {
			return
		}
		copies[id] = b.names.of("copy", id, "then_"+id)
		if _, known := b.asked["copy "+id]; !known {
			b.asked["copy "+id] = initial.Kind
			b.vars = append(b.vars, Var{ID: copies[id], About: "what " + id + " would be", Initial: initial})
		}
		steps = append(steps, Step{Set: &Set{copies[id], from}})
	}
	for _, x := range e.Effects {
		for _, a := range b.script.Assignments(x) {
			v := b.script.Var(a.Var)
			copied(b.variable(v.ID), v.Default, variable(b.variable(v.ID), v.Kind))
		}
	}
	copied(taken, plot.BoolValue(false), literal(plot.BoolValue(true)))
	steps = append(steps, b.effects(e.Effects, n.ID, copies)...)
	can := b.names.of("can", n.ID+"."+e.ID, "can_"+n.ID+"_"+e.ID)
	b.vars = append(b.vars, Var{ID: can, About: "exit " + n.ID + "." + e.ID + " is open", Initial: plot.BoolValue(false)})
	steps = append(steps, Step{Set: &Set{can, both(when, renamed(there, copies))}})
	return steps, variable(can, plot.Bool)
}

// exit makes the scene of taking an exit.
func (b *builder) exit(n *plot.Node, e *plot.Exit, x, y int) string {
	id := b.names.of("exit", n.ID+"."+e.ID, n.ID+"_"+e.ID)
	s := Scene{ID: id, About: "exit " + n.ID + "." + e.ID, X: x % 6, Y: x/6*3 + 2 + y}
	s.Steps = append(b.mark("exit", n.ID+"."+e.ID), b.effects(e.Effects, n.ID, nil)...)
	lines, _ := b.moment(n, "exit:"+e.ID)
	s.Steps = append(s.Steps, lines...)
	s.Next = []Way{{To: b.talk(n.ID)}}
	if !e.Stay {
		s.Next[0].To = b.enter(e.To)
	}
	b.scenes = append(b.scenes, s)
	return id
}

// beats offers the player's beats as choices: what is said is the first example.
func (b *builder) beats(n *plot.Node, at int) []Choice {
	var out []Choice
	if n.Ending != nil {
		return nil // an epilogue has no beats
	}
	for i, beat := range n.Beats {
		key := n.ID + "." + beat.ID
		if beat.Speaker != "" && beat.Speaker != "player" && beat.Speaker != "any" || len(beat.Fires) == 0 {
			continue
		}
		where := fmt.Sprintf("%s: beat %s", beat.Pos, key)
		said := b.parts(b.example(beat), b.lang)
		label, err := joined(said, where)
		b.fail(err)
		when := b.cond(beat.When, n.ID)
		if beat.Once {
			when = both(when, not(b.flag("beat", key)))
		}
		out = append(out, Choice{ID: key, Text: label, When: when, To: b.beat(n, beat, said, at, i), Where: where})
	}
	return out
}

// example is the first sentence that makes a beat happen, in this language if
// there is one: a list of plain sentences holds those of all languages.
func (b *builder) example(beat *plot.Beat) personas.Text {
	for _, t := range beat.Fires {
		if _, ok := t.By[b.lang]; ok {
			return t
		}
	}
	for _, t := range beat.Fires {
		if t.Plain != "" && han(t.Plain) == (b.lang == "zh" || b.lang == "ja") {
			return t
		}
	}
	return beat.Fires[0]
}

// beat makes the scene of a beat that happens.
func (b *builder) beat(n *plot.Node, beat *plot.Beat, said []plot.Part, x, y int) string {
	key := n.ID + "." + beat.ID
	id := b.names.of("beat", key, n.ID+"_"+beat.ID)
	s := Scene{ID: id, About: "beat " + key, X: x % 6, Y: x/6*3 + 2 + y}
	s.Steps = b.say(Say{ID: "player." + key, By: "player", Name: b.name("player"), Where: fmt.Sprintf("%s: beat %s", beat.Pos, key)}, said)
	s.Steps = append(s.Steps, b.bump("turns", "turns")...)
	s.Steps = append(s.Steps, b.bump("turns_total", "turns_total")...)
	s.Steps = append(s.Steps, b.mark("beat", key)...)
	s.Steps = append(s.Steps, b.effects(beat.Effects, n.ID, nil)...)
	lines, _ := b.moment(n, "beat:"+beat.ID)
	s.Steps = append(s.Steps, lines...)
	for _, e := range n.Exits {
		if e.Auto {
			look, when := b.passable(n, e)
			s.Steps = append(s.Steps, look...)
			s.Next = append(s.Next, Way{When: when, To: b.auto(n, e, x)})
		}
	}
	s.Next = append(s.Next, Way{To: b.talk(n.ID)})
	b.scenes = append(b.scenes, s)
	return id
}

// auto is the scene of an exit that is taken by itself, made once.
func (b *builder) auto(n *plot.Node, e *plot.Exit, at int) string {
	if id, done := b.names.given["exit "+n.ID+"."+e.ID]; done {
		return id
	}
	return b.exit(n, e, at, len(n.Exits))
}

// han reports whether a text is written in Chinese characters.
func han(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.Is(unicode.Han, r) })
}
