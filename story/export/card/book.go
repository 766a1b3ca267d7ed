package card

import (
	"slices"

	"fabula/personas"
)

// book gives the lore that the persona knows: the card's own book where nobody
// touched it, else one made of the world's. Entries with a condition are left
// out. nil = there is none.
func (w *writer) book(version string) map[string]any {
	old, _ := w.base["character_book"].(map[string]any)
	if old != nil && w.untouched() {
		return complete(old, version)
	}
	entries := []any{}
	for _, l := range w.in.Script.Lore {
		if l.When.Empty() && (len(l.KnownTo) == 0 || slices.Contains(l.KnownTo, w.p.ID)) {
			entries = append(entries, w.entry(l, len(entries), version))
		}
	}
	if len(entries) == 0 {
		return nil
	}
	return map[string]any{"name": w.in.Script.ID, "extensions": map[string]any{}, "entries": entries}
}

// untouched reports whether the lore that only this persona knows is what
// import made of its card.
func (w *writer) untouched() bool {
	var now []*personas.Lore
	for _, l := range w.in.Script.Lore {
		if len(l.KnownTo) == 1 && l.KnownTo[0] == w.p.ID {
			now = append(now, l)
		}
	}
	return slices.EqualFunc(now, w.lore, func(a, b *personas.Lore) bool {
		return a.Text.In(w.lang) == b.Text.In(w.lang) && a.Constant == b.Constant && a.Priority == b.Priority && a.Depth == b.Depth && a.When.Empty() &&
			slices.Equal(words(a.Keys), words(b.Keys)) && slices.Equal(words(a.Secondary), words(b.Secondary))
	})
}

func words(list []personas.Text) []string {
	out := []string{}
	for _, t := range list {
		out = append(out, t.All()...)
	}
	return out
}

func (w *writer) entry(l *personas.Lore, order int, version string) map[string]any {
	e := map[string]any{
		"keys": words(l.Keys), "content": w.text(w.p, "lore "+l.ID, l.Text), "extensions": map[string]any{}, "enabled": true, "insertion_order": order,
		"name": l.ID, "constant": l.Constant, "priority": l.Priority, "case_sensitive": false,
	}
	if len(l.Secondary) > 0 {
		e["selective"], e["secondary_keys"] = true, words(l.Secondary)
	}
	if version == "3.0" {
		e["use_regex"] = false
	}
	return e
}

// complete gives the book of a card what its version asks for and the card
// lacked: nothing else of it changes.
func complete(old map[string]any, version string) map[string]any {
	book := map[string]any{"extensions": map[string]any{}}
	for k, v := range old {
		book[k] = v
	}
	entries := []any{}
	list, _ := old["entries"].([]any)
	for i, item := range list {
		from, ok := item.(map[string]any)
		if !ok {
			continue
		}
		e := map[string]any{"keys": []any{}, "content": "", "extensions": map[string]any{}, "enabled": true, "insertion_order": i}
		if version == "3.0" {
			e["use_regex"] = false
		}
		for k, v := range from {
			e[k] = v
		}
		entries = append(entries, e)
	}
	book["entries"] = entries
	return book
}
