package prompt

import (
	"strings"

	"fabula/engine"
)

// class says in which order parts may be dropped; what is required never is.
type class int

const (
	required class = iota
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
	verbatim bool   // the text stays byte for byte as it is
}

// kept gives the segments that are in, with line breaks between neighbours of
// one message. A break belongs to the text before it, except after a verbatim
// text, so that a text never changes when something is appended behind it.
func kept(items []item) []Segment {
	var out []Segment
	for _, it := range items {
		if it.dropped == "" {
			out = append(out, it.Segment)
		}
	}
	verbatim := make([]bool, 0, len(out))
	for _, it := range items {
		if it.dropped == "" {
			verbatim = append(verbatim, it.verbatim)
		}
	}
	for i := 1; i < len(out); i++ {
		if out[i].Role != out[i-1].Role || strings.HasSuffix(out[i-1].Text, "\n") {
			continue
		}
		if verbatim[i-1] {
			out[i].Text = "\n" + out[i].Text
		} else {
			out[i-1].Text += "\n"
		}
	}
	return out
}

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
