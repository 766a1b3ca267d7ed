package prompt

import (
	"strings"

	"fabula/engine"
)

// class says in which order parts may be dropped; what is required never is.
type class int

const (
	required class = iota
	recollection
	pastPoint
	keyedLore
	volatileSample
	stableSample
	stableLore
)

// item is a segment on its way into a prompt.
type item struct {
	Segment
	drop     class
	rank     int    // of its class; the highest is dropped first
	dropped  string // why it is left out, empty while it is in
	heading  string // goes before the first of a run that share it
	verbatim bool   // the text stays byte for byte as it is
}

// kept gives the segments that are in, with line breaks between neighbours of
// one message. A break belongs to the text before it, except after a verbatim
// text, so that a text never changes when something is appended behind it.
func kept(items []item) []Segment {
	var out []Segment
	var before item
	for _, it := range items {
		if it.dropped != "" {
			continue
		}
		s := it.Segment
		if it.heading != before.heading && it.heading != "" {
			s.Text = it.heading + "\n" + s.Text
		}
		if n := len(out); n > 0 && out[n-1].Role == s.Role && !strings.HasSuffix(out[n-1].Text, "\n") {
			if before.verbatim {
				s.Text = "\n" + s.Text
			} else {
				out[n-1].Text += "\n"
			}
		}
		out = append(out, s)
		before = it
	}
	return out
}

// Messages lays segments out as the messages that are sent: neighbours of one
// role are one message, each segment a part of it.
func Messages(segments []Segment) []engine.Message { return messages(segments) }

// messages joins neighbours of one role: templates want roles to alternate.
func messages(segments []Segment) []engine.Message {
	var out []engine.Message
	for _, s := range segments {
		if n := len(out); n == 0 || out[n-1].Role != s.Role {
			out = append(out, engine.Message{Role: s.Role})
		}
		m := &out[len(out)-1]
		m.Parts = append(m.Parts, s.Text)
	}
	return out
}
