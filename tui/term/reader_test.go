package term_test

import (
	"io"
	"os"
	"strings"
	"testing"

	"fabula/tui/term"
)

// through gives what a reader makes of bytes that come in pieces.
func through(t *testing.T, pieces ...string) string {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	keyboard := term.NewReader(r)
	var out strings.Builder
	buf := make([]byte, 256)
	for _, p := range pieces {
		if p == "" {
			continue
		}
		if _, err := w.WriteString(p); err != nil {
			t.Fatal(err)
		}
		for left := len(p); left > 0; left -= 256 {
			n, err := keyboard.Read(buf)
			if err != nil {
				t.Fatal(err)
			}
			out.Write(buf[:n])
		}
	}
	w.Close()
	for {
		n, err := keyboard.Read(buf)
		out.Write(buf[:n])
		if err == io.EOF {
			return out.String()
		}
	}
}

// Ensure that answers about colours are dropped, however they are cut, and that
// everything else comes through in order (R52).
func TestReaderDropsAnswers(t *testing.T) {
	for _, tc := range []struct {
		pieces []string
		want   string
	}{
		{[]string{"hello 你好\r"}, "hello 你好\r"},
		{[]string{"a\x1b]11;rgb:1616/1818/1d1d\x1b\\b"}, "ab"},
		{[]string{"a\x1b]11;rgb:1616/", "1818/1d1d", "\x07b"}, "ab"},
		{[]string{"a\x1b]", "10;rgb:d8d8/dcdc/e4e4\x1b", "\\b"}, "ab"},
		{[]string{"\x1b]4;1;rgb:00/00/00\x07\x1b]11;rgb:0/0/0\x07x"}, "x"},
		{[]string{"\x1b"}, "\x1b"},
		{[]string{"\x1b", "]"}, "\x1b]"},
		{[]string{"\x1b]", "x"}, "\x1b]x"},
		{[]string{"\x1b]1", "a"}, "\x1b]1a"},
		{[]string{"\x1b]52;c;" + strings.Repeat("A", 100), "b"}, "\x1b]52;c;" + strings.Repeat("A", 100) + "b"},
		{[]string{"\x1b]11;\rx"}, "\x1b]11;\rx"},
		{[]string{"\x1b[A\x1bOP\x1b[200~paste\x1b[201~"}, "\x1b[A\x1bOP\x1b[200~paste\x1b[201~"},
	} {
		if got := through(t, tc.pieces...); got != tc.want {
			t.Errorf("%q: %q, want %q", tc.pieces, got, tc.want)
		}
	}
}

func FuzzReader(f *testing.F) {
	f.Add("a\x1b]11;rgb:1616/1818/1d1d\x1b\\b", uint8(5))
	f.Add("\x1b]\x1b]1;\x1b", uint8(2))
	f.Fuzz(func(t *testing.T, s string, cut uint8) {
		if len(s) > 200 {
			return
		}
		at := min(int(cut), len(s))
		got := through(t, s[:at], s[at:])
		if rest := strings.Split(s, "\x1b]")[0]; !strings.HasPrefix(got, rest) && !strings.HasSuffix(s[:at], "\x1b") {
			t.Errorf("%q cut at %d: %q", s, at, got)
		}
		if !strings.Contains(s, "\x1b]") && got != s && len(got) != len(s) {
			t.Errorf("%q became %q", s, got)
		}
	})
}
