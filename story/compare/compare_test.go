package compare_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/story"
	"fabula/story/compare"
	"fabula/story/plot"
)

// marked writes spans with brackets around what stands on one side only.
func marked(spans []compare.Span) string {
	var b strings.Builder
	for _, s := range spans {
		if s.Op == compare.Only {
			b.WriteString("[" + s.Text + "]")
		} else {
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

func TestText(t *testing.T) {
	for _, tc := range []struct{ a, b, wantA, wantB string }{
		{"same", "same", "same", "same"},
		{"", "new", "", "[new]"},
		{"The fox lit the lamp.", "The fox put out the lamp.", "The fox [lit] the lamp.", "The fox [put out] the lamp."},
		{"那你得先把名字留在簿子上。", "那你得先把姓氏留在簿子上。", "那你得先把[名字]留在簿子上。", "那你得先把[姓氏]留在簿子上。"},
		{"灯是狐狸点的", "灯不是狐狸点的", "灯是狐狸点的", "灯[不]是狐狸点的"},
		// One word that changed a little is compared by its letters.
		{"eleven lanterns hang", "eleven lantern hangs", "eleven lantern[s] hang", "eleven lantern hang[s]"},
		// What is equal by chance is not picked out of a whole sentence.
		{"I saw a fox", "You had a cup", "[I saw a fox]", "[You had a cup]"},
		{"用 phone 打给老周", "用 lamp 照着老周", "用 [phone 打给]老周", "用 [lamp 照着]老周"},
	} {
		a, b := compare.Text(tc.a, tc.b)
		if marked(a) != tc.wantA || marked(b) != tc.wantB {
			t.Errorf("%q and %q: %q and %q, want %q and %q", tc.a, tc.b, marked(a), marked(b), tc.wantA, tc.wantB)
		}
	}
}

func joined(spans []compare.Span, op compare.Op) (all, same string) {
	for _, s := range spans {
		all += s.Text
		if s.Op == op {
			same += s.Text
		}
	}
	return all, same
}

// Ensure that the spans of each side are that side, that what is called the
// same is the same on both, and that equal texts have no difference.
func TestTextHolds(t *testing.T) {
	piece := rapid.SampledFrom([]string{"灯", "狐狸", "lamp", "lamps", " ", "，", "。", "é", "👍🏽", "a", "the", "\n"})
	rapid.Check(t, func(t *rapid.T) {
		x := strings.Join(rapid.SliceOf(piece).Draw(t, "x"), "")
		y := strings.Join(rapid.SliceOf(piece).Draw(t, "y"), "")
		a, b := compare.Text(x, y)
		allA, sameA := joined(a, compare.Same)
		allB, sameB := joined(b, compare.Same)
		if allA != x || allB != y {
			t.Fatalf("%q and %q came out as %q and %q", x, y, allA, allB)
		}
		if sameA != sameB {
			t.Fatalf("what is the same differs: %q and %q", sameA, sameB)
		}
		if x == y && sameA != x {
			t.Fatalf("%q is not the same as itself: %v", x, a)
		}
	})
}

// Ensure that two texts read as one hold both.
func TestUnified(t *testing.T) {
	piece := rapid.SampledFrom([]string{"灯", "狐狸", "lamp", " ", "，", "a", "the", "\n"})
	rapid.Check(t, func(t *rapid.T) {
		x := strings.Join(rapid.SliceOf(piece).Draw(t, "x"), "")
		y := strings.Join(rapid.SliceOf(piece).Draw(t, "y"), "")
		a, b := "", ""
		for _, p := range compare.Unified(x, y) {
			if p.Side != compare.InB {
				a += p.Text
			}
			if p.Side != compare.InA {
				b += p.Text
			}
		}
		if a != x || b != y {
			t.Fatalf("%q and %q came out as %q and %q", x, y, a, b)
		}
	})
}

// step makes a turn: id, what was said, what was answered.
func step(id, said, reply string) story.Step {
	return story.Step{
		Turn:        story.Turn{ID: story.ID("t" + id), Input: story.Input{Text: said}},
		Alternative: story.Alternative{ID: story.ID("a" + id), Speaker: "laozhou", Text: reply, State: plot.State{Node: "hall"}},
	}
}

func kinds(c *compare.Comparison) []compare.Row { return c.Rows }

func TestPaths(t *testing.T) {
	shared := []story.Step{step("0", "", "A room?"), step("1", "Who lit the lamp?", "A fox.")}
	a := append(shared[:2:2], step("2", "Take me there.", "Sign first."), step("3", "I sign the book.", "Good."))
	b := append(shared[:2:2], step("4", "What do you sell?", "Buns, and tea."), step("5", "Take me there.", "Sign the book first."), step("6", "I sign the book.", "Good."), step("7", "Good night!", "Sleep."))
	c := compare.Paths(a, b)
	want := []compare.Row{{Kind: compare.OnlyB, A: -1, B: 2}, {Kind: compare.Changed, A: 2, B: 3}, {Kind: compare.Equal, A: 3, B: 4}, {Kind: compare.OnlyB, A: -1, B: 5}}
	if diff := cmp.Diff(want, kinds(c)); diff != "" || c.Shared != 2 {
		t.Errorf("shared %d (-want +got):\n%s", c.Shared, diff)
	}
	if c.Next(1, 1) != 3 || c.Next(3, -1) != 1 || c.Next(3, 1) != 3 || c.Differences() != 3 {
		t.Errorf("next of 1 is %d, of 3 back %d, of 3 on %d; %d differences", c.Next(1, 1), c.Next(3, -1), c.Next(3, 1), c.Differences())
	}
	if s := c.Swap(); len(s.Rows) != 4 || s.Rows[0].Kind != compare.OnlyA {
		t.Errorf("swapped: %+v", s.Rows)
	}
}

// Ensure that alternatives of one turn stand beside each other whatever was
// answered, and turns that are like none as they come.
func TestPairs(t *testing.T) {
	one := step("1", "Hello", "A room?")
	other := one
	other.Alternative.ID, other.Alternative.Text = "b1", "Nothing in common at all"
	if c := compare.Paths([]story.Step{one}, []story.Step{other}); len(c.Rows) != 1 || c.Rows[0].Kind != compare.Changed {
		t.Errorf("alternatives of one turn: %+v", c.Rows)
	}
	far := step("9", "Where is the well?", "Behind the kitchen.")
	far.Alternative.State.Node = "yard"
	if c := compare.Paths([]story.Step{one}, []story.Step{far}); len(c.Rows) != 1 || c.Rows[0].Kind != compare.Apart {
		t.Errorf("turns that are like none: %+v", c.Rows)
	}
}

// Ensure that every step after the shared ones is in exactly one row, in order.
func TestPathsHold(t *testing.T) {
	words := rapid.SampledFrom([]string{"hello", "who lit the lamp", "灯是谁点的", "sign the book", "good night"})
	rapid.Check(t, func(t *rapid.T) {
		side := func(name string) []story.Step {
			var out []story.Step
			for i, w := range rapid.SliceOfN(words, 0, 12).Draw(t, name) {
				out = append(out, step(name+string(rune('a'+i)), w, w))
			}
			return out
		}
		a, b := side("a"), side("b")
		c := compare.Paths(a, b)
		nextA, nextB := c.Shared, c.Shared
		for _, r := range c.Rows {
			if r.A >= 0 {
				if r.A != nextA {
					t.Fatalf("A goes from %d to %d: %+v", nextA, r.A, c.Rows)
				}
				nextA++
			}
			if r.B >= 0 {
				if r.B != nextB {
					t.Fatalf("B goes from %d to %d: %+v", nextB, r.B, c.Rows)
				}
				nextB++
			}
		}
		if nextA != len(a) || nextB != len(b) {
			t.Fatalf("rows end at %d and %d of %d and %d", nextA, nextB, len(a), len(b))
		}
	})
}

func TestDetail(t *testing.T) {
	a, b := step("1", "Hello", "A room?"), step("2", "Hello", "A bun?")
	a.Alternative.State.Vars = map[string]plot.Value{"trust": plot.IntValue(1), "signed": plot.BoolValue(true)}
	b.Alternative.State.Vars = map[string]plot.Value{"trust": plot.IntValue(2), "signed": plot.BoolValue(true)}
	b.Alternative.State.Node = "kitchen"
	a.Turn.Fired = []plot.Fired{{Beat: "hall.asks"}, {Beat: "hall.greets"}}
	b.Alternative.Fired = []plot.Fired{{Beat: "hall.greets"}}
	c := compare.Paths([]story.Step{a}, []story.Step{b})
	d := c.Detail(c.Rows[0])
	if diff := cmp.Diff([]compare.Value{{Name: "trust", A: "1", B: "2"}, {Name: "node", A: "hall", B: "kitchen"}}, d.State); diff != "" {
		t.Errorf("state (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]string{"hall.asks"}, d.BeatsA); diff != "" || len(d.BeatsB) != 0 {
		t.Errorf("beats %v and %v", d.BeatsA, d.BeatsB)
	}
	if len(d.Lines) != 2 || marked(d.Lines[1].A) != "A [room]?" || marked(d.Lines[1].B) != "A [bun]?" {
		t.Errorf("lines %+v", d.Lines)
	}
}
