package tui

import (
	"strings"

	"github.com/sahilm/fuzzy"
)

// named makes the names of items searchable.
type named []item

// String gives what is matched of an item.
func (n named) String(i int) string {
	if n[i].quiet {
		return n[i].also
	}
	return n[i].name + " " + n[i].also
}

// Len is the number of items.
func (n named) Len() int { return len(n) }

// match gives the indices of the items that fit, best first: by name where the letters stand in
// it in order, then those whose body holds every word. Nothing typed fits all,
// as they are.
func match(items []item, typed string, out []int) []int {
	typed = strings.TrimSpace(typed)
	if typed == "" {
		for i := range items {
			out = append(out, i)
		}
		return out
	}
	seen := make([]bool, len(items))
	for _, m := range fuzzy.FindFrom(typed, named(items)) {
		out = append(out, m.Index)
		seen[m.Index] = true
	}
	words := strings.Fields(typed)
	for i := range words { // apart: folding joins what is written without blanks
		words[i] = folded(words[i])
	}
	for i := range items {
		if !seen[i] && holds(items[i].body, words) {
			out = append(out, i)
		}
	}
	return out
}

func holds(body string, words []string) bool {
	if body == "" {
		return false
	}
	for _, w := range words {
		if !strings.Contains(body, w) {
			return false
		}
	}
	return true
}
