package widget_test

import (
	"fmt"
	"strings"
	"testing"

	tea "github.com/charmbracelet/bubbletea"

	"fabula/tui/text"
	"fabula/tui/widget"
)

func TestBindingMatchesFullWidthTwins(t *testing.T) {
	b := widget.Binding{Keys: []string{"?", "f1"}}
	for _, k := range []tea.KeyMsg{runes("?"), runes("？"), {Type: tea.KeyF1}} {
		if !b.Matches(k) {
			t.Errorf("%q does not match", k)
		}
	}
	if b.Matches(tea.KeyMsg{Type: tea.KeyRunes, Runes: []rune("?"), Paste: true}) {
		t.Error("a paste was taken for a key")
	}
}

func TestFooter(t *testing.T) {
	rows := []widget.Binding{
		{Keys: []string{"enter"}, Name: "send", Footer: true, When: widget.Typing},
		{Keys: []string{"r"}, Name: "retry", Footer: true, Disabled: func() string { return "nothing to retry" }},
		{Keys: []string{"b"}, Name: "branch", Footer: true},
		{Keys: []string{"f1"}, Label: "F1", Name: "help", Footer: true, When: widget.Anywhere},
	}
	for _, tc := range []struct {
		typing bool
		w      int
		want   string
	}{
		{true, 40, " enter send  F1 help"}, {false, 40, " b branch  F1 help"}, {false, 12, " F1 help"},
	} {
		got := text.Strip(widget.Footer(rows, tc.typing, tc.w, plain(), &widget.List{}))
		if strings.TrimRight(got, " ") != tc.want || text.Width(got) != tc.w {
			t.Errorf("typing %v, width %d: %q", tc.typing, tc.w, got)
		}
	}
}

func TestRuleIsExact(t *testing.T) {
	for w := 8; w < 90; w++ {
		for _, title := range []string{"", "teahouse", "茶馆的夜晚很长很长很长"} {
			for _, note := range []string{"", "turn 12", "第十二轮"} {
				if got := widget.Rule(title, note, w, plain()); text.Width(got) != w {
					t.Fatalf("Rule(%q, %q, %d) is %d wide: %q", title, note, w, text.Width(got), got)
				}
			}
		}
	}
}

func TestList(t *testing.T) {
	var l widget.List
	l.SetLen(10)
	l.Key("G", 4)
	if from, to := l.Window(4); from != 6 || to != 10 || l.At() != 9 {
		t.Errorf("window %d..%d at %d", from, to, l.At())
	}
	l.Key("pgup", 4)
	l.Key("k", 4)
	if from, to := l.Window(4); l.At() != 5 || from != 5 || to != 9 {
		t.Errorf("window %d..%d at %d", from, to, l.At())
	}
	l.SetLen(0)
	if from, to := l.Window(4); from != 0 || to != 0 || l.At() != 0 {
		t.Errorf("empty: %d..%d at %d", from, to, l.At())
	}
}

// counted makes n blocks of three rows that count how often they are drawn.
func counted(n int, draws map[string]int) []widget.Block {
	var blocks []widget.Block
	for i := range n {
		key := fmt.Sprint(i)
		blocks = append(blocks, widget.Block{Key: key, Draw: func(w int) widget.Rows {
			draws[key]++
			return widget.Rows{text.Fit(key+"a", w, ""), text.Fit(key+"b", w, ""), text.Fit(key+"c", w, "")}
		}})
	}
	return blocks
}

func seen(t *widget.Transcript) string {
	rows, _ := t.View()
	var out []string
	for _, r := range rows {
		out = append(out, strings.TrimSpace(r))
	}
	return strings.Join(out, " ")
}

// Ensure that finished blocks are drawn once, and only those in view.
func TestTranscriptDrawsWhatIsSeenOnce(t *testing.T) {
	draws := map[string]int{}
	tr := widget.NewTranscript()
	tr.SetSize(10, 4)
	tr.SetBlocks(counted(500, draws))
	for range 20 {
		tr.SetLast(widget.Block{Key: "live", Draw: func(w int) widget.Rows { return widget.Rows{"live"} }})
		tr.View()
	}
	if len(draws) > 3 || draws["498"] != 1 {
		t.Errorf("drawn: %v", draws)
	}
	tr.SetBlocks(counted(500, draws))
	tr.View()
	if draws["498"] != 1 {
		t.Errorf("block 498 was drawn %d times", draws["498"])
	}
}

func TestTranscriptMoves(t *testing.T) {
	tr := widget.NewTranscript()
	tr.SetSize(10, 4)
	tr.SetBlocks(counted(5, map[string]int{}))
	tr.Follow()
	for _, tc := range []struct {
		do     string
		run    func()
		want   string
		follow bool
	}{
		{"start", func() {}, "3c 4a 4b 4c", true},
		{"up 2", func() { tr.Scroll(-2) }, "3a 3b 3c 4a", false},
		{"select 1", func() { tr.Select(1) }, "1a 1b 1c 2a", false},
		{"select 2", func() { tr.Select(2) }, "1c 2a 2b 2c", false},
		{"top", func() { tr.Scroll(-1000) }, "0a 0b 0c 1a", false},
		{"end", func() { tr.Scroll(1000) }, "3c 4a 4b 4c", true},
		{"select 0", func() { tr.Select(0) }, "0a 0b 0c 1a", false},
		{"select 4", func() { tr.Select(4) }, "3c 4a 4b 4c", true},
		{"taller", func() { tr.SetSize(10, 40) }, strings.TrimSpace("0a 0b 0c 1a 1b 1c 2a 2b 2c 3a 3b 3c 4a 4b 4c"), true},
	} {
		tc.run()
		if got := strings.TrimSpace(seen(tr)); got != tc.want || tr.Following() != tc.follow {
			t.Errorf("%s: %q following %v, want %q %v", tc.do, got, tr.Following(), tc.want, tc.follow)
		}
	}
	if tr.Below() != 0 {
		t.Errorf("below %d", tr.Below())
	}
}

func TestFigures(t *testing.T) {
	if got := widget.Spark([]int{0, 1, 2, 9, -1}, 3, plain()); got != "▁▄▇▇▁" {
		t.Errorf("spark %q", got)
	}
	bars := []widget.Bar{{Label: "<20", N: 1}, {Label: "20-40", N: 3}, {Label: "40-60"}, {Label: ">100", N: 1}}
	got := strings.Join(widget.Histogram(bars, 6, 16, plain()), "|")
	if want := " <20    ██ 1    | 20-40  ██████ 3| >100   ██ 1    "; text.Strip(got) != want {
		t.Errorf("histogram %q, want %q", text.Strip(got), want)
	}
	if widget.Spark(nil, 3, plain()) != "" || widget.Histogram(nil, 6, 16, plain()) != nil {
		t.Error("nothing gave something")
	}
}
