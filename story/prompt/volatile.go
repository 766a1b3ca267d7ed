package prompt

import (
	"fmt"
	"strings"

	"fabula/engine"
	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// volatile writes what may change with every turn, in the order of FORMATS 2,
// up to but without the player's line.
func (a *author) volatile() []item {
	var items []item
	items = append(items, a.secrets()...)
	items = append(items, a.lore(engine.User, a.keyed())...)
	items = append(items, a.volatileSamples()...)
	items = append(items, a.conditionals(Goal, "goal", a.say.goal, a.in.Speaker.Goals)...)
	items = append(items, a.conditionals(Knows, "knows", a.say.fact, a.in.Speaker.Knows)...)
	items = append(items, a.castGoal()...)
	items = append(items, a.memories()...)
	items = append(items, a.variables()...)
	items = append(items, a.scene()...)
	items = append(items, a.anchors()...)
	return a.guarded(items)
}

func (a *author) user(k Kind, source, format string, text ...any) item {
	return item{Segment: Segment{Kind: k, Source: source, Role: engine.User, Text: f(format, text...)}}
}

func (a *author) holds(c source.Cond) bool { return a.in.Script.Holds(c, a.in.State) }

// secrets gives the text of those that are unlocked and the cover of the rest.
func (a *author) secrets() []item {
	var told, covers []item
	for i := range a.in.Speaker.Secrets {
		s := &a.in.Speaker.Secrets[i]
		id := a.in.Speaker.ID + "." + s.ID
		switch {
		case a.in.Script.Unlocked(a.in.Speaker, s, a.in.State):
			told = append(told, a.user(Secret, id, a.say.secret, a.text(s.Text)))
		case !s.Cover.Empty():
			covers = append(covers, a.user(Cover, id, a.say.cover, a.text(s.Cover)))
		}
	}
	return append(told, covers...)
}

// volatileSamples writes the exchanges that hold in this state; those that
// have least in common with the player's line are dropped first, since what
// stands here is read anew with every turn.
func (a *author) volatileSamples() []item {
	line := terms(a.in.Line)
	var out []item
	for i, s := range a.in.Speaker.Samples {
		if s.When.Empty() || !a.holds(s.When) {
			continue
		}
		rank := (len(line)-common(line, terms(a.text(s.Player))))*len(a.in.Speaker.Samples) + i
		out = append(out, a.sampleItem(i, item{drop: volatileSample, heading: a.say.sampleNow, rank: rank}, engine.User))
	}
	return out
}

func (a *author) conditionals(k Kind, word, format string, cs []personas.Conditional) []item {
	var out []item
	for i, c := range cs {
		if a.holds(c.When) {
			out = append(out, a.user(k, fmt.Sprintf("%s.%s.%d", a.in.Speaker.ID, word, i+1), format, a.text(c.Text)))
		}
	}
	return out
}

func (a *author) castGoal() []item {
	for _, m := range a.in.Script.Cast(a.in.State) {
		if m.NPC == a.in.Speaker.ID && !m.Goal.Empty() {
			return []item{a.user(Goal, a.in.State.Node+".cast."+m.NPC, a.say.castGoal, a.text(m.Goal))}
		}
	}
	return nil
}

// variables puts into words what the speaker may know of the state.
func (a *author) variables() []item {
	var out []item
	for _, v := range a.in.Script.Vars {
		if !knownTo(v.KnownTo, a.in.Speaker.ID) {
			continue
		}
		for _, w := range v.Words {
			if a.holds(w.When) {
				out = append(out, a.user(Variables, v.ID, a.say.soFar, a.text(w.Text)))
			}
		}
	}
	return out
}

// scene names the place, its tags and who is there.
func (a *author) scene() []item {
	if a.node == nil {
		return nil
	}
	var lines []string
	if t := a.text(a.node.Title); t != "" {
		lines = append(lines, f(a.say.now, t))
	}
	var tags []string
	for _, t := range a.node.Scene {
		if v := a.text(t.Value); v != "" {
			tags = append(tags, f(a.say.named, a.tag(t.Key), v))
		}
	}
	if len(tags) > 0 {
		lines = append(lines, strings.Join(tags, a.say.list))
	}
	lines = append(lines, f(a.say.present, strings.Join(a.present(), a.say.list)))
	return []item{a.user(Scene, a.node.ID, "%s", strings.Join(lines, "\n"))}
}

func (a *author) tag(key string) string {
	if word, ok := a.say.tags[key]; ok {
		return word
	}
	return key
}

// present names the cast and the player.
func (a *author) present() []string {
	var names []string
	for _, m := range a.in.Script.Cast(a.in.State) {
		if p := a.in.Script.Persona(m.NPC); p != nil {
			names = append(names, a.nameOf(p))
		}
	}
	return append(names, a.player())
}

// anchors lists what the speaker has yet to say here.
func (a *author) anchors() []item {
	if a.node == nil {
		return nil
	}
	var out []item
	for _, n := range a.node.Anchors {
		id := a.node.ID + "." + n.ID
		if n.By == a.in.Speaker.ID && a.in.State.Anchors[id] == 0 && !n.Say.Empty() && a.holds(n.When) {
			out = append(out, a.user(Anchor, id, a.steer(n), a.text(n.Say)))
		}
	}
	return out
}

// lately is in how many of the last exchanges a mention takes the urgency out of
// an anchor.
const lately = 2

// unhurried is how many player turns an anchor without `after` may wait.
const unhurried = 6

// steer words how hard the speaker is pushed to an anchor: less once it was
// touched on, by whomever, so that the talk is not dragged back to it; else the
// harder the more turns of the visit went by without it, hardest when its
// authored line would be spoken instead after this turn.
func (a *author) steer(n *plot.Anchor) string {
	said := []string{a.in.Line}
	for i := max(0, len(a.in.History)-lately); i < len(a.in.History); i++ {
		for _, l := range a.in.History[i].Lines {
			said = append(said, l.Text)
		}
	}
	for _, s := range said {
		if _, touched := n.Detect.Match(s); touched {
			return a.say.anchorTouched
		}
	}
	most := n.After
	if most == 0 {
		most = unhurried
	}
	switch turns := a.in.State.Turns; {
	case turns >= most-1:
		return a.say.anchorDue
	case 2*turns < most-2:
		return a.say.anchorGentle
	}
	return a.say.anchor
}
