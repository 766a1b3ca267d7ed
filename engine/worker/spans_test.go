package worker_test

import (
	"strings"
	"testing"

	"fabula/engine"
)

// Ensure that a stretch holds nothing but the given texts though the model wants
// another, that what follows is free again, and that a stretch which a fork
// begins with is held to them too.
func TestSpans(t *testing.T) {
	c := start(t, "")
	spans := []engine.Span{{Open: "*", Close: "*", Texts: []string{"bow", "nod"}}}
	for _, begin := range []string{"", "*", "*n"} {
		r := ask("say:*dan* Come here. 3 and 4")
		r.Spans = spans
		for _, b := range []byte(begin) {
			r.Begin = append(r.Begin, int32(b))
		}
		got := generate(t, c, r)
		want := "*bow* Come here. 3 and 4"
		if begin == "*n" {
			want = "*nod* Come here. 3 and 4"
		}
		if got.text != want || got.done.Reason != engine.Stop {
			t.Errorf("begun with %q: %q, %+v", begin, got.text, got.done)
		}
	}
	if got := generate(t, c, ask("say:*dan* Come")); !strings.HasPrefix(got.text, "*dan*") {
		t.Errorf("without spans: %q", got.text)
	}
}
