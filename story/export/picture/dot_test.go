//go:build npm

package picture_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export/picture"
	"fabula/story/export/played"
)

// graphviz draws a graph and gives the lines of text of each node, by id.
func graphviz(t *testing.T, text []byte) map[string][]string {
	t.Helper()
	c := exec.Command("dot", "-Kosage", "-Tsvg")
	var svg, notes bytes.Buffer
	c.Stdin, c.Stdout, c.Stderr = bytes.NewReader(text), &svg, &notes
	if err := c.Run(); err != nil || strings.Contains(notes.String(), "syntax") {
		t.Fatalf("dot: %v\n%s", err, notes.String())
	}
	var doc struct {
		G struct {
			G []struct {
				Class string   `xml:"class,attr"`
				Title string   `xml:"title"`
				Text  []string `xml:"text"`
				Inner struct {
					A struct {
						Text []string `xml:"text"`
					} `xml:"a"`
				} `xml:"g"`
			} `xml:"g"`
		} `xml:"g"`
	}
	if err := xml.Unmarshal(svg.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	out := map[string][]string{}
	for _, g := range doc.G.G {
		if g.Class == "node" {
			out[g.Title] = append(g.Text, g.Inner.A.Text...)
		}
	}
	return out
}

func TestGraphvizDrawsThePlot(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Choose: "to_kitchen"})
	files, err := picture.Dot(in)
	if err != nil || len(files) != 2 || files[1].Name != "zh/plot.dot" {
		t.Fatal(files, err)
	}
	if got := graphviz(t, files[0].Data); len(got) != len(in.Script.Nodes) || got["hall"][0] != "The front hall" {
		t.Errorf("%d nodes are drawn, want %d; the hall says %q", len(got), len(in.Script.Nodes), got["hall"])
	}
}

// 2,000 hostile labels are drawn as they are.
func TestGraphvizShowsHostileLabels(t *testing.T) {
	texts := played.Hostile(2000)
	var graph bytes.Buffer
	graph.WriteString("graph g { node [shape=box];\n")
	for i, s := range texts {
		fmt.Fprintf(&graph, "  n%d [label=%s];\n", i, picture.DotQuote(s))
	}
	graph.WriteString("}\n")
	got := graphviz(t, graph.Bytes())
	for i, s := range texts {
		var want []string
		for _, line := range strings.Split(strings.ReplaceAll(s, "\r\n", "\n"), "\n") {
			if line = plain(line); line != "" {
				want = append(want, line)
			}
		}
		var seen []string
		for _, line := range got[fmt.Sprintf("n%d", i)] {
			if line = plain(line); line != "" {
				seen = append(seen, line)
			}
		}
		if strings.Join(seen, "\n") != strings.Join(want, "\n") {
			t.Errorf("%q is drawn as %q", s, seen)
		}
	}
}

// plain brings the spaces that SVG writes otherwise to one form.
func plain(s string) string {
	return strings.Trim(strings.NewReplacer("\u00a0", " ", "\t", " ", "\r", " ").Replace(s), " ")
}
