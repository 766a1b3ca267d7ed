// Package xliff writes the texts of a world for translation tools, as XLIFF 1.2
// and as XLIFF 2.0, a file for each pair of languages:
//
//	xliff12/SOURCE-TARGET.xlf  xliff20/SOURCE-TARGET.xlf
//
// Placeholders such as {player} are inline elements, so that a translator can
// move them but not break them; one has the same id in source and target. Units
// stand in the order of the story, with the hash of their source as a note.
// Source: OASIS XLIFF 1.2 and 2.0.
//
// XML 1.0 has no control characters. XLIFF 2.0 writes them as <cp>, 1.2 cannot:
// it refuses the line. Non-goals: reading translations back.
package xliff

import (
	"cmp"
	"fmt"
	"slices"

	"fabula/story/export"
	"fabula/story/export/table"
	"fabula/story/plot"
)

// Files gives both versions for every pair of languages; for a world of one
// language files without targets.
func Files(in export.Input) ([]export.File, error) {
	rows := table.Rows(in)
	var out []export.File
	for _, p := range pairs(in.Script.Languages, rows) {
		d := document{script: in.Script, pair: p}
		for _, r := range rows {
			if r.Source == p.source {
				d.rows = append(d.rows, r)
			}
		}
		old, err := d.version12()
		if err != nil {
			return nil, err
		}
		now, err := d.version20()
		if err != nil {
			return nil, err
		}
		out = append(out, export.File{Name: "xliff12/" + p.name() + ".xlf", Data: old}, export.File{Name: "xliff20/" + p.name() + ".xlf", Data: now})
	}
	return out, nil
}

// pair is a source language and the one translated to; target is empty in a
// world of one language.
type pair struct{ source, target string }

func (p pair) name() string {
	if p.target == "" {
		return p.source
	}
	return p.source + "-" + p.target
}

// pairs lists the languages that texts were written in with every other
// language of the world.
func pairs(languages []string, rows []table.Row) []pair {
	sources := slices.Clone(languages)
	for _, r := range rows {
		if !slices.Contains(sources, r.Source) {
			sources = append(sources, r.Source)
		}
	}
	var out []pair
	for _, s := range sources {
		if !slices.ContainsFunc(rows, func(r table.Row) bool { return r.Source == s }) {
			continue
		}
		targets := slices.DeleteFunc(slices.Clone(languages), func(t string) bool { return t == s })
		if len(targets) == 0 {
			targets = []string{""}
		}
		for _, t := range targets {
			out = append(out, pair{s, t})
		}
	}
	return out
}

// document is one pair's file in either version.
type document struct {
	script *plot.Script
	pair   pair
	rows   []table.Row
}

// note is a remark on a unit.
type note struct{ category, text string }

func notes(r table.Row) []note {
	out := []note{{"source_hash", r.Hash()}, {"kind", r.Kind}}
	for _, n := range []note{{"speaker", r.Speaker}, {"node", r.Node}, {"after", r.Context}, {"branch", r.Branch}} {
		if n.text != "" {
			out = append(out, n)
		}
	}
	for _, c := range r.Cues {
		out = append(out, note{"cue", c})
	}
	if r.Words > 0 && r.Spoken() {
		out = append(out, note{"limit", fmt.Sprintf("%d words or CJK characters", r.Words)})
	}
	return out
}

// inline numbers the placeholders of a unit: the n-th {player} of the target
// has the id of the n-th of the source.
type inline struct {
	ids   map[string]int // "name n" → id
	names []string       // by id - 1
}

// number gives each piece its id, 0 for text.
func (x *inline) number(pieces []table.Piece) []int {
	if x.ids == nil {
		x.ids = map[string]int{}
	}
	nth := map[string]int{}
	out := make([]int, len(pieces))
	for i, p := range pieces {
		if !p.Placeholder {
			continue
		}
		nth[p.Text]++
		key := fmt.Sprintf("%s %d", p.Text, nth[p.Text])
		if x.ids[key] == 0 {
			x.names = append(x.names, p.Text)
			x.ids[key] = len(x.names)
		}
		out[i] = x.ids[key]
	}
	return out
}

// original names the world, which a file is extracted from.
func (d document) original() string { return cmp.Or(d.script.ID, "world") }
