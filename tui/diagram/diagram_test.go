package diagram_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/tui/diagram"
	"fabula/tui/text"
)

// graph reads "a>b" (an exit), "a?b" (a guarded one); the first node is the start.
func graph(edges ...string) diagram.Graph {
	var g diagram.Graph
	at := map[string]int{}
	node := func(name string) int {
		i, known := at[name]
		if !known {
			i = len(g.Nodes)
			at[name] = i
			g.Nodes = append(g.Nodes, "["+name+"]")
		}
		return i
	}
	for _, e := range edges {
		i := strings.IndexAny(e, ">?")
		g.Edges = append(g.Edges, diagram.Edge{From: node(e[:i]), To: node(e[i+1:]), Guarded: e[i] == '?'})
	}
	return g
}

func plain(int) int { return 0 }

func drawn(d *diagram.Drawing, set diagram.Set) string {
	c := d.Paint(set, plain)
	var b strings.Builder
	for y := range d.H {
		var row strings.Builder
		for _, p := range c.Row(y, 0, d.W) {
			row.WriteString(p.Text)
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return b.String()
}

func TestDrawings(t *testing.T) {
	for name, tc := range map[string]struct {
		edges []string
		want  string
	}{
		"a chain is straight": {[]string{"a>b", "b>c"}, `
[a]───→[b]───→[c]
`},
		"there and back, guarded": {[]string{"a>b", "b>a", "a?c"}, `
    ┌←─→[b]
[a]─┤
    └─?→[c]
`},
	} {
		got := "\n" + drawn(diagram.Lay(graph(tc.edges...)), diagram.Lines)
		if diff := cmp.Diff(strings.Split(tc.want, "\n"), strings.Split(got, "\n")); diff != "" {
			t.Errorf("%s (-want +got):\n%s\n%s", name, diff, got)
		}
	}
}

func TestASCII(t *testing.T) {
	out := drawn(diagram.Lay(graph("a>b", "a?c", "b>c", "c>a")), diagram.ASCII)
	if !text.IsASCII(out) {
		t.Errorf("not ASCII:\n%s", out)
	}
}

// some draws a graph by chance: a tree that hangs together, and other edges.
func some(t *rapid.T) diagram.Graph {
	n := rapid.IntRange(1, 40).Draw(t, "nodes")
	g := diagram.Graph{}
	for i := range n {
		g.Nodes = append(g.Nodes, rapid.SampledFrom([]string{"[hall]", "[前厅]", "[a much longer name]", "[x]"}).Draw(t, fmt.Sprint("label", i)))
		if i > 0 {
			g.Edges = append(g.Edges, diagram.Edge{From: rapid.IntRange(0, i-1).Draw(t, "from"), To: i})
		}
	}
	for range rapid.IntRange(0, 2*n).Draw(t, "more") {
		g.Edges = append(g.Edges, diagram.Edge{From: rapid.IntRange(0, n-1).Draw(t, "a"), To: rapid.IntRange(0, n-1).Draw(t, "b"), Guarded: rapid.Bool().Draw(t, "guarded")})
	}
	return g
}

// Ensure that boxes never overlap, labels are drawn whole, the same graph gives
// the same drawing, and no edge skips a layer forward.
func TestLayoutHolds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := some(t)
		d := diagram.Lay(g)
		taken := map[[2]int]int{}
		for n, b := range d.Boxes {
			if b.X < 0 || b.Y < 0 || b.X+b.W > d.W || b.Y >= d.H {
				t.Fatalf("box %d %+v is outside %d×%d", n, b, d.W, d.H)
			}
			for x := b.X; x < b.X+b.W; x++ {
				if other, both := taken[[2]int{x, b.Y}]; both {
					t.Fatalf("boxes %d and %d overlap", n, other)
				}
				taken[[2]int{x, b.Y}] = n
			}
		}
		for _, e := range g.Edges {
			if d.Layer[e.To] > d.Layer[e.From]+1 {
				t.Fatalf("edge %d>%d leads from layer %d to %d", e.From, e.To, d.Layer[e.From], d.Layer[e.To])
			}
		}
		c := d.Paint(diagram.Lines, plain)
		for y := range d.H {
			width := 0
			for _, p := range c.Row(y, 0, d.W) {
				width += text.Width(p.Text)
				if p.Node >= 0 && p.Text != g.Nodes[p.Node] {
					t.Fatalf("label %d is drawn as %q, want %q", p.Node, p.Text, g.Nodes[p.Node])
				}
			}
			if width != d.W {
				t.Fatalf("row %d is %d columns, want %d", y, width, d.W)
			}
		}
		if diff := cmp.Diff(drawn(d, diagram.Lines), drawn(diagram.Lay(g), diagram.Lines)); diff != "" {
			t.Fatalf("two drawings of one graph differ:\n%s", diff)
		}
	})
}

// Ensure that a line alone in its class leads without a gap from the one box to
// the other: each of its cells joins the next.
func TestEveryLineArrives(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		g := some(t)
		d := diagram.Lay(g)
		for i, e := range g.Edges {
			if e.From == e.To {
				continue
			}
			c := d.Paint(diagram.Lines, func(x int) int {
				if x == i {
					return 1
				}
				return 0
			})
			if from, to := d.Boxes[e.From], d.Boxes[e.To]; !leads(c, d, from, to) && !leads(c, d, to, from) {
				t.Fatalf("the line of %d>%d does not arrive:\n%s", e.From, e.To, drawn(d, diagram.Lines))
			}
		}
	})
}

// leads follows the cells of class 1 from the right side of a box.
func leads(c *diagram.Canvas, d *diagram.Drawing, from, to diagram.Box) bool {
	on := map[[2]int]bool{}
	for y := range d.H {
		x := 0
		for _, p := range c.Row(y, 0, d.W) {
			for range text.Width(p.Text) {
				on[[2]int{x, y}] = p.Node < 0 && p.Class == 1
				x++
			}
		}
	}
	seen := map[[2]int]bool{}
	for todo := [][2]int{{from.X + from.W, from.Y}}; len(todo) > 0; {
		at := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if seen[at] || !on[at] {
			continue
		}
		seen[at] = true
		if at == [2]int{to.X - 1, to.Y} || at == [2]int{to.X + to.W, to.Y} {
			return true
		}
		todo = append(todo, [2]int{at[0] + 1, at[1]}, [2]int{at[0] - 1, at[1]}, [2]int{at[0], at[1] + 1}, [2]int{at[0], at[1] - 1})
	}
	return false
}

// Ensure that any window on a drawing is exactly as wide as was asked, also
// where it cuts a wide character.
func TestWindows(t *testing.T) {
	d := diagram.Lay(graph("前厅>厨房", "厨房>前厅", "前厅>后院", "后院>厨房", "厨房?屋里"))
	c := d.Paint(diagram.Lines, plain)
	for x := range d.W {
		for y := range d.H {
			n := 0
			for _, p := range c.Row(y, x, 13) {
				n += text.Width(p.Text)
			}
			if n != 13 {
				t.Errorf("window at %d,%d is %d columns, want 13", x, y, n)
			}
		}
	}
}

func TestEmpty(t *testing.T) {
	if d := diagram.Lay(diagram.Graph{}); d.W != 0 || d.H != 0 {
		t.Errorf("an empty graph is %d×%d", d.W, d.H)
	}
}

// BenchmarkLay lays out and paints 200 nodes with 500 edges; the bar is 20 ms.
func BenchmarkLay(b *testing.B) {
	g := diagram.Graph{}
	for i := range 200 {
		g.Nodes = append(g.Nodes, fmt.Sprintf("[node number %d]", i))
		if i > 0 {
			g.Edges = append(g.Edges, diagram.Edge{From: (i - 1) / 2 * 7 % i, To: i})
		}
	}
	for i := range 300 {
		g.Edges = append(g.Edges, diagram.Edge{From: i * 37 % 200, To: i * 53 % 200, Guarded: i%3 == 0})
	}
	for b.Loop() {
		d := diagram.Lay(g)
		c := d.Paint(diagram.Lines, plain)
		for y := range min(d.H, 60) {
			c.Row(y, 0, 200)
		}
	}
}
