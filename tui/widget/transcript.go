package widget

import "fabula/tui/text"

// Block is one entry of a transcript: a turn. Draw is called again only when
// the width, the version or the theme changed, so a finished block costs
// nothing while the next one streams.
type Block struct {
	Key     string
	Version string
	Draw    func(width int) Rows
}

// Transcript shows blocks one below the other. Rows are drawn when they come
// into view: a long transcript opens as fast as a short one.
type Transcript struct {
	blocks []entry
	width  int
	h      int
	theme  int
	sel    int
	top    place // first row shown, unless following
	follow bool
}

type entry struct {
	Block
	rows  Rows
	width int // that rows were drawn for; 0 = not drawn
	theme int
}

// place is row n of a block.
type place struct{ block, row int }

// NewTranscript makes an empty transcript that follows its end.
func NewTranscript() *Transcript { return &Transcript{follow: true, width: 40, h: 10} }

// SetSize sets the columns and rows to draw.
func (t *Transcript) SetSize(w, h int) { t.width, t.h = w, h }

// Restyle makes every block draw anew.
func (t *Transcript) Restyle() { t.theme++ }

// SetBlocks replaces the blocks; what was drawn of a block with the same key
// and version is kept.
func (t *Transcript) SetBlocks(blocks []Block) {
	drawn := make(map[string]entry, len(t.blocks))
	for _, e := range t.blocks {
		drawn[e.Key] = e
	}
	t.blocks = make([]entry, len(blocks))
	for i, b := range blocks {
		e := entry{Block: b}
		if old, ok := drawn[b.Key]; ok && old.Version == b.Version {
			e.rows, e.width, e.theme = old.rows, old.width, old.theme
		}
		t.blocks[i] = e
	}
	t.sel = min(max(t.sel, 0), max(len(blocks)-1, 0))
}

// SetLast replaces the last block: the one that streams.
func (t *Transcript) SetLast(b Block) {
	if n := len(t.blocks); n > 0 {
		t.blocks[n-1] = entry{Block: b}
	}
}

// Len gives the number of blocks.
func (t *Transcript) Len() int { return len(t.blocks) }

// Following reports whether the end is kept in view.
func (t *Transcript) Following() bool { return t.follow }

// Follow keeps the end in view from now on and selects the last block.
func (t *Transcript) Follow() {
	t.follow = true
	t.sel = max(len(t.blocks)-1, 0)
}

// Selected gives the index of the selected block.
func (t *Transcript) Selected() int { return t.sel }

func (t *Transcript) rows(i int) Rows {
	e := &t.blocks[i]
	if e.width != t.width || e.theme != t.theme {
		e.rows, e.width, e.theme = e.Draw(t.width), t.width, t.theme
	}
	return e.rows
}

// Select selects block i and brings it into view.
func (t *Transcript) Select(i int) {
	if len(t.blocks) == 0 {
		return
	}
	t.sel = min(max(i, 0), len(t.blocks)-1)
	first := t.first()
	end := t.forward(first, t.h)
	switch {
	case t.sel < first.block || t.sel == first.block && first.row > 0:
		t.goTo(place{block: t.sel})
	case !t.follow && (t.sel > end.block || t.sel == end.block && end.row < len(t.rows(t.sel))), t.follow && t.sel == len(t.blocks)-1:
		t.goTo(t.back(place{t.sel, len(t.rows(t.sel))}, t.h))
	}
}

// Scroll moves the view by n rows, down when positive.
func (t *Transcript) Scroll(n int) {
	if len(t.blocks) == 0 {
		return
	}
	if first := t.first(); n < 0 {
		t.goTo(t.back(first, -n))
	} else {
		t.goTo(t.forward(first, n))
	}
}

// goTo shows from p on; at the end it starts to follow.
func (t *Transcript) goTo(p place) {
	last := t.last()
	t.follow = p.block > last.block || p.block == last.block && p.row >= last.row
	t.top = p
}

// last is where the view starts when it shows the end.
func (t *Transcript) last() place {
	if len(t.blocks) == 0 {
		return place{}
	}
	n := len(t.blocks) - 1
	return t.back(place{n, len(t.rows(n))}, t.h)
}

func (t *Transcript) first() place {
	if t.follow || t.top.block >= len(t.blocks) {
		return t.last()
	}
	return t.top
}

// back gives the place n rows above p, or the start.
func (t *Transcript) back(p place, n int) place {
	for n > p.row {
		if p.block == 0 {
			return place{}
		}
		n -= p.row
		p.block--
		p.row = len(t.rows(p.block))
	}
	p.row -= n
	return p
}

// forward gives the place n rows below p, or the end.
func (t *Transcript) forward(p place, n int) place {
	for p.block < len(t.blocks) {
		have := len(t.rows(p.block)) - p.row
		if n < have || n == have && p.block == len(t.blocks)-1 {
			p.row += n
			return p
		}
		if p.block == len(t.blocks)-1 {
			p.row += have
			return p
		}
		n -= have
		p = place{block: p.block + 1}
	}
	return p
}

// View draws the rows in view, and the index of the block of each; rows
// beyond the end are blank with index -1.
func (t *Transcript) View() (Rows, []int) {
	rows, owner := make(Rows, 0, t.h), make([]int, 0, t.h)
	p := t.first()
	for ; p.block < len(t.blocks) && len(rows) < t.h; p = (place{block: p.block + 1}) {
		r := t.rows(p.block)
		for _, row := range r[min(p.row, len(r)):] {
			if len(rows) == t.h {
				break
			}
			rows, owner = append(rows, row), append(owner, p.block)
		}
	}
	for len(rows) < t.h {
		rows, owner = append(rows, text.Spaces(t.width)), append(owner, -1)
	}
	return rows, owner
}

// Below counts the blocks that end below the view.
func (t *Transcript) Below() int {
	if t.follow || len(t.blocks) == 0 {
		return 0
	}
	return len(t.blocks) - t.forward(t.first(), t.h).block
}
