package chat

import (
	"strings"
	"unicode/utf8"
)

// Holder lets text through until a stop string is complete. It holds back only
// the end of the text that may be the beginning of a stop string, so nothing of
// one is ever shown, and anything else is shown at once.
//
// The stop string that is complete first counts, of several complete at the
// same character the longest; so the result does not depend on how the text was
// cut into tokens.
type Holder struct {
	stops []string
	held  string
	hit   string
}

// NewHolder watches for stop strings. Empty ones are left out, and so are ones
// that are not valid UTF-8, since they cannot occur in whole characters.
func NewHolder(stops []string) *Holder {
	h := &Holder{}
	for _, s := range stops {
		if s != "" && utf8.ValidString(s) {
			h.stops = append(h.stops, s)
		}
	}
	return h
}

// Write takes the next whole characters and returns what may be shown. After
// stopped is true, nothing more is shown and Write ignores its text.
func (h *Holder) Write(text string) (shown string, stopped bool) {
	if h.hit != "" {
		return "", true
	}
	all := h.held + text
	for end := len(h.held) + 1; end <= len(all); end++ {
		if h.hit = h.complete(all[:end]); h.hit != "" {
			h.held = ""
			return all[:end-len(h.hit)], true
		}
	}
	keep := h.ambiguous(all)
	h.held = all[keep:]
	return all[:keep], false
}

// complete finds the longest stop string that text ends with.
func (h *Holder) complete(text string) string {
	longest := ""
	for _, s := range h.stops {
		if len(s) > len(longest) && strings.HasSuffix(text, s) {
			longest = s
		}
	}
	return longest
}

// ambiguous gives the offset from which text may begin a stop string.
func (h *Holder) ambiguous(text string) int {
	start := len(text)
	for _, s := range h.stops {
		for n := min(len(s)-1, len(text)); n > len(text)-start; n-- {
			if strings.HasSuffix(text, s[:n]) {
				start = len(text) - n
				break
			}
		}
	}
	return start
}

// Flush ends the text without a stop and returns what was held back, which is
// now certain.
func (h *Holder) Flush() string {
	tail := h.held
	h.held = ""
	return tail
}

// Stop is the stop string that was hit, empty if none was.
func (h *Holder) Stop() string { return h.hit }
