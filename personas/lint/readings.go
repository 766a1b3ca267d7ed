package lint

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// readingsFile holds the first Mandarin reading of every character that Unihan
// gives one: a line a reading, the characters behind a colon, deflated. A test
// writes it anew and holds it against github.com/mozillazg/go-pinyin, whose own
// table costs every start of the program 3 ms, also where nothing is linted.
//
//go:embed readings.txt.z
var readingsFile []byte

// pinyinOf is the first reading of each character; it is unpacked when it is
// first asked for.
var pinyinOf = sync.OnceValue(func() map[rune]string {
	return unpackReadings(readingsFile)
})

func unpackReadings(packed []byte) map[rune]string {
	text, err := io.ReadAll(flate.NewReader(bytes.NewReader(packed)))
	if err != nil {
		panic("readings of characters: " + err.Error()) // a part of the program is broken
	}
	all := make(map[rune]string, 45000)
	for line := range strings.Lines(string(text)) {
		reading, characters, _ := strings.Cut(strings.TrimSuffix(line, "\n"), ":")
		for _, r := range characters {
			all[r] = reading
		}
	}
	return all
}

// Pinyin writes the Chinese characters of a text in letters, all else as it is.
func Pinyin(text string) string {
	var b strings.Builder
	for _, r := range text {
		if read := pinyinOf()[r]; read != "" {
			b.WriteString(read)
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}
