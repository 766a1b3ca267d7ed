package chat_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fabula/engine/chat"
)

func TestAssembler(t *testing.T) {
	family := "👨‍👩‍👧"
	tests := map[string]struct {
		tokens  []string
		want    []string
		dropped int
	}{
		"emoji over three tokens":  {[]string{"\xf0\x9f", "\x91", "\xa8"}, []string{"", "", "👨"}, 0},
		"family over three tokens": {[]string{family[:5], family[5:13], family[13:]}, []string{"👨", "\u200d👩", "\u200d👧"}, 0},
		"lone 0xFF":                {[]string{"a\xff", "b"}, []string{"a\ufffd", "b"}, 0},
		"cut at the end":           {[]string{"你", "\xe5\xa5"}, []string{"你", ""}, 2},
		"one byte at the end":      {[]string{"\xf0"}, []string{""}, 1},
		"beginning then ASCII":     {[]string{"\xe4\xbd", "A"}, []string{"", "\ufffdA"}, 0},
		"beginning then another":   {[]string{"\xf0\x9f\x91", "你"}, []string{"", "\ufffd你"}, 0},
		"overlong":                 {[]string{"\xc0\x80"}, []string{"\ufffd\ufffd"}, 0},
		"surrogate":                {[]string{"\xed\xa0\x80"}, []string{"\ufffd\ufffd\ufffd"}, 0},
		"continuation alone":       {[]string{"\x80x"}, []string{"\ufffdx"}, 0},
		"own replacement mark":     {[]string{"\xef\xbf", "\xbd"}, []string{"", "\ufffd"}, 0},
		"nothing":                  {[]string{"", ""}, []string{"", ""}, 0},
		"plain":                    {[]string{"Hm", "."}, []string{"Hm", "."}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			var asm chat.Assembler
			var got []string
			for _, token := range test.tokens {
				got = append(got, asm.Write([]byte(token)))
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("%q, want %q", got, test.want)
			}
			if n := asm.Flush(); n != test.dropped {
				t.Errorf("dropped %d bytes, want %d", n, test.dropped)
			}
			if n := asm.Flush(); n != 0 {
				t.Errorf("a second Flush drops %d bytes", n)
			}
		})
	}
}

// checkAssembler compares text cut in two ways.
func checkAssembler(t interface{ Fatalf(string, ...any) }, data []byte, size int) {
	var whole, cut chat.Assembler
	want, got := whole.Write(data), ""
	for chunk := range slices.Chunk(data, 1+int(uint(size)%5)) {
		text := cut.Write(chunk)
		if !utf8.ValidString(text) {
			t.Fatalf("%q gives invalid %q", data, text)
		}
		got += text
	}
	if got != want {
		t.Fatalf("%q gives %q whole and %q cut", data, want, got)
	}
	n := whole.Flush()
	if n > 3 || cut.Flush() != n {
		t.Fatalf("%q drops %d bytes whole", data, n)
	}
	if kept := data[:len(data)-n]; utf8.Valid(kept) && got != string(kept) {
		t.Fatalf("valid %q gives %q", kept, got)
	}
	// Nothing valid is lost: the text without replacement marks is what Go's own
	// decoder leaves, too.
	if strip(got) != strip(strings.ToValidUTF8(string(data), "")) {
		t.Fatalf("%q gives %q", data, got)
	}
}

func strip(s string) string { return strings.ReplaceAll(s, "\ufffd", "") }

func TestAssemblerDoesNotDependOnCuts(t *testing.T) {
	part := rapid.SampledFrom([]string{"a", "你", "👨", "\xff", "\xe4", "\xbd", "\xf0\x9f", "\u200d", "\xed\xa0", "\ufffd"})
	rapid.Check(t, func(t *rapid.T) {
		data := strings.Join(rapid.SliceOfN(part, 0, 12).Draw(t, "parts"), "")
		checkAssembler(t, []byte(data), rapid.IntRange(0, 4).Draw(t, "size"))
	})
}

func FuzzAssembler(f *testing.F) {
	f.Add([]byte("你好👨‍👩‍👧"), 1)
	f.Add([]byte("a\xff\xe4\xbdA\xf0\x9f"), 0)
	f.Fuzz(func(t *testing.T, data []byte, size int) { checkAssembler(t, data, size) })
}
