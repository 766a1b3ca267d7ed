package header

import (
	"encoding/binary"
	"fmt"
	"math"
)

// Kind is the type of a metadata value, numbered as in the file.
type Kind uint32

// The kinds of the specification.
const (
	Uint8 Kind = iota
	Int8
	Uint16
	Int16
	Uint32
	Int32
	Float32
	Bool
	String
	Array
	Uint64
	Int64
	Float64
)

// size is the length of one value in bytes, 0 where it varies.
func (k Kind) size() int64 {
	switch k {
	case Uint8, Int8, Bool:
		return 1
	case Uint16, Int16:
		return 2
	case Uint32, Int32, Float32:
		return 4
	case Uint64, Int64, Float64:
		return 8
	}
	return 0
}

// least is the fewest bytes that a value takes.
func (k Kind) least() int64 {
	switch k {
	case String:
		return 8
	case Array:
		return 12
	}
	return k.size()
}

func (k Kind) known() bool { return k <= Float64 }

// Value is one metadata value.
type Value struct {
	Kind Kind
	// Item is the kind of an array's items and Len their number; Items is nil
	// for arrays of more than 4096 items, which are counted only.
	Item  Kind
	Len   int
	Items []Value

	text string
	raw  uint64
}

// Text gives a string value.
func (v Value) Text() (string, bool) { return v.text, v.Kind == String }

// Flag gives a boolean value.
func (v Value) Flag() (on, ok bool) { return v.raw != 0, v.Kind == Bool }

// Uint gives a whole number from 0 up, whatever integer kind holds it.
func (v Value) Uint() (uint64, bool) {
	switch v.Kind {
	case Uint8, Uint16, Uint32, Uint64:
		return v.raw, true
	case Int8, Int16, Int32, Int64:
		return v.raw, int64(v.raw) >= 0
	}
	return 0, false
}

// Int gives a whole number, whatever integer kind holds it.
func (v Value) Int() (int64, bool) {
	switch v.Kind {
	case Uint8, Uint16, Uint32, Int8, Int16, Int32, Int64:
		return int64(v.raw), true
	case Uint64:
		return int64(v.raw), v.raw <= math.MaxInt64
	}
	return 0, false
}

// Float gives a floating point value.
func (v Value) Float() (float64, bool) {
	switch v.Kind {
	case Float32:
		return float64(math.Float32frombits(uint32(v.raw))), true
	case Float64:
		return math.Float64frombits(v.raw), true
	}
	return 0, false
}

// Texts gives an array of strings; false too if its items were not kept.
func (v Value) Texts() ([]string, bool) {
	if v.Kind != Array || v.Item != String || len(v.Items) != v.Len {
		return nil, false
	}
	list := make([]string, len(v.Items))
	for i, item := range v.Items {
		list[i] = item.text
	}
	return list, true
}

// String describes a value for a message, shortened.
func (v Value) String() string {
	switch v.Kind {
	case String:
		return fmt.Sprintf("%.80q", v.text)
	case Array:
		return fmt.Sprintf("a list of %d", v.Len)
	case Bool:
		return fmt.Sprint(v.raw != 0)
	}
	if f, ok := v.Float(); ok {
		return fmt.Sprint(f)
	}
	if v.Kind == Uint64 {
		return fmt.Sprint(v.raw)
	}
	return fmt.Sprint(int64(v.raw))
}

func (d *decoder) value(kind Kind) (Value, error) {
	v := Value{Kind: kind}
	var err error
	switch {
	case !kind.known():
		return v, fmt.Errorf("%w: value of the unknown type %d", ErrMalformed, kind)
	case kind == String:
		v.text, err = d.string(maxString)
	case kind == Array:
		err = d.array(&v)
	default:
		v.raw, err = d.number(kind)
	}
	return v, err
}

func (d *decoder) number(kind Kind) (uint64, error) {
	var b [8]byte
	if err := d.take(b[:kind.size()]); err != nil {
		return 0, err
	}
	raw := binary.LittleEndian.Uint64(b[:])
	switch kind {
	case Int8:
		raw = uint64(int64(int8(raw)))
	case Int16:
		raw = uint64(int64(int16(raw)))
	case Int32:
		raw = uint64(int64(int32(raw)))
	}
	return raw, nil
}

// array reads items, or passes over them if there are many. Arrays of arrays
// are in the specification and in no file; they are refused.
func (d *decoder) array(v *Value) error {
	item, err := d.uint32()
	if err != nil {
		return err
	}
	v.Item = Kind(item)
	if !v.Item.known() || v.Item == Array {
		return fmt.Errorf("%w: a list of items of type %d", ErrMalformed, item)
	}
	n, err := d.length(v.Item.least(), math.MaxInt64)
	if err != nil {
		return err
	}
	v.Len = int(n)
	if n > keptItems {
		return d.passOver(v.Item, n)
	}
	for range n {
		item, err := d.value(v.Item)
		if err != nil {
			return err
		}
		v.Items = append(v.Items, item)
	}
	return nil
}

func (d *decoder) passOver(item Kind, n int64) error {
	if size := item.size(); size > 0 {
		return d.skip(n * size)
	}
	for range n {
		length, err := d.length(1, maxString)
		if err != nil {
			return err
		}
		if err := d.skip(length); err != nil {
			return err
		}
	}
	return nil
}
