package tree

import (
	"fmt"
	"slices"
	"strings"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/screen"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
	"fabula/tui/wording"
)

// twoPanes is the width from which the preview stands beside the tree.
const twoPanes = 100

// left is the columns of the tree itself.
func (t *Tree) left() int {
	if t.w >= twoPanes {
		return t.w * 3 / 5
	}
	return t.w
}

// View draws the screen.
func (t *Tree) View() widget.Rows {
	th, words := t.env.Theme, t.env.Text.Tree
	left, h := t.left(), t.h-1
	note := fmt.Sprintf(words.Counts, t.forest.plays, len(t.forest.turns), t.forest.alts)
	if n := len(t.picked); n > 0 {
		note = fmt.Sprintf(words.Picked, n) + " " + th.Signs.Bullet + " " + note
	}
	rows := widget.Rows{widget.Rule(words.Title, note, t.w, th)}
	if t.title != nil {
		h -= widget.PromptRows
	}
	why := t.why()
	h = max(h-len(why), 0)
	body := append(t.listed(left, h), why...)
	h += len(why)
	if left < t.w {
		body = widget.Beside(body, t.preview(t.w-left-1).Fit(t.w-left-1, h), th.Rule.Render(th.Signs.V))
	}
	rows = append(rows, body...)
	if t.title != nil {
		rows = append(rows, t.title.View(words.Rename, "", th.Signs.Select, t.w, th)...)
	}
	return rows.Fit(t.w, t.h)
}

// why says, where no preview stands beside the tree, what an edit changed of the
// branch that ends in the selected row; without one, what the sign means.
func (t *Tree) why() widget.Rows {
	if t.left() < t.w || !t.edits.Any() {
		return nil
	}
	l, _ := t.at()
	return widget.Paragraph(t.env.EditWords(t.edits.Of(t.knot(l).alt.ID)), 1, t.w, t.env.Theme.Warn)
}

func (t *Tree) listed(w, h int) widget.Rows {
	th := t.env.Theme
	if t.err != nil {
		return widget.Paragraph(t.err.Error(), 1, w, th.Error).Fit(w, h)
	}
	if len(t.rows) == 0 {
		return widget.Rows{text.Fit(" "+th.Dim.Render(t.env.Text.Tree.Empty), w, th.Signs.Ellipsis)}.Fit(w, h)
	}
	var rows widget.Rows
	from, to := t.list.Window(h)
	for i := from; i < to; i++ {
		rows = append(rows, t.list.Item(i, t.row(t.rows[i], i == t.list.At(), w)))
	}
	return rows.Fit(w, h)
}

// row draws one alternative: lines of the tree, depth, what was said, and the
// branches that end here.
func (t *Tree) row(l line, selected bool, w int) string {
	th := t.env.Theme
	prefix := prefixWithin(l.prefix(th.Signs), w/2)
	if l.more > 0 {
		words := text.Fit(fmt.Sprintf(t.env.Text.Tree.More, l.more), w-4-text.Width(prefix), th.Signs.Ellipsis)
		if selected {
			return th.Selected.Render(text.Fit(th.Signs.Select+"  "+prefix+words, w, ""))
		}
		return text.Fit("   "+th.Rule.Render(prefix)+th.Dim.Render(words), w, "")
	}
	k := t.knot(l)
	turn := t.forest.turns[k.turn]
	tag := t.tags(l, k, turn)
	mark := " "
	if k.alt.Mark {
		mark = "*"
	}
	picked := " "
	if slices.Contains(t.picked, k.alt.ID) && k.alt.ID != "" {
		picked = th.Signs.Beat
	}
	depth := fmt.Sprint(turn.Depth) + " "
	room := max(w-5-text.Width(prefix)-len(depth)-text.Width(tag), 8)
	words := text.Fit(t.words(turn, k.alt, room), room, th.Signs.Ellipsis)
	if selected {
		return th.Selected.Render(text.Fit(th.Signs.Select+picked+prefix+mark+depth+words+" "+tag+" ", w, th.Signs.Ellipsis))
	}
	return text.Fit(" "+th.Accent.Render(picked)+th.Rule.Render(prefix)+th.Warn.Render(mark)+th.Dim.Render(depth)+words+" "+th.Exit.Render(tag)+" ", w, th.Signs.Ellipsis)
}

// tags says what is special about an alternative: the language of an opening,
// its number among several, what is folded, branches that end here.
func (t *Tree) tags(l line, k knot, turn story.Turn) string {
	words := t.env.Text
	var tags []string
	if turn.Parent == "" {
		tags = append(tags, words.Language(t.forest.speaks[turn.Playthrough]))
	}
	if k.of > 1 {
		tags = append(tags, fmt.Sprintf(words.Chat.Alt, k.n, k.of))
	}
	if l.hidden > 0 {
		tags = append(tags, fmt.Sprintf(words.Tree.Below, l.hidden))
	}
	for _, b := range t.forest.branches[k.alt.ID] {
		tag := "[" + text.Line(b.Name) + "]"
		if t.edits.Of(k.alt.ID) != nil {
			tag = screen.EditSign + tag
		}
		tags = append(tags, tag)
	}
	for _, b := range t.forest.hidden[k.alt.ID] {
		tags = append(tags, "("+fmt.Sprintf(words.Tree.Hidden, text.Line(b.Name))+")")
	}
	if k.alt.ID == t.here.Leaf && k.alt.ID != "" {
		tags = append(tags, words.Tree.Here)
	}
	return strings.Join(tags, " ")
}

// prefixWithin keeps the right end of a deep prefix.
func prefixWithin(prefix string, w int) string {
	r := []rune(prefix)
	if len(r) > w {
		r = r[len(r)-w:]
	}
	return string(r)
}

// words sums a turn up: a title, else what the player did and what came.
func (t *Tree) words(turn story.Turn, a story.Alternative, n int) string {
	if a.Title != "" {
		return text.Line(a.Title)
	}
	var parts []string
	if s := t.asked(turn); s != "" {
		parts = append(parts, snippet(s, n))
	}
	switch {
	case a.Text != "":
		parts = append(parts, snippet(a.Text, n))
	case len(a.Lines) > 0 && turn.Parent == "":
		parts = append(parts, t.env.Text.Tree.Opening+": "+snippet(a.Lines[0].Text, n))
	case len(a.Lines) > 0:
		parts = append(parts, snippet(a.Lines[0].Text, n))
	case turn.Status == story.Failed:
		parts = append(parts, t.env.Text.Tree.Failed)
	case turn.Status == story.Pending:
		parts = append(parts, t.env.Theme.Signs.Ellipsis)
	}
	return text.Line(strings.Join(parts, " / "))
}

// wording says what a turn's playthrough calls things, as the chat does.
func (t *Tree) wording(turn story.Turn) wording.Wording {
	return wording.Wording{Script: t.env.Session.Script(), Text: t.env.Text, Speaks: t.forest.speaks[turn.Playthrough]}
}

// asked is the player's side of a turn in a few words: what was said, chosen,
// jumped to.
func (t *Tree) asked(turn story.Turn) string {
	in, th, words := turn.Input, t.env.Theme, t.wording(turn)
	var parts []string
	if in.Text != "" {
		parts = append(parts, in.Text)
	}
	switch {
	case turn.Taken != nil:
		parts = append(parts, th.Signs.Arrow+" "+words.Exit(turn.Taken.Exit, turn.Before))
	case in.Choose != "": // a question was asked first
		parts = append(parts, th.Signs.Arrow+" "+words.Exit(in.Choose, turn.Before)+"?")
	case turn.Declined != "":
		parts = append(parts, fmt.Sprintf(t.env.Text.Chat.Declined, words.Exit(turn.Declined, turn.Before)))
	case in.Jump != "":
		parts = append(parts, fmt.Sprintf(t.env.Text.Chat.Jumped, words.Title(in.Jump)))
	}
	if in.Next {
		parts = append(parts, th.Signs.Ellipsis)
	}
	return strings.Join(parts, " ")
}

// preview draws the selected alternative whole.
func (t *Tree) preview(w int) widget.Rows {
	l, ok := t.at()
	if !ok || l.more > 0 {
		return nil
	}
	th, words := t.env.Theme, t.env.Text
	k := t.knot(l)
	turn, a := t.forest.turns[k.turn], k.alt
	rows := widget.Rows{text.Fit(" "+th.Title.Render(fmt.Sprintf(words.Chat.Turn, turn.Depth))+" "+th.Dim.Render(t.wording(turn).Title(a.State.Node)), w, th.Signs.Ellipsis)}
	if in := t.asked(turn); in != "" {
		rows = append(rows, said(words.Chat.You, in, w, th.Player, th)...)
	}
	for _, p := range slices.Concat(a.Lines, []plot.Played{{By: a.Speaker, Text: a.Text}}, a.After) {
		if p.Text != "" {
			rows = append(rows, said(t.wording(turn).Name(p.By), p.Text, w, th.NPC, th)...)
		}
	}
	rows = append(rows, text.Spaces(w))
	if e := t.edits.Of(a.ID); e != nil {
		rows = append(rows, widget.Paragraph(t.env.EditWords(e), 1, w, th.Warn)...)
	} else if t.edits.Any() {
		rows = append(rows, widget.Paragraph(t.env.EditWords(nil), 1, w, th.Dim)...)
	}
	for _, f := range slices.Concat(turn.Fired, a.Fired) {
		rows = append(rows, text.Fit(" "+th.Beat.Render(th.Signs.Beat+" "+f.Beat), w, th.Signs.Ellipsis))
	}
	for _, c := range t.changes(turn, a) {
		rows = append(rows, text.Fit(" "+th.Beat.Render(c), w, th.Signs.Ellipsis))
	}
	if a.Reply != nil {
		info := text.Line(a.Reply.Engine.Name) + "  " + fmt.Sprintf(words.Figure.Seed, a.Reply.Seed)
		rows = append(rows, text.Fit(" "+th.Dim.Render(info), w, th.Signs.Ellipsis))
	}
	return rows
}

func said(name, s string, w int, st style.Style, th *style.Theme) widget.Rows {
	var rows widget.Rows
	if name != "" {
		rows = append(rows, text.Fit(" "+st.Render(text.Line(name)), w, th.Signs.Ellipsis))
	}
	return append(rows, widget.Paragraph(s, 2, w, style.Style{})...)
}

// changes compares the state with the one before the turn.
func (t *Tree) changes(turn story.Turn, a story.Alternative) []string {
	up, known := t.forest.at[turn.Parent]
	if !known {
		return nil
	}
	before := t.forest.knots[up].alt.State.Vars
	var out []string
	for _, v := range t.env.Session.Script().Vars {
		if old, now := before[v.ID], a.State.Vars[v.ID]; old != now {
			out = append(out, v.ID+" "+old.String()+t.env.Theme.Signs.Arrow+now.String())
		}
	}
	return out
}
