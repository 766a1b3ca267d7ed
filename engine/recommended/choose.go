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

// Machine is what models are held against.
type Machine struct {
	Free int64 // bytes of memory, 0 = unknown
	// Swift is the largest file in bytes that writes at reading speed, 0 = any.
	Swift int64
}

// readable is how many tokens a second keep up with a reader.
const readable = 5

// Processor is a machine without a graphics card. A token reads all weights
// once, at 6 GB/s a core (12.5 GB/s were measured on two AVX2 cores with
// SmolLM2), which eight cores exhaust on desktop memory.
func Processor(cores int, free int64) Machine {
	return Machine{Free: free, Swift: int64(min(max(cores, 1), 8)) * 6_250_000_000 / readable}
}

// Fits says whether the machine has memory for the model and its usual window.
func (m Model) Fits(on Machine) bool { return on.Free == 0 || m.Demand().Need(0) <= on.Free }

// Slow says whether it is estimated to write slower than people read there.
func (m Model) Slow(on Machine) bool { return on.Swift > 0 && m.Size > on.Swift }

// Fitting gives the most useful model for a language that fits a machine,
// writes at reading speed and that any game may ship with, unless none is free
// of conditions. ok is false when none fits.
func (t Table) Fitting(lang string, on Machine) (best Model, ok bool) {
	for _, terms := range []Terms{Free, Conditions} {
		for _, m := range t.For(lang) {
			if m.Terms == terms && !m.Thinks && m.Fits(on) && !m.Slow(on) {
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
