package picture_test

import (
	"errors"
	"html"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/export/picture"
	"fabula/story/export/played"
)

var (
	nodeLine = regexp.MustCompile(`^  (n_[a-z0-9_]+)\(+"([^"]*)"\)+$`)
	edgeLine = regexp.MustCompile(`^  (n_[a-z0-9_]+) (?:-->|==>|-\.->)\|"([^"]*)"\| (n_[a-z0-9_]+)$`)
	code     = regexp.MustCompile(`#(\d+);`)
)

// shown decodes a label as Mermaid's documentation has it: entity codes, <br/>.
func shown(t *testing.T, label string) string {
	t.Helper()
	if bad := strings.ReplaceAll(label, "<br/>", ""); strings.ContainsAny(bad, "<>`\"[]{}|\n;") && strings.ContainsAny(code.ReplaceAllString(bad, ""), "<>`\"[]{}|\n;&#") {
		t.Errorf("the label %q holds signs of Mermaid", label)
	}
	return strings.ReplaceAll(code.ReplaceAllStringFunc(label, func(s string) string {
		n, _ := strconv.Atoi(s[1 : len(s)-1])
		return html.UnescapeString("&#" + strconv.Itoa(n) + ";")
	}), "<br/>", "\n")
}

func TestMermaidHasEveryNodeAndExit(t *testing.T) {
	in := played.Turns(t, "en", story.Input{Choose: "to_kitchen"})
	files, err := picture.Mermaid(in)
	if err != nil {
		t.Fatal(err)
	}
	nodes, edges := map[string]bool{}, 0
	lines := strings.Split(string(files[0].Data), "\n")
	if lines[1] != "flowchart TD" {
		t.Errorf("it begins with %q", lines[1])
	}
	for _, line := range lines[2:] {
		if m := nodeLine.FindStringSubmatch(line); m != nil {
			nodes[m[1]] = true
			shown(t, m[2])
		} else if m := edgeLine.FindStringSubmatch(line); m != nil {
			if edges++; !nodes[m[1]] || !nodes[m[3]] {
				t.Errorf("an exit from or to nowhere: %s", line)
			}
			shown(t, m[2])
		} else if line != "" && !strings.HasPrefix(line, "  class") {
			t.Errorf("line %q is neither a node nor an exit", line)
		}
	}
	exits := 0
	for _, n := range in.Script.Nodes {
		exits += len(n.Exits)
	}
	if len(nodes) != len(in.Script.Nodes) || edges != exits {
		t.Errorf("%d nodes and %d exits, want %d and %d", len(nodes), edges, len(in.Script.Nodes), exits)
	}
}

// 2,000 hostile labels decode to what they are.
func TestMermaidKeepsHostileLabels(t *testing.T) {
	for _, s := range played.Hostile(2000) {
		if got, want := shown(t, picture.MermaidText(s)), strings.ReplaceAll(s, "\r\n", "\n"); got != want {
			t.Errorf("%q is shown as %q", want, got)
		}
	}
}

func TestControlCharactersAreRefused(t *testing.T) {
	in := played.Turns(t, "en")
	in.Script.Node("hall").Exits[0].Choice.By = map[string]string{"en": "a\x01b"}
	for name, draw := range map[string]func(export.Input) ([]export.File, error){"dot": picture.Dot, "mermaid": picture.Mermaid} {
		if _, err := draw(in); !errors.Is(err, export.ErrCannotCarry) || !strings.Contains(err.Error(), `a\x01b`) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
