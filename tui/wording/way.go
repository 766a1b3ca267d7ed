package wording

import (
	"fmt"
	"strings"

	"fabula/story/check/space"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// Telling reports whether a way says more than that play has begun.
func Telling(way []space.Step) bool { return len(way) > 1 || len(way) == 1 && way[0].Language != "" }

// Way words a way through a world, one line a step. Ids stand as the author
// wrote them.
func Way(way []space.Step, t *lang.Strings) []string {
	var out []string
	for i, s := range way {
		line := fmt.Sprintf("%d. %s", i, stepOf(&s, &t.Way))
		if i == 0 {
			line = fmt.Sprintf("%d. "+t.Way.Start, i, text.Line(s.Node))
			if s.Language != "" {
				line += " (" + t.Language(s.Language) + ")"
			}
		} else if s.Node != way[i-1].Node {
			line += " → " + text.Line(s.Node)
		}
		for _, c := range s.Changes {
			line += t.Way.Then + text.Line(c.Name) + " " + text.Line(c.Before) + " → " + text.Line(c.After)
		}
		if s.Forced {
			line += " (" + t.Way.Forced + ")"
		}
		out = append(out, line)
	}
	return out
}

func stepOf(s *space.Step, t *lang.Way) string {
	parts := []string{sayOf(s, t)}
	if len(s.Fired) > 0 {
		parts = append(parts, fmt.Sprintf(t.Beats, list(s.Fired, t)))
	}
	for _, r := range s.Replies {
		if said := replyOf(&r, t); said != "" {
			parts = append(parts, said)
		}
	}
	return strings.Join(parts, t.And)
}

// sayOf words the player's side.
func sayOf(s *space.Step, t *lang.Way) string {
	var parts []string
	switch {
	case s.Next:
		parts = append(parts, t.Next)
	case s.Say != "" && (s.Yes || s.Exit != "" || len(s.Fired) > 0):
		parts = append(parts, fmt.Sprintf(t.Say, text.Line(s.Say)))
	case s.Choose == "":
		parts = append(parts, t.SayAny)
	case s.Say != "":
		parts = append(parts, t.SayAny, fmt.Sprintf(t.Choose, text.Line(s.Choose)))
	}
	if s.To != "" && len(parts) > 0 && notable(s.Replies) {
		parts[0] += " " + fmt.Sprintf(t.To, text.Line(s.To))
	}
	switch {
	case s.Choose != "" && len(parts) < 2:
		parts = append(parts, fmt.Sprintf(t.Choose, text.Line(s.Choose)))
	case s.Exit != "" && s.Asks:
		parts = append(parts, fmt.Sprintf(t.Asks, text.Line(s.Exit)))
	case s.Exit != "":
		parts = append(parts, fmt.Sprintf(t.Takes, text.Line(s.Exit)))
	}
	return strings.Join(parts, t.And)
}

// notable reports whether it matters who replies.
func notable(replies []space.Reply) bool {
	for _, r := range replies {
		if len(r.Fired)+len(r.Told)+len(r.Said) > 0 {
			return true
		}
	}
	return false
}

// replyOf words what an NPC does; empty where nothing comes of it.
func replyOf(r *space.Reply, t *lang.Way) string {
	var parts []string
	if notable([]space.Reply{*r}) {
		who := fmt.Sprintf(t.RepliesAny, text.Line(r.NPC))
		if r.Text != "" {
			who = fmt.Sprintf(t.Replies, text.Line(r.NPC), text.Line(r.Text))
		}
		parts = append(parts, who)
	}
	for _, x := range []struct {
		words string
		ids   []string
	}{{t.Beats, r.Fired}, {t.Tells, r.Told}, {t.Brings, r.Said}} {
		if len(x.ids) > 0 {
			parts = append(parts, fmt.Sprintf(x.words, list(x.ids, t)))
		}
	}
	if r.Auto != "" {
		parts = append(parts, fmt.Sprintf(t.ByItself, text.Line(r.Auto)))
	}
	return strings.Join(parts, t.And)
}

func list(ids []string, t *lang.Way) string { return text.Line(strings.Join(ids, t.List)) }
