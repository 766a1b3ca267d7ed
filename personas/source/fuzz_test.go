package source_test

import (
	"bytes"
	"slices"
	"testing"

	"fabula/personas/source"
)

// FuzzRead checks what holds for any bytes: no panic, faults in order and
// inside the file, the same answer twice, and CRLF changes nothing.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"hero: a\nname: {zh: 阿, en: A}\ngoals:\n  - x # y\n  - {text: t, when: !z}\n",
		"hero: a\ntraits: &a [*a, 'b\n\tc: {d, e}\n", "%x\n---\n? [a]\n: b\n<<: *c\n...\n", "\xff\xfe", "- - - {a: [b, {c: ~}]}\n",
		"hero: a\nbrief: >\n one\n  two\n\n\nage: 3e", "a: b\rhero: \"\\x41\\u4e2d\\q\"\n", "hero: a\nname: *b # c\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 4096 {
			return // a fault in a long file is looked for by parsing beginnings of it
		}
		_, found := source.Read(source.File{Name: "hero.yaml", Data: data}, heroType())
		lines := bytes.Count(data, []byte("\n")) + bytes.Count(data, []byte("\r")) + 1
		for i, fault := range found {
			if fault.Pos.File != "hero.yaml" || fault.Pos.Line < 0 || fault.Pos.Line > lines || !slices.Contains(source.Codes(), fault.Code) {
				t.Fatalf("%d lines, but %v", lines, fault)
			}
			if i > 0 && fault.Pos.Line < found[i-1].Pos.Line {
				t.Fatalf("not in order: %v", found)
			}
		}
		if bytes.Contains(data, []byte("\r")) || bytes.Contains(data, []byte{0}) {
			return // no text of which another line end would be the same
		}
		_, again := source.Read(source.File{Name: "hero.yaml", Data: bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))}, heroType())
		if len(again) != len(found) {
			t.Fatalf("LF %v, CRLF %v", found, again)
		}
	})
}
