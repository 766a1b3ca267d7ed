package chat_test

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"fabula/engine/chat"
)

func TestHolder(t *testing.T) {
	tests := map[string]struct {
		stops  []string
		tokens []string
		shown  []string // what each token lets through
		tail   string
		stop   string
	}{
		"split stop":                         {[]string{"\nPlayer:"}, []string{"Hm.", "\nPl", "ayer", ":", " x"}, []string{"Hm.", "", "", "", ""}, "", "\nPlayer:"},
		"false alarm":                        {[]string{"\nPlayer:"}, []string{"Hm.", "\nPl", "an B"}, []string{"Hm.", "", "\nPlan B"}, "", ""},
		"stop at the very end":               {[]string{"END"}, []string{"the ", "EN", "D"}, []string{"the ", "", ""}, "", "END"},
		"held at the end":                    {[]string{"END"}, []string{"the EN"}, []string{"the "}, "EN", ""},
		"prefix of another":                  {[]string{"\nPlayer:", "\nPlayer"}, []string{"a\nPlay", "er:"}, []string{"a", ""}, "", "\nPlayer"},
		"longest of those that end together": {[]string{"b", "ab"}, []string{"xa", "b"}, []string{"x", ""}, "", "ab"},
		"one inside another":                 {[]string{"abcd", "bc"}, []string{"abcd"}, []string{"a"}, "", "bc"},
		"restart inside":                     {[]string{"aab"}, []string{"aa", "a", "b"}, []string{"", "a", ""}, "", "aab"},
		"only the ambiguous":                 {[]string{"\n\n"}, []string{"one\ntwo\n", "three"}, []string{"one\ntwo", "\nthree"}, "", ""},
		"chinese":                            {[]string{"玩家："}, []string{"好的", "玩", "家", "："}, []string{"好的", "", "", ""}, "", "玩家："},
		"chinese false alarm":                {[]string{"玩家："}, []string{"玩家", "们"}, []string{"", "玩家们"}, "", ""},
		"in one token":                       {[]string{"STOP"}, []string{"goSTOPon"}, []string{"go"}, "", "STOP"},
		"first thing":                        {[]string{"STOP"}, []string{"STOP"}, []string{""}, "", "STOP"},
		"no stops":                           {nil, []string{"a", "b"}, []string{"a", "b"}, "", ""},
		"empty stop":                         {[]string{""}, []string{"a"}, []string{"a"}, "", ""},
		"half a character":                   {[]string{"\xe4\xbd"}, []string{"你"}, []string{"你"}, "", ""},
		"emoji":                              {[]string{"👩‍👩"}, []string{"👩", "\u200d", "👧"}, []string{"", "", "👩\u200d👧"}, "", ""},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			h := chat.NewHolder(test.stops)
			var shown []string
			for _, token := range test.tokens {
				text, stopped := h.Write(token)
				shown = append(shown, text)
				if stopped != (h.Stop() != "") {
					t.Errorf("stopped %v with stop %q", stopped, h.Stop())
				}
			}
			if !slices.Equal(shown, test.shown) || h.Stop() != test.stop {
				t.Errorf("shown %q by %q, want %q by %q", shown, h.Stop(), test.shown, test.stop)
			}
			if tail := h.Flush(); tail != test.tail {
				t.Errorf("tail %q, want %q", tail, test.tail)
			}
		})
	}
}

// untilStop is what a Holder has to let through, found on the whole text.
func untilStop(text string, stops []string) (string, string) {
	for end := 1; end <= len(text); end++ {
		hit := ""
		for _, s := range stops {
			if utf8.ValidString(s) && len(s) > len(hit) && strings.HasSuffix(text[:end], s) {
				hit = s
			}
		}
		if hit != "" {
			return text[:end-len(hit)], hit
		}
	}
	return text, ""
}

// checkHolder feeds text cut into pieces and compares with the whole.
func checkHolder(t interface{ Fatalf(string, ...any) }, pieces, stops []string) {
	h := chat.NewHolder(stops)
	got := ""
	for i, p := range pieces {
		shown, _ := h.Write(p)
		got += shown
		sofar, hit := untilStop(strings.Join(pieces[:i+1], ""), stops)
		if hit == "" && !minimal(sofar[len(got):], stops) {
			t.Fatalf("pieces %q, stops %q: %q is held back, which begins no stop", pieces[:i+1], stops, sofar[len(got):])
		}
	}
	got += h.Flush()
	want, hit := untilStop(strings.Join(pieces, ""), stops)
	if got != want || h.Stop() != hit {
		t.Fatalf("pieces %q, stops %q: shown %q by %q, want %q by %q", pieces, stops, got, h.Stop(), want, hit)
	}
}

// minimal says whether held text is nothing, or the beginning of a stop.
func minimal(held string, stops []string) bool {
	return held == "" || slices.ContainsFunc(stops, func(s string) bool { return strings.HasPrefix(s, held) })
}

func TestHolderDoesNotDependOnCuts(t *testing.T) {
	letters := rapid.StringOfN(rapid.SampledFrom([]rune("ab\n你")), 1, 4, -1)
	rapid.Check(t, func(t *rapid.T) {
		pieces := rapid.SliceOfN(rapid.StringOfN(rapid.SampledFrom([]rune("ab\n你")), 0, 5, -1), 0, 12).Draw(t, "pieces")
		checkHolder(t, pieces, rapid.SliceOfN(letters, 0, 3).Draw(t, "stops"))
	})
}

func FuzzHolder(f *testing.F) {
	f.Add("Hm.\nPlayer: no", "\nPlayer:|\nPlayer", 3)
	f.Add("aaab", "aab", 1)
	f.Add("玩家们玩家：", "玩家：", 2)
	f.Fuzz(func(t *testing.T, text, stops string, size int) {
		if !utf8.ValidString(text) || len(text) > 2000 || len(stops) > 200 {
			return
		}
		checkHolder(t, cut(text, size), strings.Split(stops, "|"))
	})
}

// cut makes pieces of 1 to 8 characters.
func cut(text string, size int) []string {
	n := 1 + int(uint(size)%8)
	var pieces []string
	runes := []rune(text)
	for len(runes) > 0 {
		k := min(n, len(runes))
		pieces = append(pieces, string(runes[:k]))
		runes = runes[k:]
	}
	return pieces
}
