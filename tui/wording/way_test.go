package wording_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/story/check/space"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
)

// Ensure that a way is told with the words and the punctuation of each language.
func TestWay(t *testing.T) {
	way := []space.Step{
		{Node: "hall"},
		{Node: "hall", Turn: space.Turn{Say: "hello", To: "adu", Fired: []string{"hall.greets", "hall.asks"},
			Replies: []space.Reply{{NPC: "adu", Text: "hm", Told: []string{"adu.salt"}}}}, Changes: []space.Change{{Name: "trust", Before: "0", After: "1"}}},
		{Node: "shop", Turn: space.Turn{Choose: "hall.out"}, Forced: true},
	}
	for code, want := range map[string][]string{
		"en": {"0. start at hall", "1. say “hello” to adu, beat hall.greets, hall.asks, adu says “hm”, tells adu.salt; trust 0 → 1",
			"2. choose hall.out → shop (may be impossible: no words were found for it)"},
		"zh": {"0. 从 hall 开始", "1. 说“hello” 对 adu，节拍 hall.greets、hall.asks，adu 说“hm”，说出 adu.salt；trust 0 → 1",
			"2. 选 hall.out → shop (也许不可能：没找到能做到的话)"},
	} {
		if diff := cmp.Diff(want, wording.Way(way, lang.For(code))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", code, diff)
		}
	}
}
