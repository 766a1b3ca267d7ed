package space

import (
	"slices"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/plot"
)

// tellings knows, by *plot.Line, *plot.Anchor and *personas.Persona (of its
// greeting), which secrets an authored text tells, by language: as far as some
// condition of the world asks for them.
type tellings map[any][][]string

func tellingsOf(s *plot.Script, langs []string, list gathered) tellings {
	asked := map[string]bool{}
	for _, c := range list.conditions {
		s.Expr(c.cond).Walk(func(e *plot.Expr) {
			if e.Op == plot.OpCall && e.Name == "told" {
				asked[e.Args[0].Value.Str] = true
			}
		})
	}
	t := tellings{}
	if len(asked) == 0 {
		return t
	}
	for _, p := range s.Personas {
		t.add(s, langs, asked, p, p.ID, p.Greeting)
	}
	for _, n := range s.Nodes {
		for _, l := range n.Lines {
			t.add(s, langs, asked, l, l.By, l.Text)
		}
		for _, a := range n.Anchors {
			if a.After > 0 {
				t.add(s, langs, asked, a, a.By, a.Line)
			}
		}
	}
	return t
}

func (t tellings) add(s *plot.Script, langs []string, asked map[string]bool, key any, by string, text personas.Text) {
	p := s.Persona(by)
	if p == nil || text.Empty() || !slices.ContainsFunc(p.Secrets, func(x personas.Secret) bool { return asked[p.ID+"."+x.ID] }) {
		return
	}
	watch := lint.NewWatch(p.Secrets)
	out, any := make([][]string, len(langs)), false
	for i, lang := range langs {
		for _, sec := range watch.Told(text.In(p.Language(lang), s.Languages...)) {
			if id := p.ID + "." + sec.ID; asked[id] {
				out[i], any = append(out[i], id), true
			}
		}
	}
	if any {
		t[key] = out
	}
}

// tells turns what a text tells into places of fields; nil if it sets none.
func (m *model) tells(key any) [][]int {
	told, ok := m.telling[key]
	if !ok {
		return nil
	}
	out, any := make([][]int, len(told)), false
	for i, ids := range told {
		for _, id := range ids {
			if at := m.call("told", id); at >= 0 {
				out[i], any = append(out[i], at), true
			}
		}
	}
	if !any {
		return nil
	}
	return out
}
