package vote

import (
	"cmp"
	"math"
	"slices"

	"fabula/story/lab/stats"
)

// Verdict is what a batch came to.
type Verdict struct {
	Batch      string   `json:"batch"`
	Candidates []string `json:"candidates"`
	Margin     float64  `json:"margin"`
	Planned    int      `json:"planned"`
	Scenes     int      `json:"scenes"` // pairs put to the vote
	Equal      int      `json:"equal"`  // pairs left out: the candidates said the same
	Voters     []Voter  `json:"voters,omitempty"`
	Results    []Result `json:"results,omitempty"` // by question, then pair of candidates
	Agreed     []Agreed `json:"agreement,omitempty"`
	Ranked     []Ranked `json:"ranking,omitempty"` // of three or more candidates
}

// Voter is how far one voter's votes can be used.
type Voter struct {
	Name       string  `json:"voter"`
	Votes      int     `json:"votes"` // on pairs
	Same       int     `json:"same"`  // items with the same on both sides
	Seen       int     `json:"seen"`  // of them, those where a difference was claimed
	Void       bool    `json:"void"`  // half of them or more: no vote of this voter counts
	Repeats    int     `json:"repeats"`
	Consistent int     `json:"consistent"` // answers to all questions the same both times
	Left       int     `json:"left"`       // answers for the left side, of all decisive ones
	Right      int     `json:"right"`
	SideP      float64 `json:"side_p"` // sign test of left against right
	Leans      bool    `json:"leans"`  // to one side, more than chance does in one of a hundred
}

// leaning is the level under which a voter is said to lean to one side.
const leaning = 0.01

// Result is one question about two candidates: wins are those of B.
type Result struct {
	Question Question          `json:"question"`
	A        string            `json:"a"`
	B        string            `json:"b"`
	Wins     int               `json:"wins"`
	Losses   int               `json:"losses"`
	Ties     int               `json:"ties"`
	Share    float64           `json:"share"`   // of wins among decisive votes
	Wilson   stats.Interval    `json:"wilson"`  // as if votes were independent
	ByScene  stats.Interval    `json:"by_item"` // scenes drawn anew: what the few scenes allow to say
	Sign     stats.Sign        `json:"sign"`
	HolmP    float64           `json:"holm_p"` // over questions and pairs
	Standing stats.Inferiority `json:"non_inferiority"`
	Way      stats.Way         `json:"way"`
}

// Agreed is how far voters agree on a question.
type Agreed struct {
	Question Question `json:"question"`
	stats.Agreement
}

// Ranked is a question's ranking by Bradley–Terry; Log is empty where the votes
// hold none.
type Ranked struct {
	Question Question  `json:"question"`
	Log      []float64 `json:"log"`
	SE       []float64 `json:"se"`
	Tie      float64   `json:"tie"`
}

// NotWorse reports whether every candidate is shown not worse than the first, in
// every question, and stays so whatever the votes say that are still planned: who
// looks early and stops where it suits finds "not worse" too often.
func (v Verdict) NotWorse() bool {
	return !slices.ContainsFunc(v.Results, func(r Result) bool {
		left := max(v.Planned-r.Wins-r.Losses, 0)
		return r.A == v.Candidates[0] && stats.NonInferior(r.Wins, r.Losses+left, v.Margin).Standing != stats.NotWorse
	})
}

// Verdict opens the key of a batch and counts the ballots in its folder.
func (f Folder) Verdict(b *Batch) (Verdict, error) {
	k, err := f.Key(b)
	if err != nil {
		return Verdict{}, err
	}
	ballots, err := f.Ballots(b)
	if err != nil {
		return Verdict{}, err
	}
	return Judge(b, k, ballots), nil
}

// Judge opens a batch. Votes of voters who saw differences where there are none
// do not count; nor do repeats, which only say how steady a voter is.
func Judge(b *Batch, k *Key, ballots []*Ballot) Verdict {
	v := Verdict{Batch: b.ID, Candidates: k.Candidates, Margin: b.Margin, Planned: b.Planned, Equal: k.Equal}
	for _, o := range k.Items {
		if o.Kind == Pair {
			v.Scenes++
		}
	}
	c := count{b, k, nil}
	for _, l := range ballots {
		voter := c.voter(l)
		if !voter.Void {
			c.ballots = append(c.ballots, l)
		}
		v.Voters = append(v.Voters, voter)
	}
	slices.SortFunc(v.Voters, func(a, b Voter) int { return cmp.Compare(a.Name, b.Name) })
	for _, q := range Questions() {
		v.Agreed = append(v.Agreed, Agreed{q, c.agreement(q)})
		if len(k.Candidates) > 2 {
			v.Ranked = append(v.Ranked, c.ranked(q))
		}
	}
	v.Results = c.results()
	return v
}

// count counts the ballots that are not void.
type count struct {
	b       *Batch
	k       *Key
	ballots []*Ballot
}

func (c count) voter(l *Ballot) Voter {
	v := Voter{Name: l.Voter}
	for _, x := range l.Votes {
		c.side(&v, l, x)
		switch o := c.k.Items[x.Item]; o.Kind {
		case Pair:
			v.Votes++
		case Same:
			v.Same++
			if differs(x.Answers) {
				v.Seen++
			}
		case Repeat:
			if first := l.on(o.Of); first != nil {
				v.Repeats++
				if equal(first.Answers, x.Answers.Turned()) {
					v.Consistent++
				}
			}
		}
	}
	v.Void = v.Same > 0 && 2*v.Seen >= v.Same
	v.SideP = stats.SignTest(v.Left, v.Right).P
	v.Leans = v.SideP < leaning
	return v
}

// side counts what was on the left when the overall question was answered.
func (c count) side(v *Voter, l *Ballot, x Vote) {
	a := x.Answers[Overall]
	if turned(l.Batch, l.Voter) {
		a = a.Turned()
	}
	switch a {
	case First:
		v.Left++
	case Second:
		v.Right++
	}
}

func differs(a Answers) bool {
	for _, c := range a {
		if c != Tie {
			return true
		}
	}
	return false
}

func equal(a, b Answers) bool {
	for _, q := range Questions() {
		if a[q] != b[q] {
			return false
		}
	}
	return true
}

// tally is the votes on one question about two candidates.
type tally struct {
	wins, losses, ties int
	scenes             []stats.Pair
}

// tally counts votes for j against i.
func (c count) tally(q Question, i, j int) tally {
	var t tally
	for _, l := range c.ballots {
		for _, x := range l.Votes {
			o := c.k.Items[x.Item]
			a := x.Answers[q]
			switch {
			case o.Kind != Pair:
				continue
			case o.First == j && o.Second == i:
				a = a.Turned()
			case o.First != i || o.Second != j:
				continue
			}
			switch a {
			case First:
				t.losses++
				t.scenes = append(t.scenes, stats.Pair{Prompt: o.Scene, A: 1})
			case Second:
				t.wins++
				t.scenes = append(t.scenes, stats.Pair{Prompt: o.Scene, B: 1})
			default:
				t.ties++
			}
		}
	}
	return t
}

func (c count) results() []Result {
	var out []Result
	for _, q := range Questions() {
		for j := range c.k.Candidates {
			for i := range j {
				out = append(out, c.result(q, i, j))
			}
		}
	}
	p := make([]float64, len(out))
	for i, r := range out {
		p[i] = r.Sign.P
	}
	for i, h := range stats.Holm(p) {
		out[i].HolmP = h
	}
	return out
}

func (c count) result(q Question, i, j int) Result {
	t := c.tally(q, i, j)
	n := t.wins + t.losses
	r := Result{Question: q, A: c.k.Candidates[i], B: c.k.Candidates[j], Wins: t.wins, Losses: t.losses, Ties: t.ties,
		Wilson: stats.Wilson(t.wins, n), ByScene: stats.Interval{High: 1}, Sign: stats.SignTest(t.wins, t.losses),
		Standing: stats.NonInferior(t.wins, t.losses, c.b.Margin), Way: stats.Remaining(t.wins, t.losses, c.b.Planned)}
	if n == 0 {
		return r
	}
	r.Share = float64(t.wins) / float64(n)
	e := stats.Bootstrap(t.scenes, stats.Rounds, 1, func(s stats.Sums) float64 { return s.B / s.N })
	if e.Prompts > 1 { // of one scene, nothing is known about scenes
		r.ByScene = e.Interval
	}
	return r
}

// agreement is over pairs only: sides that are the same are agreed on easily.
func (c count) agreement(q Question) stats.Agreement {
	var units [][]int
	for _, it := range c.b.Items {
		if c.k.Items[it.ID].Kind != Pair {
			continue
		}
		unit := make([]int, 0, len(c.ballots))
		for _, l := range c.ballots {
			v := stats.Missing
			if x := l.on(it.ID); x != nil {
				v = slices.Index([]Choice{First, Tie, Second}, x.Answers[q])
			}
			unit = append(unit, v)
		}
		units = append(units, unit)
	}
	a := stats.Alpha(units, stats.Ordinal, 1)
	if math.IsNaN(a.Value) {
		return stats.Agreement{N: 0} // nothing to compare
	}
	return a
}

func (c count) ranked(q Question) Ranked {
	var votes []stats.Pairing
	for j := range c.k.Candidates {
		for i := range j {
			t := c.tally(q, i, j)
			votes = append(votes, stats.Pairing{I: i, J: j, WinsI: t.losses, WinsJ: t.wins, Ties: t.ties})
		}
	}
	s, err := stats.BradleyTerry(len(c.k.Candidates), votes)
	if err != nil {
		return Ranked{Question: q}
	}
	return Ranked{q, s.Log, s.SE, s.Tie}
}
