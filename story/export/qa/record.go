package qa

import (
	"time"

	"fabula/engine"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// record is one turn of transcript.jsonl. Times are milliseconds.
type record struct {
	ID          story.ID         `json:"id"`
	Parent      story.ID         `json:"parent,omitempty"`
	Branch      story.ID         `json:"branch"`
	BranchName  string           `json:"branch_name"`
	N           int              `json:"n"`
	Alternative story.ID         `json:"alternative"`
	Language    string           `json:"language"`
	Player      story.Input      `json:"player"`
	Speaker     string           `json:"speaker,omitempty"`
	Text        string           `json:"text"`
	LineID      string           `json:"line_id,omitempty"`
	Human       bool             `json:"human,omitempty"`
	Cues        []string         `json:"cues,omitempty"`
	Lines       []plot.Played    `json:"lines,omitempty"`
	LinesAfter  []plot.Played    `json:"lines_after,omitempty"`
	Node        string           `json:"node"`
	Before      plot.State       `json:"state_before"` // of the turn, its player's beats included in After
	After       plot.State       `json:"state_after"`
	Exits       []*plot.Taken    `json:"exits,omitempty"`
	Beats       []plot.Fired     `json:"beats,omitempty"`
	Anchors     []plot.Delivered `json:"anchors,omitempty"` // said, or spoken since they were due
	Findings    []lint.Finding   `json:"findings,omitempty"`
	Made        time.Time        `json:"made"`
	Reply       *provenance      `json:"reply,omitempty"` // nil without an engine
}

// provenance says what made a reply, and how fast.
type provenance struct {
	Engine   engine.Info     `json:"engine"`
	Step     string          `json:"step"`
	Why      string          `json:"why,omitempty"`
	WhyArgs  []string        `json:"why_args,omitempty"`
	Sampling engine.Sampling `json:"sampling"`
	Seed     uint64          `json:"seed"`
	Reason   engine.Reason   `json:"reason"`
	Detail   string          `json:"detail,omitempty"`
	Fault    string          `json:"fault,omitempty"`
	Persona  story.Version   `json:"persona"`
	Script   string          `json:"world_hash"`
	Prompt   string          `json:"prompt_hash"`
	Prompted int             `json:"prompt_tokens"`
	Reused   int             `json:"prompt_reused"`
	Tokens   int             `json:"tokens"`
	TTFT     float64         `json:"ttft_ms"`
	Gaps     []float64       `json:"gaps_ms"`
}

func newRecord(in export.Input, b export.Branch, s story.Step, before plot.State) record {
	t, a := s.Turn, s.Alternative
	r := record{
		ID: t.ID, Parent: t.Parent, Branch: b.ID, BranchName: b.Name, N: t.Depth, Alternative: a.ID, Language: b.Language,
		Player: t.Input, Speaker: a.Speaker, Text: a.Text, Human: a.Human, Cues: a.Cues, Lines: a.Lines, LinesAfter: a.After,
		LineID: in.Numbers[export.Utterance{Turn: t.ID, Alternative: a.ID}],
		Node:   t.Before.Node, Before: before, After: a.State, Findings: a.Findings, Made: a.Made,
		Beats: append(append([]plot.Fired{}, t.Fired...), a.Fired...), Anchors: a.Delivered,
	}
	for _, taken := range []*plot.Taken{t.Taken, a.Taken} {
		if taken != nil {
			r.Exits = append(r.Exits, taken)
		}
	}
	if a.Reply != nil {
		r.Reply = newProvenance(*a.Reply)
	}
	return r
}

func newProvenance(p story.Reply) *provenance {
	m := p.Timing()
	v := &provenance{
		Engine: p.Engine, Step: p.Step, Why: p.Why, WhyArgs: p.WhyArgs, Fault: p.Fault, Sampling: p.Sampling, Seed: p.Seed, Reason: p.Reason, Detail: p.Detail,
		Persona: p.Persona, Script: p.Script, Prompt: p.Prompt,
		Prompted: p.Prefill.Computed + p.Prefill.Reused, Reused: p.Prefill.Reused,
		Tokens: m.Tokens, TTFT: story.Millis(m.TTFT), Gaps: []float64{},
	}
	for _, g := range m.Gaps {
		v.Gaps = append(v.Gaps, story.Millis(g))
	}
	return v
}
