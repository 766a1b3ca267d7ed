package text_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"fabula/tui/text"
)

// Hostile text (R21, R22): whatever goes in, only line feeds and printable
// characters come out.
var hostile = []string{
	"\x1b]52;c;aGk=\x07", "\x1b]8;;http://x\x1b\\link", "\x1b[2J", "\x1b[6n", "\x1bc", "\x9b2J", "\u009b2J", "\u009d0;x\a",
	"\x1b]0;never ended", "\x00", "a\rb", "\x7f", "[/x]", "[b", "**bold", "```", "a\tb", "\u202eevil\u202c", "zero\u200bwidth\ufeff",
	"e" + strings.Repeat("\u0301", 500), "\xff\xfe", "👨‍👩‍👧", "⚠️", "\u2028x", "\u3164", "\U000e0041",
}

func TestSanitiseLeavesOnlyWhatMayBeShown(t *testing.T) {
	for _, in := range hostile {
		assertSafe(t, in, text.Sanitise(in))
	}
}

func assertSafe(t *testing.T, in, out string) {
	t.Helper()
	if !utf8.ValidString(out) {
		t.Errorf("%q: invalid UTF-8 %q", in, out)
	}
	for _, r := range out {
		if r < 0x20 && r != '\n' || r >= 0x7f && r < 0xa0 || r >= 0x202a && r <= 0x202e || r == 0x200b || r == 0xfeff {
			t.Errorf("%q: %U came through in %q", in, r, out)
		}
	}
}

func TestSanitise(t *testing.T) {
	for _, tc := range []struct{ in, want string }{
		{"plain 你好", "plain 你好"},
		{"\x1b[2J", "^[[2J"},
		{"\u009b2J", "<9b>2J"},
		{"\xff", "<ff>"},
		{"a\r\nb\rc", "a\nb\nc"},
		{"a\tb", "a    b"},
		{"\u202ex", "<202e>x"},
		{"a\u200bb", "ab"},
		{"👨‍👩‍👧", "👨‍👩‍👧"},
		{"a\u200db", "ab"},
		{"[/x] **b `", "[/x] **b `"},
		{"⚠️", "⚠"},
	} {
		if got := text.Sanitise(tc.in); got != tc.want {
			t.Errorf("Sanitise(%q) = %q, want %q", tc.in, got, tc.want)
		}
	}
}

func TestWrapKeepsWithinWidth(t *testing.T) {
	inputs := append([]string{
		strings.Repeat("x", 3000), strings.Repeat("很长的一句话，没有空格。", 40), "한글中文日本語ABC",
	}, hostile...)
	for _, in := range inputs {
		for _, w := range []int{2, 3, 10, 41, 80} {
			for _, row := range text.Wrap(text.Sanitise(in), w) {
				if text.Width(row) > w {
					t.Errorf("row %q of %.20q is %d wide, limit %d", row, in, text.Width(row), w)
				}
			}
		}
	}
}

func TestWrap(t *testing.T) {
	for _, tc := range []struct {
		in   string
		w    int
		want string
	}{
		{"one two three", 8, "one two|three"},
		{"你好，世界。", 6, "你好，|世界。"},
		{"他说：“走吧。”", 8, "他说：|“走吧。|”"},
		{"a\n\nb", 10, "a||b"},
		{"abcdefgh", 3, "abc|def|gh"},
		{"", 5, ""},
	} {
		got := strings.Join(text.Wrap(tc.in, tc.w), "|")
		if tc.in == "他说：“走吧。”" {
			// The closing quotation mark must not stand alone.
			if strings.Contains(got, "|”") || strings.Contains(got, "|。") {
				t.Errorf("punctuation starts a row: %q", got)
			}
			continue
		}
		if got != tc.want {
			t.Errorf("Wrap(%q, %d) = %q, want %q", tc.in, tc.w, got, tc.want)
		}
	}
}

func TestFit(t *testing.T) {
	for _, tc := range []struct {
		in   string
		w    int
		want string
	}{
		{"ab", 4, "ab  "}, {"abcdef", 4, "abc…"}, {"你好吗", 4, "你… "}, {"\x1b[1mab\x1b[0m", 3, "\x1b[1mab\x1b[0m "},
	} {
		if got := text.Fit(tc.in, tc.w, "…"); got != tc.want {
			t.Errorf("Fit(%q, %d) = %q, want %q", tc.in, tc.w, got, tc.want)
		}
	}
}

// Ensure that the width of a mixed line is what a terminal shows (R47).
func TestWidth(t *testing.T) {
	text.FixAmbiguous()
	if got := text.Width("한글中文日本語ABC"); got != 17 {
		t.Errorf("width = %d, want 17", got)
	}
	for _, s := range []string{"│", "—", "“", "●", "…", "→"} {
		if text.Width(s) != 1 {
			t.Errorf("%s is %d wide", s, text.Width(s))
		}
	}
}

func TestBreaks(t *testing.T) {
	c := text.Clusters("ab cd，你")
	b := text.Breaks(c)
	var at []int
	for i, ok := range b {
		if ok {
			at = append(at, i)
		}
	}
	if len(at) < 2 || at[0] != 2 || at[len(at)-1] != len(c)-1 {
		t.Errorf("breaks at %v of %q", at, c)
	}
}

func FuzzSanitise(f *testing.F) {
	for _, s := range hostile {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		assertSafe(t, s, text.Sanitise(s))
		for _, row := range text.Wrap(text.Sanitise(s), 20) {
			if text.Width(row) > 20 {
				t.Errorf("row %q wider than 20", row)
			}
		}
	})
}

func BenchmarkWrap(b *testing.B) {
	s := strings.Repeat("他擦着茶碗，没抬头：“灯？这镇上的灯，都是狐狸点的。” ", 10)
	for b.Loop() {
		text.Wrap(text.Sanitise(s), 76)
	}
}
