package store

import (
	"encoding/binary"
	"errors"
	"io"
	"iter"
	"os"
)

// Layout of a bbolt page: id, flags, count of elements, count of further pages;
// then for each element of a leaf flags, offset from the element, and the sizes
// of key and value; for each of a branch offset, size of the key, and a page.
const (
	pageHead    = 16
	pageElement = 16
	branchFlag  = 0x01 // of a page
	leafFlag    = 0x02
	bucketFlag  = 0x01 // of an element
	bucketHead  = 16   // root page, sequence
)

// pages reads the pages of a store file one by one, trusting none.
type pages struct {
	file         io.ReaderAt
	size, length int64
}

// page is one page, which may hold anything.
type page []byte

func (p page) flags() uint16 { return binary.NativeEndian.Uint16(p[8:]) }
func (p page) leaf() bool    { return p.flags() == leafFlag }
func (p page) count() int    { return int(binary.NativeEndian.Uint16(p[10:])) }

// element is what a leaf has under a key: a value, or a bucket.
type element struct {
	data   []byte
	bucket bool
}

// root is the page of a bucket, 0 where it is so small that it lies inline.
func (e element) root() uint64 {
	if len(e.data) < bucketHead {
		return 0
	}
	return binary.NativeEndian.Uint64(e.data)
}

// inline is the page of a bucket that lies inside its parent's.
func (e element) inline() page {
	if e.root() != 0 || len(e.data) < bucketHead+pageHead {
		return nil
	}
	return e.data[bucketHead:]
}

// keys gives the elements of a leaf that lie inside it.
func (p page) keys() iter.Seq2[[]byte, element] {
	return func(yield func([]byte, element) bool) {
		for i := range p.count() {
			at := pageHead + i*pageElement
			if at+pageElement > len(p) {
				return
			}
			e := p[at:]
			flags, pos := binary.NativeEndian.Uint32(e), uint64(binary.NativeEndian.Uint32(e[4:]))
			k, v := uint64(binary.NativeEndian.Uint32(e[8:])), uint64(binary.NativeEndian.Uint32(e[12:]))
			from := uint64(at) + pos
			if from+k+v > uint64(len(p)) {
				continue
			}
			if !yield(p[from:from+k], element{p[from+k : from+k+v], flags&bucketFlag != 0}) {
				return
			}
		}
	}
}

// below gives the pages that a branch leads to.
func (p page) below() (ids []uint64) {
	for i := range p.count() {
		at := pageHead + i*pageElement
		if at+pageElement > len(p) {
			break
		}
		ids = append(ids, binary.NativeEndian.Uint64(p[at+8:]))
	}
	return ids
}

func pagesOf(file io.ReaderAt, m meta, length int64) pages {
	if m.size < minPage || m.size > maxPage {
		m.size = int64(os.Getpagesize()) // the head is gone: nearly always right
	}
	return pages{file, m.size, length}
}

// there reports whether the file is long enough for the head of a page.
func (p pages) there(id int64) bool {
	return id >= 0 && id <= p.length/p.size && id*p.size+pageHead <= p.length
}

// read gives a page with those that it runs on over. An error
// is the disk's.
func (p pages) read(id int64) (page, error) {
	head := make(page, pageHead)
	if _, err := p.file.ReadAt(head, id*p.size); err != nil {
		return nil, err
	}
	if f := head.flags(); f != leafFlag && f != branchFlag {
		return head, nil
	}
	span := (int64(binary.NativeEndian.Uint32(head[12:])) + 1) * p.size
	if span = min(span, p.length-id*p.size); span > maxLine {
		return head, nil
	}
	whole := make(page, span)
	n, err := p.file.ReadAt(whole, id*p.size)
	if err != nil && !errors.Is(err, io.EOF) || n < pageHead {
		return head, nil //nolint:nilerr // what follows the head is lost
	}
	return whole[:n], nil
}

// live is where the newest state of a store leads.
type live struct {
	pages map[uint64]bool
	whole map[string]bool // buckets of which no page is damaged
}

// live walks the newest state as far as it can be read.
func (p pages) live(root uint64) live {
	l := live{map[uint64]bool{}, map[string]bool{}}
	top, ok := p.walk(root, l.pages)
	for _, leaf := range top {
		for name, e := range leaf.keys() {
			if !e.bucket {
				continue
			}
			whole := ok
			if e.root() != 0 {
				_, whole = p.walk(e.root(), l.pages)
			}
			l.whole[string(name)] = whole && ok
		}
	}
	return l
}

// walk notes the pages from a root down and gives the leaves; whole is false
// where a page is not what it should be.
func (p pages) walk(root uint64, seen map[uint64]bool) (leaves []page, whole bool) {
	whole = root != 0
	for todo := []uint64{root}; len(todo) > 0; {
		id := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if id < 2 || seen[id] || !p.there(int64(id)) {
			whole = false
			continue
		}
		page, err := p.read(int64(id))
		if err != nil || binary.NativeEndian.Uint64(page) != id {
			whole = false
			continue
		}
		seen[id] = true
		switch {
		case page.leaf():
			leaves = append(leaves, page)
		case page.flags() == branchFlag:
			todo = append(todo, page.below()...)
		default:
			whole = false
		}
	}
	return leaves, whole
}
