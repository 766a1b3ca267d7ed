package personas

import "fabula/personas/source"

// LoadLore reads one lore file, entries in file order. All faults of the file
// are reported.
func LoadLore(file source.File) ([]*Lore, []source.Fault) {
	entries, faults := source.Read(file, LoreType())
	lore := make([]*Lore, len(entries))
	for i := range entries {
		lore[i] = &entries[i]
	}
	return lore, faults
}

// LoreType declares the keys of a lore file.
func LoreType() source.Type[[]Lore] {
	return source.Object("lore", "facts of the world that enter a prompt when spoken of",
		source.Key("entries", loreEntries(), func(all *[]Lore) *[]Lore { return all }, "the entries").Required())
}

func loreEntries() source.Type[[]Lore] {
	return source.List(loreEntry()).Checked(func(all *[]Lore, v source.Value) {
		unique(v, "lore entry", *all, func(l Lore) (string, source.Pos) { return l.ID, l.Pos })
	})
}

func loreEntry() source.Type[Lore] {
	return source.Object("lore entry", "one fact",
		source.Key("id", source.ID(), func(l *Lore) *string { return &l.ID }, "id of the entry").Required(),
		source.Key("keys", KeywordsType(), func(l *Lore) *[]Text { return &l.Keys }, "words that bring it up"),
		source.Key("secondary", KeywordsType(), func(l *Lore) *[]Text { return &l.Secondary }, "one of these must occur too"),
		source.Key("text", TextType(), func(l *Lore) *Text { return &l.Text }, "the fact").Required(),
		source.Key("when", source.Condition(), func(l *Lore) *source.Cond { return &l.When }, "only while this holds"),
		source.Key("constant", source.Bool(), func(l *Lore) *bool { return &l.Constant }, "always in the prompt").Default(false),
		source.Key("priority", source.Whole(-1000, 1000), func(l *Lore) *int { return &l.Priority }, "higher stays longer when room is short").Default(0),
		source.Key("match", source.OneOf("any", "all"), func(l *Lore) *string { return &l.Match }, "how many of the keys must occur").Default("any"),
		source.Key("recursive", source.Bool(), func(l *Lore) *bool { return &l.Recursive }, "its text calls other entries by their keys too").Default(false),
		source.Key("depth", source.Whole(0, 1000), func(l *Lore) *int { return &l.Depth }, "turns looked back for keys").Default(0),
		source.Key("known_to", source.List(source.ID()), func(l *Lore) *[]string { return &l.KnownTo }, "personas that know it; all where not written"),
	).Placed(func(l *Lore) *source.Pos { return &l.Pos }).Checked(func(l *Lore, v source.Value) {
		if !l.Constant && !v.Has("keys") && l.ID != "" {
			v.Fault(CodeLoreWithout, l.ID)
		}
	})
}
