package qa

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed" // the template and the style
	"encoding/base64"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/playtest/play"
	"fabula/story/plot"
)

//go:embed report.css
var style string

//go:embed report.html.tmpl
var layout string

// page is parsed when a report is first written: every start of the program
// would pay for it.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("report").Parse(layout)) })

// report is what the template shows.
type report struct {
	Title, World, Hash, Policy string
	Style                      template.CSS
	Chinese                    bool
	W                          Words
	Counts                     []count
	Errors                     int
	Tree                       []*fork
	Findings                   []finding
	Plots                      []plotted
	Coverage                   []covered
	Branches                   []branch
}

type count struct {
	N    int
	What Said
}

type finding struct {
	Bad             bool
	Level, What     Said
	Code, At, Where string
}

type covered struct {
	What        Said
	Covered, Of int
	Missed      []string
}

// fork is a branch in the tree, with those that leave it.
type fork struct {
	Anchor, Name string
	From, Turns  int // turn at which it leaves its parent, and its last
	Errors       int
	Below        []*fork
}

type branch struct {
	Anchor, Name, Language string
	Open                   bool
	Turns                  int
	Tags                   []string
	Shared                 int // last turn that is another branch's
	SharedAt, SharedWith   string
	Steps                  []turn
}

type turn struct {
	Anchor, Label, Place string
	N                    int
	Speech               []speechLine
	Facts                []Said
	Findings             []finding
	Others               []speechLine
}

type speechLine struct{ Who, Text string }

// reportHTML writes a page that needs nothing but itself: no script, no
// network, one style that the policy names by its hash. All text of players,
// models and authors is escaped by the template.
func reportHTML(in export.Input) ([]byte, error) {
	sum := sha256.Sum256([]byte(style))
	lang := ""
	if len(in.Script.Languages) > 0 {
		lang = in.Script.Languages[0]
	}
	r := report{
		Title: cmp.Or(in.Script.Title.In(lang), in.Script.ID), World: in.Script.ID, Hash: short(in.Script.Hash), Chinese: strings.HasPrefix(lang, "zh"),
		Policy: "default-src 'none'; style-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'; base-uri 'none'; form-action 'none'",
		Style:  template.CSS(style), W: words,
	}
	b := reporter{in: in, report: &r, seen: map[story.ID]string{}, forks: map[string]*fork{}, tally: play.NewTally()}
	for _, each := range in.Branches {
		b.branch(each)
	}
	b.finish()
	var out bytes.Buffer
	if err := page().Execute(&out, r); err != nil {
		return nil, fmt.Errorf("report: %w", err)
	}
	return out.Bytes(), nil
}

// reporter fills a report branch by branch; a turn that two share is shown once.
type reporter struct {
	in     export.Input
	report *report
	seen   map[story.ID]string // alternative → anchor of the branch that shows it
	forks  map[string]*fork    // by anchor
	tally  play.Tally
	delays delays
	turns  int
	others int
}

func (r *reporter) branch(b export.Branch) {
	out := branch{Anchor: "b-" + string(b.ID), Name: b.Name, Language: b.Language, Open: len(r.report.Branches) == 0, Turns: max(len(b.Steps)-1, 0), Tags: b.Tags}
	f := &fork{Anchor: out.Anchor, Name: b.Name, Turns: out.Turns}
	for _, s := range b.Steps {
		if at, shared := r.seen[s.Alternative.ID]; shared {
			out.Shared, out.SharedAt, out.SharedWith = s.Turn.Depth, at, r.forks[at].Name
			continue
		}
		r.seen[s.Alternative.ID] = out.Anchor
		r.turns += min(s.Turn.Depth, 1) // the opening is none
		t := r.turn(b, s)
		for _, x := range t.Findings {
			if x.Bad {
				f.Errors++
			}
		}
		out.Steps = append(out.Steps, t)
		r.tally.Count(r.in.Script, s, b.Language)
	}
	if parent := r.forks[out.SharedAt]; parent != nil {
		f.From = out.Shared
		parent.Below = append(parent.Below, f)
	} else {
		r.report.Tree = append(r.report.Tree, f)
	}
	r.forks[out.Anchor] = f
	r.report.Errors += f.Errors
	r.report.Branches = append(r.report.Branches, out)
}

func (r *reporter) turn(b export.Branch, s story.Step) turn {
	t, a := s.Turn, s.Alternative
	out := turn{Anchor: "t-" + string(a.ID), N: t.Depth, Label: b.At(t), Place: r.place(b.Language, t.Before.Node)}
	if t.Input.Text != "" {
		out.Speech = append(out.Speech, speechLine{cmp.Or(r.in.Script.Player.Name.In(b.Language, r.in.Script.Languages...), "player"), t.Input.Text})
	}
	out.Speech = append(out.Speech, r.lines(b.Language, a.Lines)...)
	if a.Text != "" {
		out.Speech = append(out.Speech, speechLine{name(r.in.Script, b.Language, a.Speaker), a.Text})
	}
	out.Speech = append(out.Speech, r.lines(b.Language, a.After)...)
	out.Facts = r.facts(t, a)
	for _, f := range a.Findings {
		shown := r.finding(f)
		shown.At, shown.Where = out.Anchor, out.Label
		out.Findings = append(out.Findings, shown)
		r.report.Findings = append(r.report.Findings, shown)
	}
	for _, o := range r.in.Beside[t.ID] {
		if o.ID != a.ID && o.Text != "" {
			out.Others = append(out.Others, speechLine{name(r.in.Script, b.Language, o.Speaker), o.Text})
		}
	}
	r.others += len(out.Others)
	if a.Reply != nil {
		r.delays.add(out.Label, a.Reply)
	}
	return out
}

func (r *reporter) place(lang, node string) string {
	if n := r.in.Script.Node(node); n != nil && !n.Title.Empty() {
		return n.Title.In(lang, r.in.Script.Languages...)
	}
	return node
}

func (r *reporter) lines(lang string, played []plot.Played) []speechLine {
	var out []speechLine
	for _, l := range played {
		out = append(out, speechLine{name(r.in.Script, lang, l.By), l.Text})
	}
	return out
}

// facts are what happened beside the talk.
func (r *reporter) facts(t story.Turn, a story.Alternative) []Said {
	var out []Said
	both := func(w Said, text string) { out = append(out, Said{w.En + " " + text, w.Zh + " " + text}) }
	for _, f := range append(append([]plot.Fired{}, t.Fired...), a.Fired...) {
		both(words.Beat, f.Beat+": “"+f.Evidence.Quote+"”"+changes(f.Changes))
	}
	for _, taken := range []*plot.Taken{t.Taken, a.Taken} {
		if taken != nil {
			both(words.Exit, taken.Exit+" ("+taken.By+")"+changes(taken.Changes))
		}
	}
	if a.Human {
		out = append(out, words.Human)
	}
	if p := a.Reply; p != nil {
		text := fmt.Sprintf("%s, seed %d, %s", p.Engine.Name, p.Seed, p.Reason)
		if m := p.Timing(); p.TTFT > 0 && !m.Recalled {
			text += fmt.Sprintf(", ttft %.0f ms, %d tokens", story.Millis(p.TTFT), m.Tokens)
		}
		both(words.Engine, text)
	}
	return out
}

func (r *reporter) finding(f lint.Finding) finding {
	level := words.Info
	switch f.Level {
	case lint.Error:
		level = words.Error
	case lint.Warning:
		level = words.Warning
	}
	return finding{Bad: f.Level == lint.Error, Level: level, Code: f.Code, What: Said{r.in.Worded("en", f), r.in.Worded("zh", f)}}
}

func (r *reporter) finish() {
	r.report.Counts = []count{{len(r.report.Branches), words.Branches}, {r.turns, words.Turns}, {r.delays.replies, words.Replies}, {r.others, words.Alternatives}}
	r.report.Plots = r.delays.plots()
	for _, s := range r.tally.Coverage(r.in.Script) {
		if s.Of > 0 {
			r.report.Coverage = append(r.report.Coverage, covered{words.Cover[s.What], s.Covered, s.Of, s.Missed})
		}
	}
}
