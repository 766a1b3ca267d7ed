package chat

import (
	"fmt"
	"strings"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// gutter is the columns before the names: selection and sign.
const gutter = 3

// page draws the rows of one turn: names in a column, speech beside it.
type page struct {
	c     *Chat
	th    *style.Theme
	w     int
	label int // columns of the names
	rows  widget.Rows
}

func (c *Chat) page(w int) *page {
	return &page{c: c, th: c.env.Theme, w: w, label: c.labelWidth(w)}
}

// labelWidth is the room for names: the widest in the world, within reason.
func (c *Chat) labelWidth(w int) int {
	s := c.env.Session.Script()
	n := text.Width(c.env.Text.Chat.You)
	for _, p := range s.Personas {
		n = max(n, text.Width(p.Name.In(c.Speaks(), s.Languages...)))
	}
	return min(n, max(w/6, 6))
}

// longestRow is the most columns of speech: longer rows are hard to follow.
const longestRow = 100

// body is the columns for speech.
func (p *page) body() int { return min(p.w-gutter-p.label-3, longestRow) }

func (p *page) add(sign, label, body string) {
	p.rows = append(p.rows, text.Fit(" "+sign+" "+label+"  "+body, p.w, p.th.Signs.Ellipsis))
}

// speech draws one utterance; spans are drawn in their own style.
func (p *page) speech(sign string, label style.Style, name, body string, base style.Style, spans []span) {
	head := label.Render(text.Fit(name, p.label, p.th.Signs.Ellipsis))
	if sign == "" {
		sign = " "
	}
	off := 0
	for _, row := range text.Wrap(body, p.body()) {
		at := off + max(strings.Index(body[off:], row), 0)
		p.add(p.th.Dim.Render(sign), head, paint(row, at, spans, base, p.th.Cue))
		off = at + len(row)
		head, sign = text.Spaces(p.label), " "
	}
}

// span is bytes [from,to) of a text.
type span struct{ from, to int }

// paint draws a row that begins at byte at of its text.
func paint(row string, at int, spans []span, base, special style.Style) string {
	var b strings.Builder
	done := 0
	for _, s := range spans {
		from, to := min(max(s.from-at, done), len(row)), min(max(s.to-at, done), len(row))
		if from < to {
			b.WriteString(base.Render(row[done:from]) + special.Render(row[from:to]))
			done = to
		}
	}
	b.WriteString(base.Render(row[done:]))
	return b.String()
}

// note draws a remark below speech, wrapped.
func (p *page) note(sign string, st style.Style, s string) {
	if sign == "" {
		sign = " "
	}
	for _, row := range text.Wrap(text.Sanitise(s), p.body()) {
		p.add(st.Render(sign), text.Spaces(p.label), st.Render(row))
		sign = " "
	}
}

// gap leaves a row blank between turns.
func (p *page) gap() {
	p.rows = append(p.rows, text.Spaces(p.w))
}

// place draws the heading of a node that was entered.
func (p *page) place(node string) {
	p.rows = append(p.rows, widget.Rule(p.c.words().Title(node), "", p.w, p.th))
}

// input draws what the player did.
func (p *page) input(in story.Input) {
	t := p.c.env.Text.Chat
	you := p.c.player()
	switch {
	case in.Text != "":
		body := text.Sanitise(in.Text)
		if in.To != "" {
			body = "@" + p.c.words().Name(in.To) + " " + body
		}
		p.speech("", p.th.Player, you, body, style.Style{}, nil)
	case in.Jump != "":
		p.note(p.th.Signs.Arrow, p.th.Exit, fmt.Sprintf(t.Jumped, p.c.words().Title(in.Jump)))
	case in.Next && in.To == "": // with To, the cast answers one after another
		p.speech("", p.th.Player, you, t.NextSpeaks, p.th.Dim, nil)
	}
}

func (c *Chat) player() string { return c.env.Text.Chat.You }

// played draws authored lines; narration has no name.
func (p *page) played(lines []plot.Played) {
	for _, l := range lines {
		body, directions := text.Sanitise(l.Text), p.c.words().Directions(l.Cues)
		for _, cue := range directions {
			body += cue
		}
		spans := tail(body, directions)
		if l.By == "" {
			p.speech(p.th.Signs.Authored, p.th.Dim, "", body, p.th.Told, spans)
			continue
		}
		p.speech(p.th.Signs.Authored, p.th.NPC, p.c.words().Name(l.By), body, style.Style{}, spans)
	}
}

// tail gives the spans of the cues appended to a body.
func tail(body string, cues []string) []span {
	at := len(body)
	for i := len(cues) - 1; i >= 0; i-- {
		at -= len(cues[i])
	}
	if at == len(body) {
		return nil
	}
	return []span{{at, len(body)}}
}

// fired draws beats: what fired, on which words, and what changed.
func (p *page) fired(beats []plot.Fired) {
	for _, f := range beats {
		s := f.Beat
		if f.Evidence.Quote != "" {
			s += fmt.Sprintf(" “%s”", text.Line(f.Evidence.Quote))
		}
		p.note(p.th.Signs.Beat, p.th.Beat, s+changes(f.Changes, p.th))
	}
}

// doubts draws beats that may have happened.
func (p *page) doubts(all []plot.Doubt) {
	for _, d := range all {
		p.note("?", p.th.Dim, fmt.Sprintf(p.c.env.Text.Chat.MayBeBeat, d.Beat, text.Line(d.Evidence.Quote)))
	}
}

// taken draws an exit that was taken, with the state that came of it.
func (p *page) taken(t *plot.Taken, st plot.State) {
	if t == nil {
		return
	}
	p.note(p.th.Signs.Arrow, p.th.Exit, p.c.words().Taken(t, st)+changes(t.Changes, p.th))
}

func changes(all []plot.Change, th *style.Theme) string {
	var parts []string
	for _, ch := range all {
		parts = append(parts, fmt.Sprintf("%s %s%s%s", ch.Var, ch.Before, th.Signs.Arrow, ch.After))
	}
	if len(parts) == 0 {
		return ""
	}
	return "  " + strings.Join(parts, "  ")
}
