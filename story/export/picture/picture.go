// Package picture draws the plot as a graph: nodes and exits, with how often the
// selected branches came by, for Graphviz (dot) and for Mermaid.
//
// Non-goals: layout, which those tools do; a picture of single turns.
package picture

import (
	"fmt"
	"strings"

	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// graph is what both formats draw.
type graph struct {
	title string
	start string
	boxes []box
	lines []line
}

type box struct {
	id, title, ending string
	npcs              []string
	visits            int
}

type line struct {
	from, to, label, when string
	auto                  bool
	taken                 int
}

// draw collects the graph in a language; what was played is counted once, even
// where branches share it.
func draw(in export.Input, lang string) graph {
	s := in.Script
	visits, taken := count(in)
	g := graph{title: s.Title.In(lang, s.Languages...), start: s.Start}
	for _, n := range s.Nodes {
		b := box{id: n.ID, title: n.Title.In(lang, s.Languages...), visits: visits[n.ID]}
		if b.title == "" {
			b.title = n.ID
		}
		if n.Ending != nil {
			if b.ending = n.Ending.Kind; b.ending == "" {
				b.ending = "ending"
			}
		}
		for _, m := range n.Cast {
			b.npcs = append(b.npcs, name(s, m.NPC, lang))
		}
		g.boxes = append(g.boxes, b)
		for _, e := range n.Exits {
			l := line{from: n.ID, to: e.To, label: s.Label(e, s.Initial(), lang), when: e.When.Src, auto: e.Auto, taken: taken[n.ID+"."+e.ID]}
			if e.Stay {
				l.to = n.ID
			} else if to := s.Node(e.To); to != nil {
				l.to = to.ID
			}
			g.lines = append(g.lines, l)
		}
	}
	return g
}

func name(s *plot.Script, npc, lang string) string {
	if p := s.Persona(npc); p != nil {
		return p.Name.In(lang, s.Languages...)
	}
	return npc
}

// count gives how often nodes were entered and exits taken on the branches.
func count(in export.Input) (visits, taken map[string]int) {
	visits, taken = map[string]int{}, map[string]int{}
	seen := map[story.ID]bool{}
	for _, b := range in.Branches {
		for i, s := range b.Steps {
			if seen[s.Alternative.ID] {
				continue
			}
			seen[s.Alternative.ID] = true
			if i == 0 || s.Turn.Input.Jump != "" {
				visits[s.Turn.Before.Node]++
			}
			for _, t := range []*plot.Taken{s.Turn.Taken, s.Alternative.Taken} {
				if t == nil {
					continue
				}
				taken[t.Exit]++
				if e := in.Script.Exit(t.Exit); e != nil && !e.Stay {
					visits[e.To]++
				}
			}
		}
	}
	return visits, taken
}

// lines of a label, refused where a drawing cannot hold them.
func carried(list ...string) error {
	for _, s := range list {
		if i := strings.IndexFunc(s, control); i >= 0 {
			return fmt.Errorf("label %q: %w: it holds a control character", s, export.ErrCannotCarry)
		}
	}
	return nil
}

func control(r rune) bool { return r < ' ' && r != '\n' && r != '\t' || r == 127 || r == '\uFFFD' }

// files writes a picture in every language.
func files(in export.Input, file string, print func(graph) ([]byte, error)) ([]export.File, error) {
	langs := in.Script.Languages
	if len(langs) == 0 {
		langs = []string{""}
	}
	var out []export.File
	for i, lang := range langs {
		data, err := print(draw(in, lang))
		if err != nil {
			return nil, err
		}
		name := file
		if i > 0 {
			name = lang + "/" + file
		}
		out = append(out, export.File{Name: name, Data: data})
	}
	return out, nil
}
