package compare

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/compare"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// sideBySide is the width from which the two sides stand beside each other.
const sideBySide = 100

// View draws the screen.
func (v *Compare) View() widget.Rows {
	th, t := v.env.Theme, v.env.Text.Compare
	switch {
	case v.blind != nil:
		return v.viewVote()
	case v.err != nil:
		return append(widget.Rows{widget.Rule(t.Title, "", v.w, th)}, widget.Paragraph(v.err.Error(), 1, v.w, th.Error)...).Fit(v.w, v.h)
	case v.c == nil:
		return append(widget.Rows{widget.Rule(t.Title, "", v.w, th)}, widget.Paragraph(t.Nothing, 1, v.w, th.Dim)...).Fit(v.w, v.h)
	}
	rows := v.head()
	return append(rows, v.body(v.h-len(rows))...).Fit(v.w, v.h)
}

// head names the two sides and says how far they are the same.
func (v *Compare) head() widget.Rows {
	th, t := v.env.Theme, v.env.Text.Compare
	rows := widget.Rows{widget.Rule(t.Title, v.sum(), v.w, th)}
	a, b := v.sideName(0), v.sideName(1)
	if v.w >= sideBySide {
		half := (v.w - 1) / 2
		rows = append(rows, v.columns(th.Player.Render("A ")+th.Title.Render(cut(a, half-4, th)), th.NPC.Render("B ")+th.Title.Render(cut(b, v.w-half-5, th))))
	} else {
		rows = append(rows, text.Fit(" "+th.Player.Render("A ")+th.Title.Render(cut(a, v.w-4, th)), v.w, ""), text.Fit(" "+th.NPC.Render("B ")+th.Title.Render(cut(b, v.w-4, th)), v.w, ""))
	}
	if n := v.c.Shared; n > 0 {
		rows = append(rows, text.Fit(" "+th.Dim.Render("= "+t.SharedTurns(v.c.A[n-1].Turn.Depth)), v.w, th.Signs.Ellipsis))
	}
	return rows
}

// sideName is a branch, how far it goes, and who answered last.
func (v *Compare) sideName(i int) string {
	steps := v.c.A
	if i == 1 {
		steps = v.c.B
	}
	name := text.Line(v.sides[i].name)
	if n := len(steps); n > 0 && steps[n-1].Alternative.Reply != nil {
		name += "  " + text.Line(steps[n-1].Alternative.Reply.Engine.Name)
	}
	return name
}

func cut(s string, w int, th *style.Theme) string {
	return text.Fit(s, min(text.Width(s), max(w, 1)), th.Signs.Ellipsis)
}

// columns draws one row of both sides.
func (v *Compare) columns(a, b string) string {
	half := (v.w - 1) / 2
	return text.Fit(" "+a, half, "") + v.env.Theme.Rule.Render(v.env.Theme.Signs.V) + text.Fit(" "+b, v.w-half-1, "")
}

// body draws the selected turn and as many around it as there is room for: some
// above, the rest below.
func (v *Compare) body(h int) widget.Rows {
	if len(v.c.Rows) == 0 {
		return widget.Paragraph(v.env.Text.Compare.Same, 1, v.w, v.env.Theme.Dim)
	}
	at := v.list.At()
	rows := v.turn(at)
	rows = rows[min(v.from, len(rows)):]
	if v.from == 0 {
		for i := at - 1; i >= 0; i-- {
			above := v.turn(i)
			if len(above)+len(rows) > h || len(above) > h/3 && len(rows) > h/2 {
				break
			}
			rows = slices.Concat(above, rows)
		}
	}
	for i := at + 1; i < len(v.c.Rows) && len(rows) < h; i++ {
		rows = slices.Concat(rows, v.turn(i))
	}
	return rows
}

// turn draws one turn of either side or both.
func (v *Compare) turn(i int) widget.Rows {
	rows, known := v.drawn[i]
	if !known {
		rows = v.draw(v.c.Rows[i])
		v.drawn[i] = rows
	}
	if i != v.list.At() || len(rows) == 0 {
		return rows
	}
	rows = slices.Clone(rows)
	rows[0] = v.rule(v.c.Rows[i], true)
	return rows
}

// rule is the heading of a turn: its number on each side, and how they differ.
func (v *Compare) rule(r compare.Row, selected bool) string {
	th, t := v.env.Theme, v.env.Text.Compare
	number := func(steps []story.Step, i int) string {
		if i < 0 {
			return "-"
		}
		return strconv.Itoa(steps[i].Turn.Depth)
	}
	words := fmt.Sprintf(t.Turn, number(v.c.A, r.A), number(v.c.B, r.B))
	kind := t.Kinds[string(r.Kind)]
	st := th.Warn
	if r.Kind == compare.Equal {
		st = th.Dim
	}
	if selected {
		return th.Selected.Render(text.Fit(th.Signs.Select+words+"  "+kind, v.w, th.Signs.Ellipsis))
	}
	return text.Fit(" "+th.Title.Render(words)+"  "+st.Render(kind), v.w, "")
}

func (v *Compare) draw(r compare.Row) widget.Rows {
	rows := widget.Rows{v.rule(r, false)}
	d, lone := v.c.Detail(r), r.Kind != compare.Changed
	if r.Kind == compare.Equal {
		d.Lines = d.Lines[:min(len(d.Lines), 1)]
	}
	if v.w < sideBySide {
		for _, p := range d.Lines {
			rows = append(rows, v.utterance(p, 0, v.w, lone)...)
			if !equal(p) {
				rows = append(rows, v.utterance(p, 1, v.w, lone)...)
			}
		}
		for i := range v.sides {
			rows = append(rows, v.came(r, d, i, v.w)...)
		}
		return append(rows, text.Spaces(v.w))
	}
	half := (v.w - 1) / 2
	left, right := widget.Rows{}, widget.Rows{}
	for _, p := range d.Lines {
		left = append(left, v.utterance(p, 0, half, lone)...)
		right = append(right, v.utterance(p, 1, v.w-half-1, lone)...)
		n := max(len(left), len(right))
		left, right = left.Fit(half, n), right.Fit(v.w-half-1, n)
	}
	left, right = append(left, v.came(r, d, 0, half)...), append(right, v.came(r, d, 1, v.w-half-1)...)
	n := max(len(left), len(right)) + 1
	return append(rows, widget.Beside(left.Fit(half, n), right.Fit(v.w-half-1, n), v.env.Theme.Rule.Render(v.env.Theme.Signs.V))...)
}

func equal(p compare.Pair) bool {
	return len(p.A) == 1 && len(p.B) == 1 && p.A[0].Op == compare.Same && p.B[0].Op == compare.Same
}

// utterance draws what one side said; what the other did not say stands out,
// unless the turn is alone: then all of it would.
func (v *Compare) utterance(p compare.Pair, i, w int, lone bool) widget.Rows {
	th := v.env.Theme
	spans := p.A
	if i == 1 {
		spans = p.B
	}
	if len(spans) == 0 {
		return nil
	}
	who, st := v.name(p.By, i)
	runs := []widget.Run{{Text: who, Style: st}}
	if v.w < sideBySide && !equal(p) {
		runs = append([]widget.Run{{Text: v.letter(i) + " ", Style: v.colour(i)}}, runs...)
	}
	for _, s := range spans {
		run := widget.Run{Text: s.Text}
		if s.Op == compare.Only && !lone {
			run.Style = v.colour(i)
			if plain := (style.Style{}); th.Warn == plain { // no colours: brackets say it
				run.Text = "[" + s.Text + "]"
			}
		}
		runs = append(runs, run)
	}
	return widget.Flow(runs, 1, w)
}

func (v *Compare) letter(i int) string { return [...]string{"A", "B"}[i] }

// colour is that of what stands on one side only.
func (v *Compare) colour(i int) style.Style {
	return [...]style.Style{v.env.Theme.Player, v.env.Theme.NPC}[i]
}

// name is who speaks, with what follows a name.
func (v *Compare) name(by string, i int) (string, style.Style) {
	th, t := v.env.Theme, v.env.Text
	switch by {
	case compare.Player:
		return t.Chat.You + "  ", th.Dim
	case "":
		return "", th.Told
	}
	w := wording.Wording{Script: v.env.Session.Script(), Text: t, Speaks: v.sides[i].speaks}
	return text.Line(w.Name(by)) + "  ", th.Dim
}

// came draws what came of a turn on one side, as far as it differs: beats,
// exits, values, lore, findings; then how the reply was made.
func (v *Compare) came(r compare.Row, d compare.Detail, i, w int) widget.Rows {
	th := v.env.Theme
	at, steps := r.A, v.c.A
	if i == 1 {
		at, steps = r.B, v.c.B
	}
	if at < 0 {
		return nil
	}
	var rows widget.Rows
	if parts := v.happened(d, i); len(parts) > 0 {
		if v.w < sideBySide {
			parts = append([]widget.Run{{Text: v.letter(i), Style: v.colour(i)}, {Text: "  "}}, parts...)
		}
		rows = widget.Flow(parts, 1, w)
	}
	made := v.made(steps[at].Alternative.Reply)
	if steps[at].Alternative.Human {
		made = v.env.Text.Chat.Human
	}
	if made != "" && r.Kind != compare.Equal {
		if v.w < sideBySide {
			made = v.letter(i) + "  " + made
		}
		rows = append(rows, text.Fit(" "+th.Dim.Render(cut(made, w-2, th)), w, ""))
	}
	return rows
}

// happened lists in one row what happened on one side only.
func (v *Compare) happened(d compare.Detail, i int) []widget.Run {
	th := v.env.Theme
	beats, exits, lore, found := d.BeatsA, d.ExitsA, d.LoreA, d.FindingsA
	if i == 1 {
		beats, exits, lore, found = d.BeatsB, d.ExitsB, d.LoreB, d.FindingsB
	}
	var parts []widget.Run
	add := func(s string, st style.Style) {
		if len(parts) > 0 {
			parts = append(parts, widget.Run{Text: "  "})
		}
		parts = append(parts, widget.Run{Text: text.Line(s), Style: st})
	}
	for _, b := range beats {
		add(th.Signs.Beat+" "+b, th.Beat)
	}
	for _, e := range exits {
		add(th.Signs.Arrow+" "+e, th.Exit)
	}
	for _, x := range d.State {
		add(x.Name+" "+[...]string{x.A, x.B}[i], v.colour(i))
	}
	for _, l := range lore {
		add(l, th.Told)
	}
	for _, f := range found {
		sign, st := th.Signs.Info, th.Dim
		switch f.Level {
		case lint.Error:
			sign, st = "E", th.Error
		case lint.Warning:
			sign, st = "W", th.Warn
		}
		add(sign+" "+v.env.Text.Finding(f.Code, f.Args), st)
	}
	return parts
}

// made says by whom a reply was made, and how fast.
func (v *Compare) made(r *story.Reply) string {
	if r == nil {
		return ""
	}
	t := v.env.Text.Figure
	timing := r.Timing()
	if timing.Recalled {
		return t.Recalled
	}
	parts := []string{r.Engine.Name, fmt.Sprintf(t.Seed, r.Seed)}
	if timing.TTFT > 0 {
		parts = append(parts, t.TTFT+" "+strconv.FormatInt(int64(timing.TTFT/time.Millisecond), 10)+"ms")
	}
	if timing.Rate > 0 {
		parts = append(parts, fmt.Sprintf(t.Rate, timing.Rate))
	}
	return strings.Join(parts, "  ")
}

// sum says in how many turns the sides differ, and how many stand on one side.
func (v *Compare) sum() string {
	var only [2]int
	for _, r := range v.c.Rows {
		switch r.Kind {
		case compare.OnlyA:
			only[0]++
		case compare.OnlyB:
			only[1]++
		}
	}
	return fmt.Sprintf(v.env.Text.Compare.Sum, v.c.Differences()-only[0]-only[1], only[0], only[1])
}
