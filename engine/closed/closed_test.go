package closed_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/closed"
)

// vocabulary is single bytes, and tokens that cross the marks as real ones do.
func vocabulary() [][]byte {
	var out [][]byte
	for b := range 256 {
		out = append(out, []byte{byte(b)})
	}
	for _, s := range []string{"", "**", " *", "*n", "*nod", "nod*", "od", "* ", "*\n", "sigh", "*s", "gh* Fine", "*dance*", "点头", "*点", "头*"} {
		out = append(out, []byte(s))
	}
	return out
}

func spans() []engine.Span {
	return []engine.Span{{Open: "*", Close: "*", Texts: []string{"nod", "sigh", "点头", "no"}}}
}

// Ensure that whatever is drawn, stretches hold nothing but the given texts, and
// that what is outside stays free.
func TestOnlyTheGivenTexts(t *testing.T) {
	v := vocabulary()
	a := closed.New(spans(), v)
	r := rand.New(rand.NewPCG(1, 2))
	closedOnes := map[string]bool{}
	for range 200 {
		var text strings.Builder
		state := closed.Outside
		for text.Len() < 200 || state != closed.Outside {
			mask := a.Mask(state)
			id := r.IntN(len(v))
			if r.IntN(3) == 0 {
				id = 256 + r.IntN(len(v)-256)
			}
			if mask != nil && !mask[id] || mask == nil && slices.Contains(a.Banned(), int32(id)) {
				continue
			}
			var ok bool
			if state, ok = a.Next(state, v[id]); !ok {
				t.Fatalf("token %q was allowed and leads nowhere", v[id])
			}
			text.Write(v[id])
		}
		for i, part := range strings.Split(text.String(), "*") {
			if i%2 == 1 {
				closedOnes[part] = true
				if !slices.Contains(spans()[0].Texts, part) {
					t.Fatalf("%q in %q", part, text.String())
				}
			}
		}
	}
	for _, want := range spans()[0].Texts {
		if !closedOnes[want] {
			t.Errorf("%q was never drawn", want)
		}
	}
}

// Ensure that a turn cannot end inside, that every state has a way on, and that
// spans which restrict nothing ban nothing.
func TestNoDeadEnd(t *testing.T) {
	v := vocabulary()
	a := closed.New(spans(), v)
	state, _ := a.Next(closed.Outside, []byte("Fine. *s"))
	for state != closed.Outside {
		mask := a.Mask(state)
		if mask[256] {
			t.Error("a token without bytes is allowed inside")
		}
		id := slices.Index(mask, true)
		if id < 0 {
			t.Fatal("no token leads on")
		}
		state, _ = a.Next(state, v[id])
	}
	free := closed.New([]engine.Span{{Open: "<<", Close: ">"}, {Open: "*", Close: "*"}}, v)
	if len(free.Banned()) != 0 {
		t.Errorf("%d tokens are banned", len(free.Banned()))
	}
}

// Ensure that a text which holds the closing mark neither takes another one's
// end away nor leaves a stretch without an end, in whatever order they come.
func TestTextsThatHoldTheClosingMark(t *testing.T) {
	pieces := [][]byte{[]byte("*"), []byte("nods"), []byte("s")}
	for _, texts := range [][]string{{"nods", "nods*s"}, {"nods*s", "nods"}} {
		a := closed.New([]engine.Span{{Open: "*", Close: "*", Texts: texts}}, pieces)
		if to, ok := a.Next(closed.Outside, []byte("*nods*")); !ok || to != closed.Outside {
			t.Errorf("%q: a stretch is at state %d, %t", texts, to, ok)
		}
	}
	a := closed.New([]engine.Span{{Open: "*", Close: "*", Texts: []string{"a*b"}}}, pieces)
	if to, ok := a.Next(closed.Outside, []byte("*")); !ok || to != closed.Outside {
		t.Errorf("a mark that leads nowhere opens state %d, %t", to, ok)
	}
}
