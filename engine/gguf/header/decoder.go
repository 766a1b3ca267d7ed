package header

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"
)

// Bounds that no sound file comes near: a key is a dotted name, a value may be
// a chat template or a tokeniser's vocabulary, the largest models have some
// thousand tensors.
const (
	maxValues  = 1 << 16
	maxTensors = 1 << 18
	maxDims    = 4
	maxKey     = 1 << 16
	maxString  = 16 << 20
	keptItems  = 1 << 12 // longer arrays are counted, their items are not kept
	keptBytes  = 64 << 20
)

// decoder reads little-endian values and knows how many bytes are left.
type decoder struct {
	in   *bufio.Reader
	left int64
	kept int64 // bytes of strings kept so far
}

// preamble reads magic, version and the two counts.
func (d *decoder) preamble(h *Header) (tensors, values uint64, err error) {
	var head [8]byte
	n, err := io.ReadFull(d.in, head[:min(8, max(d.left, 0))])
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, err
	}
	if n < 4 || string(head[:4]) != "GGUF" {
		rest, _ := d.in.Peek(64)
		return 0, 0, fmt.Errorf("%w: it is %s", ErrNotGGUF, Describe(append(head[:n:n], rest...)))
	}
	if n < 8 {
		return 0, 0, fmt.Errorf("%w: it ends after %d bytes", ErrTruncated, n)
	}
	d.left -= 8
	h.Version = binary.LittleEndian.Uint32(head[4:])
	switch {
	case h.Version == 2 || h.Version == 3:
	case h.Version&0xffff == 0 && h.Version != 0:
		return 0, 0, fmt.Errorf("%w (version %d): only little-endian ones are read", ErrBigEndian, bits.ReverseBytes32(h.Version))
	default:
		return 0, 0, fmt.Errorf("%w: version %d; versions 2 and 3 are", ErrVersion, h.Version)
	}
	if tensors, err = d.uint64(); err != nil {
		return 0, 0, err
	}
	if values, err = d.uint64(); err != nil {
		return 0, 0, err
	}
	if tensors > maxTensors || values > maxValues {
		return 0, 0, fmt.Errorf("%w: it claims %d tensors and %d values", ErrMalformed, tensors, values)
	}
	return tensors, values, nil
}

func (d *decoder) values(h *Header, count uint64) error {
	for i := range count {
		key, err := d.string(maxKey)
		if err != nil {
			return fmt.Errorf("key of value %d: %w", i+1, err)
		}
		if _, twice := h.Values[key]; twice {
			return fmt.Errorf("%w: key %.80q stands twice", ErrMalformed, key)
		}
		kind, err := d.uint32()
		if err != nil {
			return fmt.Errorf("value %.80q: %w", key, err)
		}
		if h.Values[key], err = d.value(Kind(kind)); err != nil {
			return fmt.Errorf("value %.80q: %w", key, err)
		}
	}
	return nil
}

func (d *decoder) tensors(h *Header, count uint64) error {
	seen := map[string]bool{}
	for i := range count {
		t, err := d.tensor()
		if err != nil {
			return fmt.Errorf("row %d of %d of the tensor table: %w", i+1, count, err)
		}
		if seen[t.Name] {
			return fmt.Errorf("%w: tensor %.80q stands twice", ErrMalformed, t.Name)
		}
		seen[t.Name] = true
		h.Tensors = append(h.Tensors, t)
	}
	return nil
}

func (d *decoder) tensor() (t Tensor, err error) {
	if t.Name, err = d.string(maxKey); err != nil {
		return t, err
	}
	dims, err := d.uint32()
	if err != nil {
		return t, err
	}
	if dims == 0 || dims > maxDims {
		return t, fmt.Errorf("%w: tensor %.80q has %d dimensions", ErrMalformed, t.Name, dims)
	}
	elements := uint64(1)
	for range dims {
		n, err := d.uint64()
		if err != nil {
			return t, err
		}
		over, product := bits.Mul64(elements, n)
		if n == 0 || over > 0 || product > 1<<56 {
			return t, fmt.Errorf("%w: tensor %.80q has the dimension %d", ErrMalformed, t.Name, n)
		}
		elements = product
		t.Dims = append(t.Dims, n)
	}
	kind, err := d.uint32()
	if err != nil {
		return t, err
	}
	t.Type = Type(kind)
	t.Offset, err = d.uint64()
	return t, err
}

// take reads n bytes into buf, which is long enough.
func (d *decoder) take(buf []byte) error {
	if int64(len(buf)) > d.left {
		return fmt.Errorf("%w: it ends within its header", ErrTruncated)
	}
	n, err := io.ReadFull(d.in, buf)
	d.left -= int64(n)
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%w: it ends within its header", ErrTruncated)
	}
	return err
}

func (d *decoder) uint32() (uint32, error) {
	var b [4]byte
	err := d.take(b[:])
	return binary.LittleEndian.Uint32(b[:]), err
}

func (d *decoder) uint64() (uint64, error) {
	var b [8]byte
	err := d.take(b[:])
	return binary.LittleEndian.Uint64(b[:]), err
}

// length reads a count of items of at least size bytes each.
func (d *decoder) length(size int64, most uint64) (int64, error) {
	n, err := d.uint64()
	if err != nil {
		return 0, err
	}
	if n > uint64(d.left/size) {
		return 0, fmt.Errorf("%w: %d items are announced, %d bytes are left", ErrTruncated, n, d.left)
	}
	if n > most {
		return 0, fmt.Errorf("%w: a text of %d bytes, more than %d", ErrMalformed, n, most)
	}
	return int64(n), nil
}

func (d *decoder) string(most uint64) (string, error) {
	n, err := d.length(1, most)
	if err != nil {
		return "", err
	}
	if d.kept += n; d.kept > keptBytes {
		return "", fmt.Errorf("%w: its texts take more than %d bytes", ErrMalformed, keptBytes)
	}
	var text strings.Builder
	m, err := io.CopyN(&text, d.in, n)
	d.left -= m
	if errors.Is(err, io.EOF) {
		return "", fmt.Errorf("%w: it ends within a text", ErrTruncated)
	}
	return text.String(), err
}

// skip passes over n bytes.
func (d *decoder) skip(n int64) error {
	if n > d.left {
		return fmt.Errorf("%w: it ends within its header", ErrTruncated)
	}
	m, err := io.CopyN(io.Discard, d.in, n)
	d.left -= m
	if errors.Is(err, io.EOF) {
		return fmt.Errorf("%w: it ends within its header", ErrTruncated)
	}
	return err
}
