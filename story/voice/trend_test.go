package voice_test

import (
	"testing"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/voice"
)

func found(id, code string) voice.Found {
	return voice.Found{Alternative: story.ID(id), Persona: "bo", Finding: lint.Finding{Code: code}}
}

func report(hits int, all ...voice.Found) voice.Report {
	return voice.Report{Findings: all, Rows: []voice.Row{{Persona: "bo", Engine: "e", Rule: lint.CodeSlang, Rate: lint.NewRate(hits, 40)}}}
}

// Ensure that a trend is red where a rule was removed, where one finds less in the
// same replies, and where one hits clearly more often; and green otherwise.
func TestTrend(t *testing.T) {
	was := voice.NewBaseline(report(2, found("a", lint.CodeSlang), found("b", lint.CodeSlang), found("c", lint.CodeMeta)), nil)
	for name, c := range map[string]struct {
		now  voice.Baseline
		want string
	}{
		"same":          {voice.NewBaseline(report(2, found("a", lint.CodeSlang), found("b", lint.CodeSlang), found("c", lint.CodeMeta)), nil), ""},
		"rule removed":  {voice.NewBaseline(report(0, found("c", lint.CodeMeta)), []string{lint.CodeSlang}), voice.RuleGone},
		"rule weaker":   {voice.NewBaseline(report(1, found("a", lint.CodeSlang), found("c", lint.CodeMeta)), nil), voice.HitsLost},
		"reply gone":    {voice.NewBaseline(report(2, found("a", lint.CodeSlang), found("b", lint.CodeSlang)), nil), ""},
		"more hits":     {voice.NewBaseline(report(20, found("a", lint.CodeSlang), found("b", lint.CodeSlang), found("c", lint.CodeMeta)), nil), voice.Worse},
		"a little more": {voice.NewBaseline(report(4, found("a", lint.CodeSlang), found("b", lint.CodeSlang), found("c", lint.CodeMeta)), nil), ""},
	} {
		got := c.now.Against(was, func(id story.ID) bool { return name != "reply gone" || id != "c" })
		if c.want == "" && len(got) != 0 || c.want != "" && (len(got) != 1 || got[0].Code != c.want || got[0].Rule != lint.CodeSlang) {
			t.Errorf("%s: %+v, want %q", name, got, c.want)
		}
	}
}
