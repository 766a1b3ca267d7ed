package weights

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"runtime"
	"sync"

	"fabula/engine/gguf/header"
)

// ErrRange is wrapped where a weight does not fit into the type that is made.
var ErrRange = errors.New("a weight beyond the range of the type")

// chunk is the number of elements that are expanded at once.
const chunk = 64 << 10

// Scratch bounds the memory that Fill uses besides its destination, in bytes:
// a chunk of elements in FP32 and of the file for every processor.
func Scratch() int64 { return int64(runtime.GOMAXPROCS(0)) * (8 + 1) * chunk }

// Read gives the bytes of an item, little-endian.
func (p *Plan) Read(name string) ([]byte, error) {
	dst := make([]byte, p.items[name].Bytes())
	return dst, p.Fill(name, dst)
}

// Fill writes the bytes of an item into dst, which has exactly their number.
// Errors wrap ErrRange (build in BF16 then), or are those of the file.
func (p *Plan) Fill(name string, dst []byte) error {
	item, there := p.items[name]
	if !there {
		return fmt.Errorf("weights: no item %q", name)
	}
	if int64(len(dst)) != item.Bytes() {
		return fmt.Errorf("weights of %s: %d bytes to fill, not %d", name, item.Bytes(), len(dst))
	}
	if item.Values != nil {
		return wrap(name, store(dst, item.Values, item.Type))
	}
	for i, part := range item.Parts {
		size := item.Type.Bytes(part.Rows * item.across(part))
		if err := p.part(item.Item, part, item.tensors[i], dst[:size]); err != nil {
			return wrap(part.Tensor, err)
		}
		dst = dst[size:]
	}
	return nil
}

func wrap(name string, err error) error {
	if err != nil {
		return fmt.Errorf("weights of %s: %w", name, err)
	}
	return nil
}

// part reads one tensor by runs of rows, on all processors.
func (p *Plan) part(item Item, part Part, t header.Tensor, dst []byte) error {
	rows := max(1, chunk/part.Cols)
	starts := make(chan int)
	faults := make(chan error, runtime.GOMAXPROCS(0))
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			r := newRun(p, item, part, t, rows)
			var failed error
			for start := range starts {
				if failed == nil {
					failed = r.rows(start, min(rows, part.Rows-start), dst)
				}
			}
			faults <- failed
		})
	}
	for start := 0; start < part.Rows; start += rows {
		starts <- start
	}
	close(starts)
	workers.Wait()
	close(faults)
	var all error
	for err := range faults {
		all = errors.Join(all, err)
	}
	return all
}

// run is what one goroutine needs to read rows of a tensor.
type run struct {
	plan     *Plan
	item     Item
	part     Part
	from     int64 // offset of the tensor in the file
	rowBytes int
	same     bool // the file has the type already
	expand   expander
	raw      []byte
	values   []float32
}

func newRun(p *Plan, item Item, part Part, t header.Tensor, rows int) *run {
	block, bytes := t.Type.Block()
	r := &run{plan: p, item: item, part: part, from: p.data + int64(t.Offset), rowBytes: part.Cols / block * bytes,
		same: uint32(t.Type) == item.Type.stored() && !item.Scales && item.Type != I8, expand: expand(t.Type)}
	rows = min(rows, part.Rows)
	r.raw, r.values = make([]byte, rows*r.rowBytes), make([]float32, rows*part.Cols)
	return r
}

// rows reads n rows of the file from start on and puts each in its place.
func (r *run) rows(start, n int, dst []byte) error {
	raw, err := r.read(start, n)
	if err != nil {
		return err
	}
	values := r.values[:n*r.part.Cols]
	cols, size := r.part.Cols, r.item.Type.Bytes(r.item.across(r.part))
	if r.same {
		for i := range n {
			copy(dst[r.part.place(start+i)*size:], raw[i*size:(i+1)*size])
		}
		return nil
	}
	r.expand(values, raw)
	for i := range n {
		at := r.part.place(start + i)
		row := values[i*cols : (i+1)*cols]
		if r.item.Type == I8 || r.item.Scales {
			row = r.item.coded(row)
		}
		if err := store(dst[at*size:(at+1)*size], row, r.item.Type); err != nil {
			return fmt.Errorf("row %d: %w", start+i, err)
		}
	}
	return nil
}

// read gives the bytes of n rows of the file from start on.
func (r *run) read(start, n int) ([]byte, error) {
	raw := r.raw[:n*r.rowBytes]
	if _, err := r.plan.file.ReadAt(raw, r.from+int64(start)*int64(r.rowBytes)); err != nil {
		return nil, fmt.Errorf("rows from %d on: %w", start, err)
	}
	return raw, nil
}

// place says which row of the array a row of the file becomes.
func (p Part) place(row int) int {
	if p.Heads == 0 {
		return row
	}
	size := p.Rows / p.Heads
	head, within := row/size, row%size
	return head*size + within%2*(size/2) + within/2
}

// store writes values as little-endian elements of a type.
func store(dst []byte, values []float32, to Type) error {
	switch to {
	case F16:
		return storeF16(dst, values)
	case I8:
		for i, v := range values {
			dst[i] = byte(int8(v))
		}
	case Q8_0:
		storeQ8(dst, values)
	case BF16:
		for i, v := range values {
			binary.LittleEndian.PutUint16(dst[2*i:], toBF16(v))
		}
	default:
		for i, v := range values {
			binary.LittleEndian.PutUint32(dst[4*i:], math.Float32bits(v))
		}
	}
	return nil
}

func storeF16(dst []byte, values []float32) error {
	for i, v := range values {
		half, ok := toF16(v)
		if !ok {
			return fmt.Errorf("%w: %g in FP16", ErrRange, v)
		}
		binary.LittleEndian.PutUint16(dst[2*i:], half)
	}
	return nil
}
