package story_test

import (
	"fmt"
	"strings"
	"testing"

	"fabula/story"
)

// Ensure that what is promised is listed until something happens that has its
// words, whoever promised, in both languages, and that questions and suppositions
// promise nothing.
func TestOpenPromises(t *testing.T) {
	for _, c := range []struct{ lang, said, want string }{
		{"en", "I'll bring you the jade comb tomorrow.", "@1 player I'll bring you the jade comb tomorrow."},
		{"en", "Good. I promise to keep quiet.", "@1 player I promise to keep quiet."},
		{"en", "Will I bring you a comb?", ""},
		{"en", "If it rains I'll bring you a comb.", ""},
		{"en", "I won't tell you.", ""},
		{"zh", "放心，我一定替你找到他。", "@1 player 放心，我一定替你找到他。"},
		{"zh", "要是下雨我就回来。", ""},
	} {
		g := newGame(t, plays(t, ""))
		g.begin(story.Start{Language: c.lang, Set: map[string]string{"herbs": "1"}})
		g.say(story.Input{Text: c.said})
		if got := promised(t, g, c.lang); got != c.want {
			t.Errorf("%q: %q, want %q", c.said, got, c.want)
		}
	}
	g := begun(t, plays(t, ""), "herbs=1")
	g.say(story.Input{Text: "I'll bring you the herbs."})
	if got := promised(t, g, "en"); !strings.Contains(got, "herbs") {
		t.Errorf("got %q", got)
	}
	g.say(story.Input{Text: "Here are the herbs."})
	if got := promised(t, g, "en"); got != "" {
		t.Errorf("kept, yet %q", got)
	}
}

func promised(t *testing.T, g *game, lang string) string {
	t.Helper()
	path, err := g.Reader().Path(g.branch.Leaf)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, p := range story.OpenPromises(g.Script(), path, lang) {
		out = append(out, fmt.Sprintf("@%d %s %s", p.N, p.By, p.Text))
	}
	return strings.Join(out, "\n")
}
