package card

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"strings"
)

const signature = "\x89PNG\r\n\x1a\n"

func isPNG(data []byte) bool { return bytes.HasPrefix(data, []byte(signature)) }

// chunk is one part of a PNG; all aliases the file.
type chunk struct {
	kind string
	body []byte
	all  []byte // with length, kind and checksum
}

// sound reports a right checksum.
func (c chunk) sound() bool {
	return crc32.ChecksumIEEE(c.all[4:len(c.all)-4]) == binary.BigEndian.Uint32(c.all[len(c.all)-4:])
}

// chunks cuts a PNG. A length that the file does not have ends it with an error.
func chunks(data []byte) ([]chunk, error) {
	var out []chunk
	for at := len(signature); at < len(data); {
		rest := data[at:]
		if len(rest) < 12 {
			return out, fmt.Errorf("%w: the PNG is cut short after %d bytes", ErrFormat, len(data))
		}
		n := binary.BigEndian.Uint32(rest)
		if uint64(n) > uint64(len(rest)-12) {
			return out, fmt.Errorf("%w: a part of the PNG says it has %d bytes, %d are left: the file is cut short or broken", ErrFormat, n, len(rest)-12)
		}
		c := chunk{string(rest[4:8]), rest[8 : 8+n], rest[:12+n]}
		out = append(out, c)
		at += len(c.all)
		if c.kind == "IEND" {
			break
		}
	}
	return out, nil
}

// keyword gives the lower-case keyword of a text chunk, and its text. The
// specification asks for tEXt alone.
func (c chunk) keyword() (word string, text []byte) {
	if c.kind != "tEXt" && c.kind != "zTXt" && c.kind != "iTXt" {
		return "", nil
	}
	word, rest, found := strings.Cut(string(c.body), "\x00")
	if !found {
		return "", nil
	}
	return strings.ToLower(word), []byte(rest)
}

// readPNG reads the card in a PNG: `ccv3`, else `chara`.
func readPNG(data []byte) (*Card, []Note, error) {
	list, broken := chunks(data)
	found := map[string][]chunk{}
	for _, c := range list {
		if word, _ := c.keyword(); word == "chara" || word == "ccv3" {
			found[word] = append(found[word], c)
		}
	}
	word := "ccv3"
	if len(found[word]) == 0 {
		word = "chara"
	}
	switch {
	case len(found[word]) == 0 && broken != nil:
		return nil, nil, broken
	case len(found[word]) == 0:
		return nil, nil, fmt.Errorf("%w: the PNG is a picture without a card: it has no text `chara` or `ccv3`; programs that shrink pictures take it out", ErrFormat)
	}
	first := found[word][0]
	if first.kind != "tEXt" {
		return nil, nil, fmt.Errorf("%w: the card in the PNG is in a %s part; tEXt was expected", ErrFormat, first.kind)
	}
	text, err := unpack(first)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: text `%s` of the PNG: %v", ErrFormat, word, err)
	}
	c, notes, err := readJSON(text)
	if err != nil {
		return nil, nil, err
	}
	if !first.sound() {
		notes = append(notes, Note{Coerced, word, NoteCRC, []string{word}})
	}
	if word == "ccv3" && len(found["chara"]) > 0 || len(found[word]) > 1 {
		notes = append(notes, Note{Coerced, word, NoteNewer, []string{word, "chara"}})
	}
	if broken != nil {
		return c, append(notes, Note{Dropped, "picture", NotePicture, []string{"cut short"}}), nil
	}
	c.Picture = join(list, nil)
	return c, notes, nil
}

// unpack decodes the base64 of a chunk, with or without padding, in either
// alphabet, with line breaks or without.
func unpack(c chunk) ([]byte, error) {
	_, text := c.keyword()
	clean := strings.Map(func(r rune) rune {
		switch r {
		case '\n', '\r', ' ', '\t', '=', 0:
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, string(text))
	if base64.RawStdEncoding.DecodedLen(len(clean)) > MaxJSON {
		return nil, fmt.Errorf("%d bytes of base64, at most %d of JSON are read", len(clean), MaxJSON)
	}
	out, err := base64.RawStdEncoding.DecodeString(clean)
	if err != nil {
		return nil, fmt.Errorf("broken base64: %v", err)
	}
	return bytes.TrimPrefix(out, []byte("\xEF\xBB\xBF")), nil
}

// join puts a PNG together without any card, and with the given texts before
// its end.
func join(list []chunk, texts []chunk) []byte {
	out := []byte(signature)
	for _, c := range list {
		if word, _ := c.keyword(); word == "chara" || word == "ccv3" || c.kind == "IEND" {
			continue
		}
		out = append(out, c.all...)
	}
	for _, c := range append(texts, newChunk("IEND", nil)) {
		out = append(out, c.all...)
	}
	return out
}

func newChunk(kind string, body []byte) chunk {
	all := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	all = append(append(all, kind...), body...)
	all = binary.BigEndian.AppendUint32(all, crc32.ChecksumIEEE(all[4:]))
	return chunk{kind, all[8 : 8+len(body)], all}
}

// Embed puts cards into a PNG: V2 as `chara`, V3 as `ccv3`, before its end.
// Cards that were in it are taken out, so that no reader finds a stale one.
func Embed(picture, v2, v3 []byte) ([]byte, error) {
	if !isPNG(picture) {
		return nil, fmt.Errorf("%w: the picture %s, a PNG was expected", ErrFormat, Looks(picture))
	}
	list, err := chunks(picture)
	if err != nil {
		return nil, err
	}
	text := func(word string, card []byte) chunk {
		return newChunk("tEXt", append([]byte(word+"\x00"), base64.StdEncoding.EncodeToString(card)...))
	}
	return join(list, []chunk{text("chara", v2), text("ccv3", v3)}), nil
}

// Looks says what a file seems to be, for a person who took it for a card.
func Looks(data []byte) string {
	head := strings.ToLower(strings.TrimSpace(string(data[:min(len(data), 64)])))
	for _, k := range []struct{ begin, what string }{
		{"<!doctype html", "is a web page: the download gave a page instead of the picture"}, {"<html", "is a web page: the download gave a page instead of the picture"},
		{"\xff\xd8\xff", "is a JPEG: a card needs the original PNG"}, {"riff", "is a WEBP or another RIFF file: a card needs the original PNG"},
		{"gif8", "is a GIF: a card needs the original PNG"}, {"%pdf", "is a PDF"}, {"[", "is a JSON list, not an object"},
	} {
		if strings.HasPrefix(head, k.begin) || strings.HasPrefix(string(data), k.begin) {
			return k.what
		}
	}
	switch {
	case len(data) == 0:
		return "is empty"
	case strings.Contains(head, "png"):
		return "begins like a damaged PNG"
	}
	return "is neither PNG, CHARX nor JSON"
}
