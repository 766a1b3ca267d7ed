package inspect

import (
	"fmt"
	"strings"

	"fabula/story/prompt"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// recall draws the lore that fired and by which words, what was remembered and
// why, and what was left out.
func (d *drawing) recall(h int) {
	step, _ := d.x.step()
	t := d.x.words()
	if step.Alternative.Reply == nil {
		d.dim(t.NoPrompt)
		return
	}
	if !d.x.sent.ok {
		d.dim(t.Reading)
		return
	}
	d.kind(prompt.Lore, t.Lore, t.NoLore)
	d.kind(prompt.Memory, t.Memory, t.NoMemory)
	if all := step.Alternative.Reply.Dropped; len(all) > 0 {
		d.head(t.LeftOut)
		for _, x := range all {
			d.rows = append(d.rows, text.Fit(fmt.Sprintf(" - %s  %d  %s", text.Line(d.x.named(x.What)), x.Tokens, d.th.Dim.Render(d.x.why(x.Why))), d.w, d.th.Signs.Ellipsis))
		}
	}
	d.scrolled(h)
}

// named gives what was dropped with turns by their numbers.
func (x *Inspector) named(what string) string {
	for _, s := range x.steps {
		if id := string(s.Turn.ID); strings.Contains(what, id) {
			what = strings.ReplaceAll(what, id, fmt.Sprintf(x.words().InTurn, s.Turn.Depth))
		}
	}
	return what
}

func (x *Inspector) why(code string) string {
	if words, ok := x.words().Whys[code]; ok {
		return words
	}
	return text.Line(code)
}

// kind lists the segments of a kind with what called for each.
func (d *drawing) kind(k prompt.Kind, head, none string) {
	t := d.x.words()
	d.head(head)
	any := false
	for _, s := range d.x.sent.Segments {
		if s.Kind != k {
			continue
		}
		any = true
		why := ""
		switch {
		case len(s.Because) > 0:
			why = fmt.Sprintf(t.Because, "“"+text.Line(strings.Join(s.Because, d.x.env.Text.Way.List))+"”")
		case k == prompt.Lore:
			why = t.Always
		}
		d.rows = append(d.rows, text.Fit(fmt.Sprintf(" %s  %d  %s", d.th.Beat.Render(text.Line(d.x.named(s.Source))), s.Tokens, d.th.Dim.Render(why)), d.w, d.th.Signs.Ellipsis))
		d.rows = append(d.rows, widget.Paragraph(strings.TrimSpace(s.Text), 3, d.w, style.Style{})...)
	}
	if !any {
		d.dim(none)
	}
}
