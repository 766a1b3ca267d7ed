// Package voice judges everything that NPCs ever said in a world by the rules
// of personas/lint and story/cues, as the world now is, and gives rates: how
// often a rule hits, for each persona, engine and version of the persona.
//
// Non-goals: wording findings, changing what is stored.
package voice

import (
	"cmp"
	"fmt"
	"slices"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/plot"
)

// Found is a finding about a stored reply.
type Found struct {
	Turn        story.ID `json:"turn"`
	Branch      string   `json:"branch,omitempty"` // name of a branch that leads there, the newest; empty: none does
	N           int      `json:"n"`                // of the turn on it
	Beside      bool     `json:"beside,omitempty"` // the branch goes on with another alternative of that turn
	Alternative story.ID `json:"alternative"`
	Persona     string   `json:"persona"`
	Engine      string   `json:"engine"`
	lint.Finding
}

// Row is the rate of one rule among the replies of one persona, engine and
// version.
type Row struct {
	Persona string `json:"persona"`
	Engine  string `json:"engine"`
	Version int    `json:"version"` // ordinal of the persona's wording
	Rule    string `json:"rule"`    // code of a rule, or Railroading
	lint.Rate
}

// Report is what the rules make of a world's replies.
type Report struct {
	Replies  int
	Findings []Found
	Rows     []Row // of every rule for every persona, engine and version, sorted
}

// Judge reads every generated reply of a store; with leaf only those of the
// path that leads there. What a person wrote, and replies without text, are left
// out.
func Judge(r story.Reader, script *plot.Script, leaf story.ID) (Report, error) {
	j := judge{r: r, script: script, links: map[story.ID]*link{}, languages: map[story.ID]string{}, counts: map[group]map[string]int{}, replies: map[group]int{}}
	var err error
	if leaf == "" {
		err = r.Walk(j.turn)
	} else {
		var path []story.Step
		if path, err = r.Path(leaf); err == nil {
			for _, step := range path {
				if err = j.turn(step.Turn, []story.Alternative{step.Alternative}); err != nil {
					break
				}
			}
		}
	}
	if err != nil {
		return Report{}, fmt.Errorf("judge replies: %w", err)
	}
	if err := j.place(); err != nil {
		return Report{}, fmt.Errorf("judge replies: %w", err)
	}
	j.report.Rows = j.rows()
	return j.report, nil
}

// group is what rates are told apart by.
type group struct {
	persona, engine string
	version         int
}

// link is an alternative with the way up to the opening.
type link struct {
	up        *link
	npc, text string
	branch    string // that leads through it
}

// place says of every finding on which branch it is.
func (j *judge) place() error {
	if len(j.report.Findings) == 0 {
		return nil
	}
	branches, err := j.r.Branches()
	if err != nil {
		return err
	}
	for _, b := range branches {
		for l := j.links[b.Leaf]; l != nil && l.branch == ""; l = l.up {
			l.branch = b.Name
		}
	}
	for i := range j.report.Findings {
		f := &j.report.Findings[i]
		l := j.links[f.Alternative]
		if f.Branch = l.branch; f.Branch == "" && l.up != nil {
			f.Branch, f.Beside = l.up.branch, true
		}
	}
	return nil
}

type judge struct {
	r         story.Reader
	script    *plot.Script
	links     map[story.ID]*link
	languages map[story.ID]string // of playthroughs
	counts    map[group]map[string]int
	replies   map[group]int
	report    Report
}

func (j *judge) turn(t story.Turn, alternatives []story.Alternative) error {
	lang, ok := j.languages[t.Playthrough]
	if !ok {
		through, err := j.r.Playthrough(t.Playthrough)
		if err != nil {
			return err
		}
		lang = through.Language
		j.languages[t.Playthrough] = lang
	}
	up := j.links[t.Parent]
	for _, a := range alternatives {
		j.links[a.ID] = &link{up: up, npc: a.Speaker, text: a.Text}
		if a.Reply != nil && !a.Human && (a.Text != "" || a.Reply.Blocked != "") {
			j.reply(t, a, lang, up)
		}
	}
	return nil
}

// furthest bounds how far up the path is looked for what an NPC said before.
const furthest, remembered = 60, 5

func (l *link) said(npc string) []string {
	var out []string
	for n := 0; l != nil && n < furthest && len(out) < remembered; l, n = l.up, n+1 {
		if l.npc == npc && l.text != "" {
			out = append(out, l.text)
		}
	}
	slices.Reverse(out)
	return out
}

func (j *judge) reply(t story.Turn, a story.Alternative, lang string, up *link) {
	persona := j.script.Persona(a.Speaker)
	if persona == nil {
		return // of a world that had one more
	}
	g := group{persona.ID, a.Reply.Engine.Name, a.Reply.Persona.Ordinal}
	j.replies[g]++
	j.report.Replies++
	in := story.Judged(j.script, persona, t.Before, lang, a.Text)
	in.Before = up.said(persona.ID)
	found := story.Findings(j.script, in, lint.All)
	if a.Reply.Blocked != "" { // the hit itself was never stored
		found = append(found, slices.DeleteFunc(slices.Clone(a.Findings), func(f lint.Finding) bool { return f.Code != a.Reply.Blocked })...)
	}
	j.steer(g, a)
	seen := map[string]bool{}
	for _, f := range found {
		j.report.Findings = append(j.report.Findings, Found{Turn: t.ID, N: t.Depth, Alternative: a.ID, Persona: persona.ID, Engine: g.engine, Finding: f})
		if !seen[f.Code] {
			seen[f.Code] = true
			if j.counts[g] == nil {
				j.counts[g] = map[string]int{}
			}
			j.counts[g][f.Code]++
		}
	}
}

// steer counts replies that brought an anchor up without the player having
// spoken of it.
func (j *judge) steer(g group, a story.Alternative) {
	if slices.ContainsFunc(a.Delivered, func(d plot.Delivered) bool { return !d.Prompted && !d.Authored }) {
		if j.counts[g] == nil {
			j.counts[g] = map[string]int{}
		}
		j.counts[g][Railroading]++
	}
}

// Railroading is the row that tells how often a reply brought an anchor up
// unprompted.
const Railroading = "railroading"

func (j *judge) rows() []Row {
	var out []Row
	for g, n := range j.replies {
		for _, code := range append(lint.Codes(), Railroading) {
			out = append(out, Row{g.persona, g.engine, g.version, code, lint.NewRate(j.counts[g][code], n)})
		}
	}
	order := map[string]int{}
	for i, code := range append(lint.Codes(), Railroading) {
		order[code] = i
	}
	slices.SortFunc(out, func(x, y Row) int {
		return cmp.Or(cmp.Compare(x.Persona, y.Persona), cmp.Compare(x.Engine, y.Engine), cmp.Compare(x.Version, y.Version),
			cmp.Compare(order[x.Rule], order[y.Rule]))
	})
	return out
}
