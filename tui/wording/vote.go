package wording

import (
	"fmt"

	"fabula/story/lab/stats"
	"fabula/story/lab/vote"
	"fabula/tui/text/lang"
)

// VoteFault words why a file of a vote is refused, and where.
func VoteFault(f *vote.Fault, t *lang.Strings) string {
	args := make([]any, len(f.Args))
	for i, a := range f.Args {
		args[i] = a
	}
	at := f.File
	if f.Line > 0 {
		at = fmt.Sprintf("%s:%d", f.File, f.Line)
	}
	return at + ": " + fmt.Sprintf(t.Vote.Faults[f.Code], args...)
}

// unclear is the α under which a question, and not what is asked about, is at
// fault.
const unclear = 0.3

// Verdict words what a batch came to, a line each.
func Verdict(v vote.Verdict, t *lang.Strings) []string {
	out := []string{fmt.Sprintf(t.Vote.Head, v.Batch, v.Scenes, v.Equal, v.Planned, vote.Percent(v.Margin))}
	for _, x := range v.Voters {
		out = append(out, voter(x, t)...)
	}
	for _, r := range v.Results {
		out = append(out, "")
		out = append(out, result(r, v, t)...)
	}
	out = append(out, "")
	for _, a := range v.Agreed {
		if a.N == 0 {
			continue
		}
		out = append(out, fmt.Sprintf(t.Vote.Agreement, t.Vote.Questions[string(a.Question)], a.Value, a.Low, a.High, a.N))
		if a.Value < unclear {
			out = append(out, t.Vote.AgreementLow)
		}
	}
	for _, r := range v.Ranked {
		out = append(out, ranked(r, v.Candidates, t)...)
	}
	return out
}

func voter(x vote.Voter, t *lang.Strings) []string {
	line := fmt.Sprintf(t.Vote.VoterGood, x.Name, x.Votes, x.Same-x.Seen, x.Same, x.Consistent, x.Repeats)
	if x.Void {
		line = fmt.Sprintf(t.Vote.VoterVoid, x.Name, x.Seen, x.Same)
	}
	if x.Leans {
		return []string{line, fmt.Sprintf(t.Vote.Leans, x.Left, x.Right)}
	}
	return []string{line}
}

func result(r vote.Result, v vote.Verdict, t *lang.Strings) []string {
	n := r.Wins + r.Losses
	if n == 0 {
		return []string{fmt.Sprintf(t.Vote.NoResult, t.Vote.Questions[string(r.Question)], r.B, r.A, r.Ties)}
	}
	out := []string{
		fmt.Sprintf(t.Vote.Result, t.Vote.Questions[string(r.Question)], r.B, r.A, r.Wins, n, 100*r.Share, 100*r.Wilson.Low, 100*r.Wilson.High, r.Ties),
	}
	if r.ByScene.Low > 0 || r.ByScene.High < 1 {
		out = append(out, fmt.Sprintf(t.Vote.ByScene, 100*r.ByScene.Low, 100*r.ByScene.High))
	}
	out = append(out, fmt.Sprintf(t.Vote.Sign, r.Sign.P, r.HolmP),
		"  "+fmt.Sprintf(t.Vote.Verdict[string(r.Way.Verdict)], r.A, r.B),
		"  "+fmt.Sprintf(t.Vote.Standing[string(r.Standing.Standing)], vote.Percent(v.Margin)))
	if r.Way.Verdict == stats.Undecided && r.Way.AtShare > 0 {
		out = append(out, fmt.Sprintf(t.Vote.More, r.Way.AtShare, r.Way.Least))
	} else {
		out = append(out, fmt.Sprintf(t.Vote.MoreFar, r.Way.Least))
	}
	if !r.Way.Final {
		out = append(out, fmt.Sprintf(t.Vote.Provisional, v.Planned))
	}
	return out
}

func ranked(r vote.Ranked, names []string, t *lang.Strings) []string {
	q := t.Vote.Questions[string(r.Question)]
	if len(r.Log) == 0 {
		return []string{fmt.Sprintf(t.Vote.Unranked, q)}
	}
	out := []string{fmt.Sprintf(t.Vote.Ranking, q)}
	for i, n := range names {
		out = append(out, fmt.Sprintf("  %-20s %+.2f ± %.2f", n, r.Log[i], r.SE[i]))
	}
	return out
}
