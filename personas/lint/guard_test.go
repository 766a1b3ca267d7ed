package lint_test

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"fabula/personas/lint"
)

// stream writes a text in pieces and gives what was shown of it.
func stream(in lint.Input, pieces []string, block ...string) (string, *lint.Finding) {
	g := lint.NewGuard(in, block...)
	var shown strings.Builder
	for _, p := range pieces {
		s, hit := g.Write(p)
		shown.WriteString(s)
		if hit != nil {
			return shown.String(), hit
		}
	}
	s, hit := g.Close()
	shown.WriteString(s)
	return shown.String(), hit
}

// cut splits a text between runes, as tokens would.
func cut(text string, r *rand.Rand) []string {
	var out []string
	rs := []rune(text)
	for len(rs) > 0 {
		n := 1 + r.IntN(min(4, len(rs)))
		out = append(out, string(rs[:n]))
		rs = rs[n:]
	}
	return out
}

// Ensure that nothing of a hit is ever shown, however a reply is cut into
// tokens, that everything before it is, and that a reply without a hit comes
// through whole: on every labelled case of the rules that judge streams.
func TestGuardShowsNothingOfAHit(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, code := range []string{lint.CodeTaboo, lint.CodeLeak, lint.CodeSlang, lint.CodeMeta, lint.CodeAnachronism} {
		for _, c := range readCases(t, filepath.Join("testdata/cases", code+".txt"), fewestCases) {
			in := jin(c)
			whole := slices.DeleteFunc(lint.Reply(in), func(f lint.Finding) bool { return f.Code != code || markup(f) })
			for range 6 {
				shown, hit := stream(in, cut(c.text, r), code)
				switch {
				case len(whole) == 0 && (hit != nil || shown != c.text):
					t.Fatalf("%s: %q: shown %q, hit %+v", code, c.text, shown, hit)
				case len(whole) > 0 && hit == nil:
					t.Fatalf("%s: %q: not stopped", code, c.text)
				case len(whole) > 0 && (shown != c.text[:whole[0].Span[0]] || hit.Span[0] != whole[0].Span[0]):
					t.Fatalf("%s: %q: shown %q, hit at %d, want %d", code, c.text, shown, hit.Span[0], whole[0].Span[0])
				}
			}
		}
	}
}

// markup reports a finding that only a whole reply shows: headings and lists.
func markup(f lint.Finding) bool {
	return f.Code == lint.CodeMeta && strings.ContainsAny(f.Args[0][:1], "#*-")
}

// Ensure that text that cannot become a hit is not held back.
func TestGuardHoldsBackNoMoreThanNeeded(t *testing.T) {
	g := lint.NewGuard(jin(labelled{lang: "en"}), lint.CodeTaboo)
	for piece, want := range map[string]string{"The lamp is lit.": "The lamp is lit."} {
		if got, _ := g.Write(piece); got != want {
			t.Errorf("%q: shown %q", piece, got)
		}
	}
	if got, _ := g.Write(" A ph"); got != " A" && got != " A " {
		t.Errorf("shown %q: the start of a taboo word is to be held", got)
	}
	if got, _ := g.Write("easant"); !strings.HasSuffix(got, "pheasant") {
		t.Errorf("shown %q: what cannot be taboo any more is to be shown", got)
	}
}

// Ensure that without a rule that may block there is no guard, and that none
// lets everything through.
func TestNoGuard(t *testing.T) {
	g := lint.NewGuard(jin(labelled{lang: "en"}), lint.CodeDrift, lint.CodeOverLength)
	if g != nil {
		t.Error("rules that judge whole replies cannot guard a stream")
	}
	if shown, hit := g.Write("phone"); shown != "phone" || hit != nil {
		t.Errorf("shown %q, hit %v", shown, hit)
	}
}

// FuzzGuard looks for a cut at which the guard lets a hit through, or changes
// what is said.
func FuzzGuard(f *testing.F) {
	f.Add("Ring the ph\u200bone, ＯＫ?", uint64(1))
	f.Add("手-机 shou ji 盐，在地 窖", uint64(2))
	f.Fuzz(func(t *testing.T, text string, seed uint64) {
		text = strings.ToValidUTF8(text, "?")
		in := jin(labelled{lang: "en", text: text})
		shown, hit := stream(in, cut(text, rand.New(rand.NewPCG(seed, 0))), lint.CodeTaboo, lint.CodeLeak)
		if !strings.HasPrefix(text, shown) || hit == nil && shown != text {
			t.Errorf("%q became %q", text, shown)
		}
		in.Text = shown
		for _, f := range lint.Reply(in) {
			if f.Code == lint.CodeTaboo && f.Span[1] < len(shown) {
				t.Errorf("%q: shown with %q", text, f.Args)
			}
		}
	})
}
