// Package header reads what a GGUF file says about itself: metadata and the
// table of tensors, never the tensors. It is plain Go and needs no model
// runtime, so that a broken, truncated or foreign file is refused with what was
// found before any native code sees it.
//
// The layout is that of versions 2 and 3 of the GGUF specification
// (github.com/ggml-org/ggml, docs/gguf.md), little-endian. Nothing is allocated
// by a declared length: every length is first held against the bytes that are
// left in the file.
//
// Non-goals: dequantising, writing, big-endian files, version 1.
package header

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
)

// What is wrong with a file. The wrapped text names what was found.
var (
	ErrNotGGUF   = errors.New("not a GGUF file")
	ErrBigEndian = errors.New("a big-endian GGUF file")
	ErrVersion   = errors.New("a GGUF version that is not supported")
	ErrTruncated = errors.New("a truncated GGUF file")
	ErrMalformed = errors.New("a malformed GGUF file")
)

// Header is what a GGUF file says about itself.
type Header struct {
	Version uint32
	Values  map[string]Value
	Tensors []Tensor // in the order of the file
	// Table is the offset in the file at which the table of tensors begins, behind
	// the metadata, in bytes.
	Table int64
	// Data is the offset in the file at which tensor data begins, in bytes.
	Data int64
	// Size is the length of the file in bytes.
	Size int64
}

// Tensor is one row of the tensor table.
type Tensor struct {
	Name   string
	Type   Type
	Dims   []uint64 // elements per dimension, the contiguous one first; 1 to 4
	Offset uint64   // in bytes from Header.Data
}

// Elements is the number of elements.
func (t Tensor) Elements() uint64 {
	n := uint64(1)
	for _, d := range t.Dims {
		n *= d
	}
	return n
}

// Bytes is the size of the tensor's data; 0 for a type that Type does not know.
func (t Tensor) Bytes() uint64 {
	block, bytes := t.Type.Block()
	if block == 0 {
		return 0
	}
	return t.Elements() / uint64(block) * uint64(bytes)
}

// Open reads the header of the file at path.
func Open(path string) (*Header, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("gguf: %w", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("gguf: %w", err)
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("gguf %s: %w: it is no regular file", path, ErrNotGGUF)
	}
	h, err := Read(f, info.Size())
	if err != nil {
		return nil, fmt.Errorf("gguf %s: %w", path, err)
	}
	return h, nil
}

// Read reads a header from the start of a file that is size bytes long. Every
// error but one of r wraps a sentinel of this package. A file that holds less
// tensor data than its table says is ErrTruncated.
func Read(r io.Reader, size int64) (*Header, error) {
	d := &decoder{in: bufio.NewReaderSize(r, 64<<10), left: size}
	h := &Header{Size: size, Values: map[string]Value{}}
	tensors, values, err := d.preamble(h)
	if err != nil {
		return nil, err
	}
	if err := d.values(h, values); err != nil {
		return nil, err
	}
	h.Table = size - d.left
	if err := d.tensors(h, tensors); err != nil {
		return nil, err
	}
	align, err := h.alignment()
	if err != nil {
		return nil, err
	}
	read := size - d.left
	h.Data = (read + align - 1) / align * align
	return h, h.check(align)
}

// alignment of tensor data, 32 unless the file says otherwise.
func (h *Header) alignment() (int64, error) {
	v, said := h.Values["general.alignment"]
	if !said {
		return 32, nil
	}
	n, ok := v.Uint()
	if !ok || n == 0 || n > 1<<20 || n&(n-1) != 0 {
		return 0, fmt.Errorf("%w: general.alignment is %s, not a power of two up to 1 MiB", ErrMalformed, v)
	}
	return int64(n), nil
}
