package world

import (
	"fmt"
	"strings"
	"time"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/widget"
)

const (
	column   = 11  // of the names in the summary
	twoPanes = 100 // columns from which personas and nodes stand beside
)

// View draws the screen.
func (v *World) View() widget.Rows {
	if v.env.Session == nil {
		return v.broken().Fit(v.w, v.h)
	}
	if v.check.shown {
		return v.findings().Fit(v.w, v.h)
	}
	left := v.w
	if v.w >= twoPanes {
		left = v.w * 3 / 5
	}
	rows := v.summary(left)
	rest := v.h - len(rows)
	switch {
	case v.err != nil:
		rows = append(rows, v.attention(left, rest)...)
	case left < v.w || v.pick != nil:
		rows = append(rows, v.branches(left, rest)...)
	default:
		want := 1 + max(len(v.entries), 1)
		if v.edits.Any() {
			want += 2 // why
		}
		upper := share(rest, want, 1+len(v.env.Session.Script().Nodes))
		rows = append(rows, v.branches(left, upper).Fit(left, upper)...)
		rows = append(rows, v.nodeRows(left, rest-upper)...)
	}
	rows = rows.Fit(left, v.h)
	if left < v.w {
		th := v.env.Theme
		rows = widget.Beside(rows, v.contents(v.w-left-1, v.h).Fit(v.w-left-1, v.h), th.Rule.Render(th.Signs.V))
	}
	return rows
}

func (v *World) broken() widget.Rows {
	th, t := v.env.Theme, v.env.Text.World
	rows := widget.Rows{widget.Rule(t.Title, text.Line(v.place.Name), v.w, th)}
	if len(v.faults) == 0 {
		return append(rows, widget.Paragraph(fmt.Sprint(v.err), 1, v.w, th.Error)...)
	}
	rows = append(rows, widget.Paragraph(fmt.Sprintf(t.NotLoaded, len(v.faults)), 1, v.w, th.Error)...)
	rows = append(rows, text.Spaces(v.w))
	return append(rows, v.faultRows(v.w, v.h-len(rows))...)
}

// attention draws why edited files are not played.
func (v *World) attention(w, h int) widget.Rows {
	th, t := v.env.Theme, v.env.Text.World
	rows := widget.Rows{widget.Rule(t.Attention, fmt.Sprint(max(len(v.faults), 1)), w, th)}
	if v.env.Session.Stale() != nil {
		rows = append(rows, widget.Paragraph(t.Stale, 1, w, th.Warn)...)
	}
	if len(v.faults) == 0 {
		return append(rows, widget.Paragraph(v.err.Error(), 1, w, th.Error)...)
	}
	return append(rows, v.faultRows(w, h-len(rows))...)
}

// faultRows draws faults as far as there is room, the selected one among them.
func (v *World) faultRows(w, h int) widget.Rows {
	if len(v.faults) == 0 || h < 1 {
		return nil
	}
	return v.list.Around(h, func(i int) widget.Rows { return v.faultRow(i, w) }).Fit(w, h)
}

// faultRow draws one fault: where, what, what to do.
func (v *World) faultRow(i, w int) widget.Rows {
	th, f := v.env.Theme, v.faults[i]
	what, todo := lang.Fault(f.Code, f.Args, v.env.Text.Code)
	mark := "  "
	if i == v.list.At() {
		mark = th.Accent.Render(th.Signs.Select) + " "
	}
	rows := widget.Rows{text.Fit(mark+th.Title.Render(text.Line(f.Pos.String())), w, th.Signs.Ellipsis)}
	rows = append(rows, widget.Paragraph(what, 4, w, style.Style{})...)
	if todo != "" {
		rows = append(rows, widget.Paragraph(todo, 4, w, th.Dim)...)
	}
	return rows
}

// roomyRows is from how many rows on the summary also has what can be looked up
// elsewhere: with fewer, branches and nodes need the room.
const roomyRows = 20

// summary draws what the world is.
func (v *World) summary(w int) widget.Rows {
	th, t, s := v.env.Theme, v.env.Text.World, v.env.Session.Script()
	rows := widget.Rows{widget.Rule(v.title(s), s.ID, w, th)}
	pair := func(name string, values ...string) {
		for _, value := range values {
			for _, row := range text.Wrap(text.Line(value), w-column-3) {
				rows = append(rows, widget.Pair(name, row, column, w, th))
				name = ""
			}
		}
	}
	roomy := v.h >= roomyRows
	if roomy && !s.Era.Empty() {
		pair(t.Era, s.Era.In(v.env.Text.Code, s.Languages...))
	}
	pair(t.Languages, v.languages(s))
	pair(t.Counts, v.counts(s))
	if roomy && v.w < twoPanes {
		pair(strings.ToLower(t.Personas), v.people(s))
	}
	if roomy {
		pair(t.Serves, v.serving(s)...)
		pair(t.Store, v.place.Store)
	}
	pair(t.Check, v.checkNote(s))
	return rows
}

// saved says when something was stored last, in front of how many branches
// there are; nothing has to be done for it.
func (v *World) saved() string {
	var last time.Time
	for _, e := range v.entries {
		if e.branch.Touched.After(last) {
			last = e.branch.Touched
		}
	}
	if last.IsZero() {
		return ""
	}
	now := v.env.Now()
	at := last.In(now.Location()).Format("15:04:05")
	if day := when(now, last); len(day) > len("15:04") {
		at = day
	}
	return fmt.Sprintf(v.env.Text.World.Saved, at) + " · "
}

// serving says who serves each language, once where it is the same for all.
func (v *World) serving(s *plot.Script) []string {
	var out []string
	same := true
	first := ""
	for i, l := range s.Languages {
		st := v.env.Status(l)
		words := st.Notice(v.env.Text)
		if words == "" {
			words = st.Short(v.env.Text)
		}
		if i == 0 {
			first = words
		}
		same = same && words == first
		out = append(out, v.env.Text.Language(l)+": "+words)
	}
	if same && first != "" {
		return []string{first}
	}
	return out
}

func (v *World) title(s *plot.Script) string {
	if s.Title.Empty() {
		return s.ID
	}
	return text.Line(s.Title.In(v.env.Text.Code, s.Languages...))
}

func (v *World) languages(s *plot.Script) string {
	var names []string
	for _, l := range s.Languages {
		names = append(names, v.env.Text.Language(l))
	}
	return strings.Join(names, v.env.Text.Way.List)
}

func (v *World) counts(s *plot.Script) string {
	return fmt.Sprintf(v.env.Text.World.CountsLine, len(s.Personas), len(s.Nodes), s.Exits(), len(s.Vars), len(s.Lore))
}

func (v *World) people(s *plot.Script) string {
	var names []string
	for _, p := range s.Personas {
		names = append(names, text.Line(p.Name.In(v.env.Text.Code, s.Languages...)))
	}
	return strings.Join(names, v.env.Text.Way.List)
}

// branches draws the list of branches, or the choice of a language over it.
func (v *World) branches(w, h int) widget.Rows {
	th, t := v.env.Theme, v.env.Text.World
	if v.pick != nil {
		return v.picker(w)
	}
	rows := widget.Rows{widget.Rule(t.Branches, v.saved()+fmt.Sprint(len(v.entries)), w, th)}
	if len(v.entries) == 0 {
		return append(rows, text.Fit(" "+th.Dim.Render(t.NoBranches), w, th.Signs.Ellipsis))
	}
	var why widget.Rows
	if v.edits.Any() {
		why = widget.Paragraph(v.env.EditWords(v.edits.Of(v.selectedLeaf())), 1, w, th.Warn)
	}
	room := max(h-1-len(why), 1)
	from, to := v.list.Window(room)
	for i := from; i < to; i++ {
		rows = append(rows, v.list.Item(i, v.branchRow(i, w)))
	}
	return append(rows, why...)
}

// selectedLeaf is where the selected branch ends; "" while the nodes have the
// keyboard.
func (v *World) selectedLeaf() story.ID {
	if i := v.list.At(); !v.onNodes && i < len(v.entries) {
		return v.entries[i].branch.Leaf
	}
	return ""
}

func (v *World) branchRow(i, w int) string {
	th, t, s, e := v.env.Theme, v.env.Text.World, v.env.Session.Script(), v.entries[i]
	node := e.node
	if n := s.Node(e.node); n != nil && !n.Title.Empty() {
		node = n.Title.In(v.env.Text.Code, s.Languages...)
	}
	turns := fmt.Sprintf(t.Turns, e.turns)
	touched := when(v.env.Now(), e.branch.Touched)
	name := w - 50
	called := e.branch.Name
	if v.edits.Of(e.branch.Leaf) != nil {
		called = screen.EditSign + " " + called
	}
	if len(e.branch.Tags) > 0 {
		called += " [" + strings.Join(e.branch.Tags, " ") + "]"
	}
	line := " " + text.Fit(text.Line(called), name, th.Signs.Ellipsis) + " " +
		text.Fit(text.Line(node), 15, th.Signs.Ellipsis) + " " +
		text.Spaces(10-text.Width(turns)) + turns + "  " +
		text.Fit(e.language, 5, "") + " " + text.Spaces(10-text.Width(touched)) + touched + " "
	if e.branch.ID == v.last {
		line = th.Signs.Bullet + line[1:]
	}
	if i == v.list.At() && !v.onNodes {
		return th.Selected.Render(text.Fit(th.Signs.Select+line, w, ""))
	}
	return text.Fit(" "+line, w, "")
}

func (v *World) picker(w int) widget.Rows {
	th, t := v.env.Theme, v.env.Text.World
	rows := widget.Rows{widget.Rule(t.PickLanguage, "", w, th)}
	for i, code := range v.pick.codes {
		name := v.env.Text.Language(code)
		if short := v.env.Status(code).Short(v.env.Text); short != "" {
			name += "  " + th.Dim.Render(short)
		}
		mark := "  "
		if i == v.pick.list.At() {
			mark = th.Accent.Render(th.Signs.Select) + " "
		}
		rows = append(rows, v.pick.list.Item(i, text.Fit(" "+mark+name, w, th.Signs.Ellipsis)))
	}
	return append(rows, text.Fit("   "+th.Dim.Render(t.PickHint), w, th.Signs.Ellipsis))
}

// contents lists personas and nodes beside the rest.
func (v *World) contents(w, h int) widget.Rows {
	th, t, s := v.env.Theme, v.env.Text.World, v.env.Session.Script()
	code := v.env.Text.Code
	rows := widget.Rows{widget.Rule(t.Personas, fmt.Sprint(len(s.Personas)), w, th)}
	for _, p := range s.Personas {
		name := text.Line(p.Name.In(code, s.Languages...))
		rows = append(rows, text.Fit(" "+th.NPC.Render(name)+" "+th.Dim.Render("@"+p.ID+"  "+text.Line(p.Brief.In(code, s.Languages...))), w, th.Signs.Ellipsis))
	}
	return append(rows, v.nodeRows(w, h-len(rows))...)
}
