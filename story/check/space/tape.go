package space

import "math/rand/v2"

// tape decides what is open in a turn. A turn asks it as it goes along; played
// again and again with advance between, it goes through every combination.
// With a source of chance it decides by that instead.
type tape struct {
	cells  []cell
	at     int
	chance *rand.Rand
}

type cell struct{ now, of uint16 }

// pick gives one of 0 to n-1.
func (t *tape) pick(n int) int {
	if n < 2 {
		return 0
	}
	if t.at == len(t.cells) {
		c := cell{of: uint16(n)}
		if t.chance != nil {
			c.now = uint16(t.chance.IntN(n))
		}
		t.cells = append(t.cells, c)
	}
	c := t.cells[t.at]
	t.at++
	return int(c.now)
}

// rewind begins a turn again, with the decisions as they are.
func (t *tape) rewind() { t.at = 0 }

// clear forgets every decision.
func (t *tape) clear() { t.cells, t.at = t.cells[:0], 0 }

// advance goes on to the next combination; false after the last.
func (t *tape) advance() bool {
	for n := len(t.cells); n > 0; n-- {
		if c := &t.cells[n-1]; c.now+1 < c.of {
			c.now++
			t.cells, t.at = t.cells[:n], 0
			return true
		}
	}
	return false
}
