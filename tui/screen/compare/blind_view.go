package compare

import (
	"fmt"
	"slices"

	"fabula/story/lab/vote"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// sidesApart is the width from which scenes stand beside each other: sooner than
// in a comparison, because what is above is read first and liked better.
const sidesApart = 76

// viewVote draws the vote: both sides above, the questions below.
func (v *Compare) viewVote() widget.Rows {
	b, th, t := v.blind, v.env.Theme, v.env.Text.Vote
	done, of := b.s.Progress()
	rows := widget.Rows{widget.Rule(t.Title, fmt.Sprintf(t.Voter, b.s.Voter, done, of), v.w, th)}
	if !b.more {
		return append(rows, b.list.Scroll(v.spoken(), v.h-1)...).Fit(v.w, v.h)
	}
	h := max(v.h-1-askedRows, 1)
	scenes := v.scenes()
	rows = append(rows, b.list.Scroll(scenes, h).Fit(v.w, h)...)
	hidden := ""
	if n := len(scenes); n > h { // rows seen, of all
		hidden = fmt.Sprintf("j k  %d-%d/%d", b.list.At()+1, min(b.list.At()+h, n), n)
	}
	return append(rows, v.questions(hidden)...).Fit(v.w, v.h)
}

// spoken draws the verdict.
func (v *Compare) spoken() widget.Rows {
	rows := widget.Paragraph(v.env.Text.Vote.Finished, 1, v.w, v.env.Theme.Title)
	for _, line := range v.blind.verdict {
		if line == "" {
			rows = append(rows, text.Spaces(v.w))
			continue
		}
		rows = append(rows, widget.Flow([]widget.Run{{Text: line}}, 1, v.w)...)
	}
	return rows
}

// scenes draws what was before, then the two sides.
func (v *Compare) scenes() widget.Rows {
	b, th, t := v.blind, v.env.Theme, v.env.Text.Vote
	var rows widget.Rows
	for _, l := range b.it.Before {
		rows = append(rows, widget.Flow([]widget.Run{{Text: said(l), Style: th.Dim}}, 1, v.w)...)
	}
	if len(rows) > 0 {
		rows = append(rows, text.Spaces(v.w))
	}
	if v.w < sidesApart {
		rows = append(rows, v.scene(t.Left, b.it.Left, v.w)...)
		rows = append(rows, text.Spaces(v.w))
		return append(rows, v.scene(t.Right, b.it.Right, v.w)...)
	}
	half := (v.w - 1) / 2
	left, right := v.scene(t.Left, b.it.Left, half), v.scene(t.Right, b.it.Right, v.w-half-1)
	n := max(len(left), len(right))
	return append(rows, widget.Beside(left.Fit(half, n), right.Fit(v.w-half-1, n), th.Rule.Render(th.Signs.V))...)
}

// said is an utterance with its speaker's name.
func said(l vote.Line) string {
	if l.By == "" {
		return l.Text
	}
	return l.By + "  " + l.Text
}

// scene draws one side as far as it is seen. Both heads look alike.
func (v *Compare) scene(head string, lines []vote.Line, w int) widget.Rows {
	th := v.env.Theme
	rows := widget.Rows{text.Fit(" "+th.Title.Render(head), w, "")}
	left := v.blind.shown
	for _, l := range lines {
		r := []rune(l.Text)
		l.Text = string(r[:min(len(r), max(left, 0))])
		if left -= len(r); l.Text == "" {
			break
		}
		runs := []widget.Run{{Text: l.Text}}
		if l.By != "" {
			runs = []widget.Run{{Text: l.By + "  ", Style: th.Dim}, {Text: l.Text}}
		}
		rows = append(rows, widget.Flow(runs, 1, w)...)
	}
	return rows
}

// askedRows is the height of what questions draws.
const askedRows = 5

// questions draws what is asked, what was answered, and the reasons; hidden says
// how much of the scenes is not seen.
func (v *Compare) questions(hidden string) widget.Rows {
	b, th, t := v.blind, v.env.Theme, v.env.Text.Vote
	rows := widget.Rows{widget.Rule(fmt.Sprintf(t.Item, b.it.Number, b.it.Of), hidden, v.w, th)}
	words := map[vote.Choice]string{vote.First: t.Left, vote.Second: t.Right, vote.Tie: t.Tie.Name}
	for i, q := range vote.Questions() {
		line, answer := t.Questions[string(q)], ""
		if i < len(b.answers) {
			answer = "  " + words[b.answers[i]]
		}
		if i == len(b.answers) {
			rows = append(rows, th.Selected.Render(text.Fit(th.Signs.Select+line, v.w, th.Signs.Ellipsis)))
			continue
		}
		rows = append(rows, text.Fit("  "+th.Dim.Render(line)+th.Title.Render(answer), v.w, th.Signs.Ellipsis))
	}
	line := "  " + t.Tags
	for i, r := range reasons() {
		word := fmt.Sprintf("%d %s", i+5, t.Reasons[r])
		if slices.Contains(b.tags, r) {
			word = th.Selected.Render(th.Signs.Select + word)
		}
		line += "  " + word
	}
	return append(rows, text.Fit(line, v.w, th.Signs.Ellipsis))
}
