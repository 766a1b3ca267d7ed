package inspect

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
	"fabula/tui/text"
)

// delta is one change of a variable and what made it.
type delta struct {
	plot.Change
	by string // beat or exit; empty = neither
}

// deltas lists the changes of a turn in their order, those that no beat and no
// exit tells of last.
func deltas(before plot.State, step story.Step) []delta {
	var out []delta
	told := map[string]plot.Value{}
	add := func(by string, changes []plot.Change) {
		for _, c := range changes {
			told[c.Var] = c.After
			if c.Before != c.After {
				out = append(out, delta{c, by})
			}
		}
	}
	beats := func(all []plot.Fired) {
		for _, f := range all {
			add(f.Beat, f.Changes)
		}
	}
	exit := func(t *plot.Taken) {
		if t != nil {
			add(t.Exit, t.Changes)
		}
	}
	beats(step.Turn.Fired)
	exit(step.Turn.Taken)
	beats(step.Alternative.Fired)
	exit(step.Alternative.Taken)
	now := step.Alternative.State.Vars
	for _, v := range slices.Sorted(maps.Keys(now)) {
		was, known := told[v]
		if !known {
			was = before.Vars[v]
		}
		if was != now[v] {
			out = append(out, delta{plot.Change{Var: v, Before: was, After: now[v]}, ""})
		}
	}
	return out
}

// state draws where the path stands after the turn.
func (d *drawing) state(h int) {
	step, _ := d.x.step()
	st, t := step.Alternative.State, d.x.words()
	before := st
	if d.x.at > 0 {
		before = d.x.steps[d.x.at-1].Alternative.State
	}
	d.place(before, st)
	changed := map[string]bool{}
	all := deltas(before, step)
	if len(all) > 0 {
		d.head(t.Changed)
	}
	for _, c := range all {
		changed[c.Var] = true
		by := t.ByNobody
		if c.by != "" {
			by = fmt.Sprintf(t.By, text.Line(c.by))
		}
		d.pair(c.Var, d.th.Beat.Render(c.Before.String()+d.th.Signs.Arrow+c.After.String())+" "+d.th.Dim.Render(by))
	}
	d.happened(step)
	d.secrets(step)
	d.budget(step)
	d.same(st, changed)
	d.scrolled(h)
}

// place names the node, and the one before where the turn left it.
func (d *drawing) place(before, st plot.State) {
	f := d.x.env.Text.Figure
	where := d.x.wording().Title(st.Node)
	if before.Node != st.Node {
		where = d.x.wording().Title(before.Node) + " " + d.th.Signs.Arrow + " " + where
	}
	d.pair(f.Node, where)
	n := d.x.env.Session.Script().Node(st.Node)
	if n == nil || len(n.Beats) == 0 {
		return
	}
	fired := 0
	for _, b := range n.Beats {
		if st.Beats[n.ID+"."+b.ID] > 0 {
			fired++
		}
	}
	d.pair(f.Beats, fmt.Sprintf("%d/%d", fired, len(n.Beats)))
}

// happened lists the beats and exits of the turn with the words that made them.
func (d *drawing) happened(step story.Step) {
	for _, f := range slices.Concat(step.Turn.Fired, step.Alternative.Fired) {
		line := text.Line(f.Beat)
		if f.Evidence.Quote != "" {
			line += " “" + text.Line(f.Evidence.Quote) + "”"
		}
		d.rows = append(d.rows, text.Fit(" "+d.th.Beat.Render(d.th.Signs.Beat+" "+line), d.w, d.th.Signs.Ellipsis))
	}
	for _, t := range []*plot.Taken{step.Turn.Taken, step.Alternative.Taken} {
		if t != nil {
			d.rows = append(d.rows, text.Fit(" "+d.th.Exit.Render(d.th.Signs.Arrow+" "+text.Line(t.Exit)), d.w, d.th.Signs.Ellipsis))
		}
	}
}

// secrets lists the secrets of those present, and what they wait for.
func (d *drawing) secrets(step story.Step) {
	s, st, t := d.x.env.Session.Script(), step.Alternative.State, d.x.words()
	first := true
	for _, p := range d.x.wording().Present(st, false) {
		for i := range p.Secrets {
			sec := &p.Secrets[i]
			if first {
				d.head(t.Secrets)
				first = false
			}
			word := d.th.Good.Render(t.Open)
			switch {
			case st.Told[p.ID+"."+sec.ID] > 0:
				word = t.Told
			case s.Unlocked(p, sec, st):
			case sec.Unlock.Empty():
				word = d.th.Dim.Render(t.LockedEver)
			default: // long, and it is what a designer wants to know
				d.dim(p.ID + "." + sec.ID + " " + fmt.Sprintf(t.Locked, text.Line(sec.Unlock.Src)))
				continue
			}
			d.pair(p.ID+"."+sec.ID, word)
		}
	}
}

// budget sums the tokens of the prompt by kind.
func (d *drawing) budget(step story.Step) {
	r := step.Alternative.Reply
	if r == nil || len(r.Segments) == 0 {
		return
	}
	sums := map[prompt.Kind]int{}
	var kinds []prompt.Kind
	for _, s := range r.Segments {
		if !slices.Contains(kinds, s.Kind) {
			kinds = append(kinds, s.Kind)
		}
		sums[s.Kind] += s.Tokens
	}
	slices.SortStableFunc(kinds, func(a, b prompt.Kind) int { return cmp.Compare(sums[b], sums[a]) })
	parts := make([]string, len(kinds))
	for i, k := range kinds {
		parts[i] = fmt.Sprintf("%s %d", d.x.env.Text.Inspect.Segment(string(k)), sums[k])
	}
	d.head(d.x.words().Budget)
	d.dim(strings.Join(parts, "  "))
}

// same lists the variables that the turn left alone.
func (d *drawing) same(st plot.State, changed map[string]bool) {
	first := true
	for _, v := range d.x.env.Session.Script().Vars {
		if changed[v.ID] {
			continue
		}
		if first {
			d.head(d.x.words().Same)
			first = false
		}
		d.pair(v.ID, d.th.Dim.Render(st.Vars[v.ID].String()))
	}
}
