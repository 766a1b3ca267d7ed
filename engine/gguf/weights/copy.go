package weights

import (
	"encoding/binary"
	"fmt"
	"io"
	"strings"

	"fabula/engine/gguf/header"
)

// Copy writes the model of a file as another GGUF file, with the same metadata
// and its matrices expanded to a type; vectors become FP32, and of Q8_0 matrices whose
// rows are no whole blocks FP16. It is what an engine
// that was built from the file can be held against: a runtime that multiplies
// quantised weights also quantises what it multiplies them by, and then differs
// from one that does not at every twentieth token. One tensor is in memory at a
// time. Scales spoil the copy on purpose: a measurement that does not notice them
// measures nothing.
func Copy(dst io.Writer, h *header.Header, file io.ReaderAt, matrices Type, scales ...Scale) error {
	var items []Item
	for _, t := range h.Tensors {
		items = append(items, whole(t, matrices))
	}
	plan, err := NewPlan(h, file, items)
	if err != nil {
		return err
	}
	if err := copyHead(dst, h, file, items); err != nil {
		return fmt.Errorf("weights: %w", err)
	}
	for i, item := range items {
		raw, err := plan.Read(item.Name)
		if err != nil {
			return err
		}
		for _, x := range scales {
			if strings.HasPrefix(item.Name, x.Prefix) && item.Type == F16 {
				x.halves(raw)
			}
		}
		if i < len(items)-1 {
			raw = append(raw, make([]byte, padding(int64(len(raw)), h))...)
		}
		if _, err := dst.Write(raw); err != nil {
			return fmt.Errorf("weights: %w", err)
		}
	}
	return nil
}

// Scale multiplies the matrices whose names begin with a prefix, such as "blk.7.",
// where they are written as F16.
type Scale struct {
	Prefix string
	By     float32
}

func (x Scale) halves(raw []byte) {
	for at := 0; at+1 < len(raw); at += 2 {
		h, _ := toF16(fromF16(binary.LittleEndian.Uint16(raw[at:])) * x.By)
		binary.LittleEndian.PutUint16(raw[at:], h)
	}
}

// whole is the item that one tensor becomes.
func whole(t header.Tensor, matrices Type) Item {
	part := Part{Tensor: t.Name, Rows: int(t.Dims[0]), Cols: 1}
	if len(t.Dims) > 1 {
		part.Rows, part.Cols = int(t.Elements()/t.Dims[0]), int(t.Dims[0])
		if matrices == Q8_0 && part.Cols%blockQ8 != 0 {
			matrices = F16
		}
		return Item{Name: t.Name, Type: matrices, Parts: []Part{part}}
	}
	return Item{Name: t.Name, Parts: []Part{part}}
}

// copyHead writes the metadata as they are and the table of tensors anew.
func copyHead(dst io.Writer, h *header.Header, file io.ReaderAt, items []Item) error {
	head := make([]byte, h.Table)
	if _, err := file.ReadAt(head, 0); err != nil {
		return err
	}
	offset := int64(0)
	for i, t := range h.Tensors {
		head = binary.LittleEndian.AppendUint64(head, uint64(len(t.Name)))
		head = append(head, t.Name...)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(t.Dims)))
		for _, d := range t.Dims {
			head = binary.LittleEndian.AppendUint64(head, d)
		}
		head = binary.LittleEndian.AppendUint32(head, items[i].Type.stored())
		head = binary.LittleEndian.AppendUint64(head, uint64(offset))
		offset += items[i].Bytes()
		offset += padding(offset, h)
	}
	head = append(head, make([]byte, padding(int64(len(head)), h))...)
	_, err := dst.Write(head)
	return err
}

// stored is the number of the type in a GGUF file.
func (t Type) stored() uint32 {
	switch t {
	case F16:
		return 1
	case BF16:
		return 30
	case Q8_0:
		return 8
	}
	return 0
}

// padding is what is missing to the next multiple of the file's alignment.
func padding(size int64, h *header.Header) int64 {
	align := int64(32)
	if v, said := h.Values["general.alignment"]; said { // header.Read has checked it
		n, _ := v.Uint()
		align = int64(n)
	}
	return (align - size%align) % align
}
