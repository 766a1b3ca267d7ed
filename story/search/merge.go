package search

import (
	"bytes"
	"encoding/binary"
	"io"
	"strings"
)

// merged makes one segment of several, in their order. The texts of the first
// are copied through memory.
func merged(all []*segment) (*segment, error) {
	out := &segment{offsets: []uint64{0}, starts: []uint32{0}}
	var entries bytes.Buffer
	bases := make([]uint32, len(all))
	for i, s := range all {
		bases[i] = uint32(out.docs())
		start := uint64(entries.Len())
		for _, end := range s.offsets[1:] {
			out.offsets = append(out.offsets, start+end)
		}
		if _, err := io.Copy(&entries, io.NewSectionReader(s.entries, 0, int64(s.offsets[s.docs()]))); err != nil {
			return nil, err
		}
	}
	out.entries = bytes.NewReader(entries.Bytes())
	var words strings.Builder
	next := make([]int, len(all))
	for {
		term, any := "", false
		for i, s := range all {
			if next[i] < len(s.terms) {
				if t := s.term(next[i]); !any || t < term {
					term, any = t, true
				}
			}
		}
		if !any {
			out.vocabulary = words.String()
			return out, nil
		}
		out.terms = append(out.terms, uint32(words.Len()))
		words.WriteString(term + "\x00")
		last := uint32(0)
		for i, s := range all {
			if next[i] >= len(s.terms) || s.term(next[i]) != term {
				continue
			}
			s.each(next[i], func(doc uint32) {
				doc += bases[i]
				out.lists = binary.AppendUvarint(out.lists, uint64(doc-last))
				last = doc
			})
			next[i]++
		}
		out.starts = append(out.starts, uint32(len(out.lists)))
	}
}
