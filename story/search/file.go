package search

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"

	"fabula/engine/safefile"
)

// magic begins a file, with the version of its format.
const magic = "fabula-find/2\n"

// header follows it, after its length: how long each part is, in this order.
type header struct {
	Life       string `json:"life"`
	Last       uint64 `json:"last"`
	Vocabulary int    `json:"vocabulary"` // bytes
	Terms      int    `json:"terms"`
	Lists      int    `json:"lists"` // bytes
	Docs       int    `json:"docs"`
	Entries    int64  `json:"entries"` // bytes
	Sum        uint32 `json:"sum"`     // CRC-32 of the parts before the entries
}

// mostHeader bounds what is read before anything is known.
const mostHeader = 1 << 12

var errFile = errors.New("no index of this version")

// write puts a segment into a file: beside it, and renamed.
func (s *segment) write(file string, h header) error {
	var parts bytes.Buffer
	parts.WriteString(s.vocabulary)
	for _, list := range []any{s.terms, s.lists, s.starts, s.offsets} {
		if err := binary.Write(&parts, binary.LittleEndian, list); err != nil {
			return err
		}
	}
	h.Vocabulary, h.Terms, h.Lists, h.Docs = len(s.vocabulary), len(s.terms), len(s.lists), s.docs()
	h.Entries, h.Sum = int64(s.offsets[s.docs()]), crc32.ChecksumIEEE(parts.Bytes())
	head, err := json.Marshal(h)
	if err != nil {
		return err
	}
	return safefile.ReplaceBy(file, func(w io.Writer) error {
		out := bufio.NewWriterSize(w, 1<<20)
		_, _ = fmt.Fprintf(out, "%s%08x", magic, len(head))
		_, _ = out.Write(head)
		_, _ = out.Write(parts.Bytes())
		_, err := io.Copy(out, io.NewSectionReader(s.entries, 0, h.Entries))
		return errors.Join(err, out.Flush())
	})
}

// load reads a file; its texts stay there until they are asked for.
func load(file string) (*segment, header, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, header{}, err
	}
	s, h, err := read(f)
	if err != nil {
		return nil, h, errors.Join(err, f.Close())
	}
	s.closer = f
	return s, h, nil
}

// readable is a file that is open.
type readable interface {
	io.ReaderAt
	io.ReadSeeker
}

func read(f readable) (*segment, header, error) {
	var h header
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, h, err
	}
	start := make([]byte, len(magic)+8)
	if _, err := f.ReadAt(start, 0); err != nil || string(start[:len(magic)]) != magic {
		return nil, h, errFile
	}
	length := 0
	if _, err := fmt.Sscanf(string(start[len(magic):]), "%x", &length); err != nil || length > mostHeader {
		return nil, h, errFile
	}
	head := make([]byte, length)
	if _, err := f.ReadAt(head, int64(len(start))); err != nil || json.Unmarshal(head, &h) != nil {
		return nil, h, errFile
	}
	at := int64(len(start) + length)
	n := int64(h.Vocabulary) + 4*int64(h.Terms) + int64(h.Lists) + 4*int64(h.Terms+1) + 8*int64(h.Docs+1)
	for _, x := range []int64{int64(h.Vocabulary), int64(h.Terms), int64(h.Lists), int64(h.Docs), h.Entries} {
		if x < 0 || x > size {
			return nil, h, errFile
		}
	}
	if at+n+h.Entries != size {
		return nil, h, errFile
	}
	parts := make([]byte, n)
	if _, err := f.ReadAt(parts, at); err != nil || crc32.ChecksumIEEE(parts) != h.Sum {
		return nil, h, errFile
	}
	s := &segment{vocabulary: string(parts[:h.Vocabulary]), terms: make([]uint32, h.Terms), lists: make([]byte, h.Lists),
		starts: make([]uint32, h.Terms+1), offsets: make([]uint64, h.Docs+1), entries: io.NewSectionReader(f, at+n, h.Entries)}
	in := bytes.NewReader(parts[h.Vocabulary:])
	for _, list := range []any{s.terms, s.lists, s.starts, s.offsets} {
		if err := binary.Read(in, binary.LittleEndian, list); err != nil {
			return nil, h, err
		}
	}
	return s, h, s.fits(uint64(h.Entries))
}

// fits checks that no number leads outside: a checksum proves only that the file
// is as it was written.
func (s *segment) fits(entries uint64) error {
	for i, at := range s.terms {
		if int(at) >= len(s.vocabulary) || i > 0 && at <= s.terms[i-1] {
			return errFile
		}
	}
	if len(s.terms) > 0 && s.vocabulary[len(s.vocabulary)-1] != 0 {
		return errFile
	}
	for i, at := range s.starts {
		if int(at) > len(s.lists) || i > 0 && at < s.starts[i-1] {
			return errFile
		}
	}
	for i, at := range s.offsets {
		if at > entries || i > 0 && at < s.offsets[i-1] {
			return errFile
		}
	}
	return nil
}
