package space

import "math/bits"

// table numbers packed states in the order in which they are added. Each is a
// row of the same number of words; the index is open addressing with linear
// probing, numbers from 1 up, so that a zero is a free place.
type table struct {
	words int
	rows  []uint64
	index []uint32
	count int
}

func newTable(words int) table { return table{words: words, index: make([]uint32, 1<<10)} }

func (t *table) row(i int) []uint64 { return t.rows[i*t.words : (i+1)*t.words] }

// add gives the number of a state, and whether it is new.
func (t *table) add(row []uint64) (int, bool) {
	at := t.find(row)
	if n := t.index[at]; n != 0 {
		return int(n - 1), false
	}
	t.rows = append(t.rows, row...)
	t.count++
	t.index[at] = uint32(t.count)
	if t.count*8 > len(t.index)*5 {
		t.grow()
	}
	return t.count - 1, true
}

// find gives the place of a state in the index, or the free one for it.
func (t *table) find(row []uint64) int {
	mask := len(t.index) - 1
	for at := int(mix(row)) & mask; ; at = (at + 1) & mask {
		n := t.index[at]
		if n == 0 || equal(t.row(int(n-1)), row) {
			return at
		}
	}
}

func (t *table) grow() {
	t.index = make([]uint32, 2*len(t.index))
	mask := len(t.index) - 1
	for i := range t.count {
		at := int(mix(t.row(i))) & mask
		for t.index[at] != 0 {
			at = (at + 1) & mask
		}
		t.index[at] = uint32(i + 1)
	}
}

func (t *table) bytes() int { return 8*cap(t.rows) + 4*cap(t.index) }

func equal(a, b []uint64) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// mix is a multiply-and-fold hash, the step of wyhash.
func mix(row []uint64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, w := range row {
		hi, lo := bits.Mul64(h^w, 0xa0761d6478bd642f)
		h = hi ^ lo
	}
	return h >> 1
}
