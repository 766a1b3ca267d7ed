package space

import (
	"math/bits"

	"fabula/story/plot"
)

// fieldKind says what a field of a state counts.
type fieldKind int

const (
	nodeField fieldKind = iota
	langField
	varField
	beatField
	exitField
	visitField
	toldField
	greetField
	anchorField
	turnsField
	totalField
	confirmField
	speakerField
)

// field is one component of a state. A state holds in its place a number from
// 0 to size-1; least is the value that 0 stands for.
type field struct {
	kind  fieldKind
	name  string // of the variable, "node.beat", the node, …
	size  int
	least int
	v     *plot.Variable
	open  bool // more values are merged into the greatest or the least one
	words []int
	word  int
	shift uint
	mask  uint64
}

// layout gives every field its bits; none crosses a word.
func (m *model) layout() {
	word, used := 0, uint(0)
	for i := range m.fields {
		f := &m.fields[i]
		width := uint(bits.Len64(uint64(f.size - 1)))
		if used+width > 64 {
			word, used = word+1, 0
		}
		f.word, f.shift, f.mask = word, used, 1<<width-1
		used += width
	}
	m.words = word + 1
}

func (m *model) pack(row []uint64, st []int) {
	clear(row)
	for i := range m.fields {
		f := &m.fields[i]
		row[f.word] |= uint64(st[i]) << f.shift
	}
}

func (m *model) unpack(st []int, row []uint64) {
	for i := range m.fields {
		f := &m.fields[i]
		st[i] = int(row[f.word] >> f.shift & f.mask)
	}
}

// set puts a value into a field, cut to what the field keeps apart.
func (f *field) set(st []int, i, value int) {
	st[i] = min(max(value, f.least), f.least+f.size-1) - f.least
}

// addField adds a field and gives its place.
func (m *model) addField(f field) int {
	m.fields = append(m.fields, f)
	return len(m.fields) - 1
}
