package chat

import (
	"fmt"
	"slices"
	"strings"

	"fabula/tui/style"
	"fabula/tui/text"
	"fabula/tui/widget"
)

// more is the index of the count of choices that are left out.
const more = -1

// choiceRows draws the pending question, the end, and what can be chosen.
func (c *Chat) choiceRows(w int) widget.Rows {
	th, t := c.env.Theme, c.env.Text.Chat
	if len(c.path.steps) == 0 {
		return nil
	}
	var rows widget.Rows
	if q := c.words().Question(c.path.state); q != "" {
		rows = append(rows, text.Fit(" "+th.Exit.Render("? "+q), w, th.Signs.Ellipsis))
	}
	if gone := c.words().Vanished(c.path.state); gone != "" && !c.path.play.Sandbox {
		rows = append(rows, widget.Paragraph(gone, 1, w, th.Warn)...)
	}
	if end := c.words().End(c.path.state); end != "" {
		rows = append(rows, text.Fit(" "+th.Title.Render(end)+" "+th.Dim.Render(t.Epilogue), w, th.Signs.Ellipsis))
	}
	return append(rows, c.offerRows(w)...)
}

// choice is one offer as drawn: the key, the label, what closes it.
type choice struct {
	index      int
	open       bool
	head, body string
	style      style.Style
}

// reasonShort is how much of a reason is shown where choices are many.
const reasonShort = 18

// choices lists what can be chosen. Short cuts the reasons of closed ones and
// puts the open ones first; every choice keeps its number.
func (c *Chat) choices(short bool) []choice {
	th := c.env.Theme
	var out []choice
	for i, o := range c.path.offers {
		x := choice{i, o.Open, c.choiceKey(i) + " ", text.Line(o.Label), th.Exit}
		if c.Streaming() {
			x.style = th.Dim // what can be chosen afterwards may differ
		}
		if !o.Open {
			why := text.Line(o.Why)
			if short && text.Width(why) > reasonShort {
				why = strings.TrimRight(text.Fit(why, reasonShort, th.Signs.Ellipsis), " ")
			}
			x.body, x.style = x.body+" ("+fmt.Sprintf(c.env.Text.Chat.Closed, why)+")", th.Dim
		}
		out = append(out, x)
	}
	if short {
		slices.SortStableFunc(out, func(a, b choice) int {
			switch {
			case a.open == b.open:
				return 0
			case a.open:
				return -1
			}
			return 1
		})
	}
	return out
}

// choiceKey is the key that takes choice i; from 10 on there is only the list.
func (c *Chat) choiceKey(i int) string {
	if c.reading || i >= 9 {
		return fmt.Sprint(i + 1)
	}
	return fmt.Sprintf("alt+%d", i+1)
}

// offerRows draws the choices: in full where they fit, else with short reasons,
// else with a count of those that are left out.
func (c *Chat) offerRows(w int) widget.Rows {
	limit := 3
	if c.h >= 32 {
		limit = 5
	}
	rows, left := c.layOffers(c.choices(false), w, limit)
	if left > 0 {
		rows, _ = c.layOffers(c.choices(true), w, limit)
	}
	return rows
}

// moreRoom is kept free in the last row for the count of what is left out.
const moreRoom = 20

// layOffers flows choices into at most limit rows and says how many are left out.
func (c *Chat) layOffers(all []choice, w, limit int) (rows widget.Rows, left int) {
	th := c.env.Theme
	var b strings.Builder
	used := 1
	for i, x := range all {
		room := func() int {
			if len(rows) == limit-1 && i < len(all)-1 {
				return w - 1 - moreRoom
			}
			return w - 1
		}
		n := text.Width(x.head) + text.Width(x.body)
		if used > 1 && used+n > room() {
			if len(rows) == limit-1 {
				left = len(all) - i
				head, words := c.choiceKey(more)+" ", fmt.Sprintf(c.env.Text.Chat.MoreChoices, left)
				b.WriteString(c.hits.offers.Item(len(all), th.Key.Render(head)+th.Dim.Render(words)))
				break
			}
			rows = append(rows, text.Fit(" "+b.String(), w, ""))
			b.Reset()
			used = 1
		}
		if used+n > room() {
			x.body = strings.TrimRight(text.Fit(x.body, room()-used-text.Width(x.head), th.Signs.Ellipsis), " ")
			n = text.Width(x.head) + text.Width(x.body)
		}
		b.WriteString(c.hits.offers.Item(x.index, th.Key.Render(x.head)+x.style.Render(x.body)) + "  ")
		used += n + 2
	}
	if used > 1 {
		rows = append(rows, text.Fit(" "+b.String(), w, ""))
	}
	return rows, left
}
