package memory_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"fabula/story/memory"
)

// told makes a turn of "Name: text" lines; one that begins with "! " happened.
func told(n int, lines ...string) memory.Heard {
	h := memory.Heard{Turn: fmt.Sprint("t", n), Alternative: fmt.Sprint("a", n), Depth: n}
	for _, l := range lines {
		if what, ok := strings.CutPrefix(l, "! "); ok {
			h.Happened, h.Event = append(h.Happened, what), true
			continue
		}
		name, text, _ := strings.Cut(l, ": ")
		h.Said = append(h.Said, memory.Utterance{Name: name, Text: text})
	}
	return h
}

func lines(points []memory.Point) []string {
	var out []string
	for _, p := range points {
		out = append(out, fmt.Sprintf("@%d %s", p.Depth, p.Text))
	}
	return out
}

// Ensure that a summary keeps what happened and what was named, in order of
// time, leaves small talk out, and that what it left out is listed.
func TestExtract(t *testing.T) {
	turns := []memory.Heard{
		told(1, "Kesang: Good evening.", "Adu: Hm."),
		told(2, "Kesang: I carried three qian of herbs over the Notch for your brother.", "Adu: He coughs less.", "! Kesang: (hand over the herbs)"),
		told(3, "Kesang: Well, well.", "Adu: The magistrate Qin asked me about the salt. He offered forty coins."),
		told(4, "Kesang: Is that so?", "Adu: Yes."),
	}
	names := []string{"Adu", "Qin", "Notch"}
	got := memory.Extract(turns, names)
	want := []string{"@2 Kesang: (hand over the herbs)", "@2 Kesang: I carried three qian of herbs over the Notch for your brother.", "@3 Adu: The magistrate Qin asked me about the salt."}
	if diff := cmp.Diff(want, lines(got)); diff != "" {
		t.Error(diff)
	}
	var lost []string
	for _, l := range memory.Lost(turns, got[:1], names) {
		lost = append(lost, fmt.Sprintf("@%d %s %s", l.Depth, l.Kind, l.What))
	}
	wantLost := []string{"@1 said Kesang: Good evening.",
		"@2 said Kesang: I carried three qian of herbs over the Notch for your brother.", "@2 said Adu: He coughs less.", "@2 name Notch",
		"@3 said Adu: The magistrate Qin asked me about the salt.", "@3 name Qin"}
	if diff := cmp.Diff(wantLost, lost); diff != "" {
		t.Error(diff)
	}
	zh := []memory.Heard{told(1, "客官: 柴胡给你，三钱。", "阿渡: 记下了。秦判官问过盐。"), told(2, "客官: 嗯。", "阿渡: 哦？")}
	if got := lines(memory.Extract(zh, []string{"秦判官"})); !slices.Equal(got, []string{"@1 阿渡：秦判官问过盐。"}) {
		t.Errorf("%q", got)
	}
	for _, l := range memory.Lost(zh, nil, []string{"秦判官"}) {
		if l.Kind == memory.LostName && (l.What != "秦判官" || l.Depth != 1) {
			t.Errorf("%+v", l)
		}
	}
}

// Ensure that of a model's sentences those are kept which name and count only
// what the turns do, and that a last one which was cut off is none.
func TestFounded(t *testing.T) {
	turns := []memory.Heard{told(1, "Kesang: I brought 3 qian of herbs.", "Adu: Good.")}
	text := "Kesang brought 3 qian of herbs to Adu. Qin was angry. He paid 40 coins. Adu was pleased and"
	var got []string
	for _, p := range memory.Founded(text, turns, []string{"Adu", "Qin", "Kesang"}) {
		got = append(got, p.Text)
	}
	if diff := cmp.Diff([]string{"Kesang brought 3 qian of herbs to Adu."}, got); diff != "" {
		t.Error(diff)
	}
}

func TestSentences(t *testing.T) {
	for text, want := range map[string]string{
		"":                                 "",
		"Go. Now! Why?":                    "Go.|Now!|Why?",
		"At 3.5 li. Then":                  "At 3.5 li.|Then",
		"走。走？走！":                           "走。|走？|走！",
		"“走。”他说。":                          "“走。”他说。",
		"He said: \"Go.\" And went...  So": "He said: \"Go.\" And went...|So",
		"one\ntwo":                         "one|two",
	} {
		if got := strings.Join(memory.Sentences(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// Ensure that paths which share turns share the segments of these and no other,
// and that a change of any word makes another segment.
func TestSegmentsAreShared(t *testing.T) {
	word := rapid.SampledFrom([]string{"lamp", "柴胡", "rain", "", "盐"})
	turn := rapid.Custom(func(t *rapid.T) memory.Heard {
		n := rapid.IntRange(0, 999).Draw(t, "n")
		return told(n, "Adu: "+word.Draw(t, "a"), "Qin: "+word.Draw(t, "b"))
	})
	rapid.Check(t, func(t *rapid.T) {
		stem := rapid.SliceOfN(turn, 0, 30).Draw(t, "stem")
		one := append(slices.Clone(stem), rapid.SliceOfN(turn, 0, 20).Draw(t, "one")...)
		two := append(slices.Clone(stem), rapid.SliceOfN(turn, 0, 20).Draw(t, "two")...)
		x, y := memory.Divide(one, "en"), memory.Divide(two, "en")
		for i := range min(len(x), len(y)) {
			same := cmp.Equal(x[i].Turns, y[i].Turns)
			if (x[i].Hash == y[i].Hash) != same {
				t.Fatalf("segment %d: same turns %v, same hash %v", i, same, !same)
			}
			if within := len(x[i].Turns)*(i+1) <= len(stem); within && x[i].Closed && !same {
				t.Fatalf("segment %d is not shared", i)
			}
		}
		if len(one) > 0 {
			other := slices.Clone(one)
			i := rapid.IntRange(0, len(one)-1).Draw(t, "at")
			other[i].Said = append(slices.Clone(other[i].Said), memory.Utterance{Text: "more"})
			for j, seg := range memory.Divide(other, "en") {
				if (seg.Hash == x[j].Hash) == slices.ContainsFunc(seg.Turns, func(h memory.Heard) bool { return len(h.Said) == 3 }) {
					t.Fatalf("segment %d: the change counts where it is not, or does not where it is", j)
				}
			}
		}
	})
}

// Ensure that whatever was said, a summary is of words that were, at most one
// sentence of talk for three turns, in order of time.
func TestExtractInventsNothing(t *testing.T) {
	word := rapid.SampledFrom([]string{"lamp", "柴胡", "rain", "Qin", "盐在地窖", "burned.", "。", "?", "the", "42"})
	rapid.Check(t, func(t *rapid.T) {
		var turns []memory.Heard
		var all strings.Builder
		for i := range rapid.IntRange(0, 12).Draw(t, "turns") {
			h := told(i, "Adu: "+strings.Join(rapid.SliceOfN(word, 0, 9).Draw(t, "words"), " "))
			all.WriteString(h.Said[0].Text + "\n")
			turns = append(turns, h)
		}
		points := memory.Extract(turns, []string{"Qin"})
		if len(points) > (len(turns)+2)/3 {
			t.Fatalf("%d points of %d turns", len(points), len(turns))
		}
		last := 0
		for _, p := range points {
			text := strings.TrimPrefix(strings.TrimPrefix(p.Text, "Adu: "), "Adu：")
			if !strings.Contains(all.String(), strings.TrimSuffix(text, "…")) || p.Depth < last {
				t.Fatalf("%+v of %q", p, all.String())
			}
			last = p.Depth
		}
	})
}
