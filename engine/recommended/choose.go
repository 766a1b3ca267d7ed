package recommended

import (
	"cmp"
	"slices"
	"strings"
)

// For lists the models that speak a language ("" = all), the most useful first:
// by Weight, then the smaller file.
func (t Table) For(lang string) []Model {
	list := slices.DeleteFunc(slices.Clone(t.Models), func(m Model) bool { return lang != "" && !Has(m.Languages, lang) })
	slices.SortStableFunc(list, func(a, b Model) int {
		return cmp.Or(cmp.Compare(Weight(b.Parameters, b.Best, lang), Weight(a.Parameters, a.Best, lang)), cmp.Compare(a.Size, b.Size))
	})
	return list
}

// Fitting gives the most useful model for a language that fits into free bytes
// (0 = unknown) and that any game may ship with, unless none is free of
// conditions. ok is false when none fits.
func (t Table) Fitting(lang string, free int64) (best Model, ok bool) {
	for _, terms := range []Terms{Free, Conditions} {
		for _, m := range t.For(lang) {
			if m.Terms == terms && !m.Thinks && (free == 0 || m.Demand().Need(0) <= free) {
				return m, true
			}
		}
	}
	return Model{}, false
}

// Weight ranks models for a language: parameters, doubled where the family was
// mostly trained on it. A model of its own language writes like one of twice the
// size that merely knows it.
func Weight(parameters uint64, best []string, lang string) uint64 {
	if lang != "" && Has(best, lang) {
		return 2 * parameters
	}
	return parameters
}

// Has compares codes by their first subtag: zh-Hant is spoken by zh.
func Has(codes []string, lang string) bool {
	return slices.ContainsFunc(codes, func(c string) bool { return Base(c) == Base(lang) })
}

// Base is the first subtag of a language code in lower case.
func Base(code string) string {
	code, _, _ = strings.Cut(strings.ReplaceAll(code, "_", "-"), "-")
	return strings.ToLower(code)
}
