package wording_test

import (
	"strings"
	"testing"

	"fabula/story/lab/stats"
	"fabula/story/lab/vote"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
)

// Ensure that every fault is worded with all its arguments, in both languages.
func TestVoteFaultsAreWorded(t *testing.T) {
	args := map[string][]string{
		vote.FaultFormat: {"ballot/1"}, vote.FaultBatch: {"b1", "b2"}, vote.FaultItem: {"i"}, vote.FaultTwice: {"i"}, vote.FaultUndo: {"i"},
		vote.FaultAnswer: {"i"}, vote.FaultVoter: {"../x"}, vote.FaultOther: {"mei", "dir"}, vote.FaultKey: {"b1"},
	}
	for _, code := range vote.Codes() {
		for _, l := range []string{"en", "zh"} {
			got := wording.VoteFault(&vote.Fault{File: "f", Line: 2, Code: code, Args: args[code]}, lang.For(l))
			if !strings.HasPrefix(got, "f:2: ") || len(got) < 10 || strings.Contains(got, "%!") {
				t.Errorf("%s in %s: %q", code, l, got)
			}
		}
	}
}

// Ensure that a verdict says who is preferred, by how much, and how sure that is.
func TestVerdictIsWorded(t *testing.T) {
	v := vote.Verdict{Batch: "b", Candidates: []string{"fp16", "int8"}, Margin: 0.1, Planned: 20, Scenes: 20,
		Voters: []vote.Voter{{Name: "mei", Votes: 20, Same: 1}, {Name: "ivo", Same: 1, Seen: 1, Void: true, Leans: true, Left: 20}},
		Results: []vote.Result{{Question: vote.Overall, A: "fp16", B: "int8", Wins: 3, Losses: 17, Share: 0.15, Wilson: stats.Wilson(3, 20),
			ByScene: stats.Interval{Low: 0.05, High: 0.3}, Sign: stats.SignTest(3, 17), HolmP: 0.01, Standing: stats.NonInferior(3, 17, 0.1), Way: stats.Remaining(3, 17, 20)}},
		Agreed: []vote.Agreed{{Question: vote.Overall, Agreement: stats.Agreement{Value: 0.2, N: 20}}},
		Ranked: []vote.Ranked{{Question: vote.Overall, Log: []float64{0.4, -0.4}, SE: []float64{0.1, 0.1}}, {Question: vote.Immersion}}}
	for l, want := range map[string][]string{
		"en": {"int8 over fp16: 3 of 20 decisive votes, 15 %", "fp16 is preferred to int8", "shown worse by more than 10 points", "p = 0.003", "VOID", "left 20, right 0", "under 0.3", "fp16                 +0.40", "no strengths"},
		"zh": {"int8 对 fp16：3 胜", "fp16 胜过 int8", "差了超过 10 个百分点", "作废", "低于 0.3", "排不出强弱"},
	} {
		got := strings.Join(wording.Verdict(v, lang.For(l)), "\n")
		for _, w := range want {
			if !strings.Contains(got, w) {
				t.Errorf("%s lacks %q:\n%s", l, w, got)
			}
		}
		if strings.Contains(got, "%!") {
			t.Errorf("%s", got)
		}
	}
}
