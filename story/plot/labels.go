package plot

import (
	"fabula/personas"
	"fabula/personas/source"
)

// Label is what people said of sentences: does a beat happen in them? Labels
// measure the ladder; nothing is decided by them.
type Label struct {
	Beat  string          // "node.beat"
	Fires []personas.Text // it happens
	Not   []personas.Text // it does not
	Near  []personas.Text // it does not, but is asked about, denied, planned, joked of
	Pos   source.Pos
}

// LoadLabels reads one file of labels. References are checked by who knows the
// script.
func LoadLabels(file source.File) ([]Label, []source.Fault) { return source.Read(file, LabelsType()) }

// LabelsType declares the keys of a file of labels.
func LabelsType() source.Type[[]Label] {
	one := source.Object("label", "sentences in which a beat happens, and in which it does not",
		source.Key("beat", source.Ref(), func(l *Label) *string { return &l.Beat }, "node.beat").Required(),
		source.Key("fires", personas.TextsType(), func(l *Label) *[]personas.Text { return &l.Fires }, "it happens in these"),
		source.Key("not", personas.TextsType(), func(l *Label) *[]personas.Text { return &l.Not }, "it does not in these"),
		source.Key("near", personas.TextsType(), func(l *Label) *[]personas.Text { return &l.Near }, "near misses: asked about, denied, planned, joked of"),
	).Placed(func(l *Label) *source.Pos { return &l.Pos })
	return source.Object("labels", "labelled sentences, to measure how beats are noticed",
		source.Key("labels", source.List(one), func(all *[]Label) *[]Label { return all }, "the sentences, by beat").Required())
}
