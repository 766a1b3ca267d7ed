// Package table lists what a person reads or hears in a world, a row each, in
// the order of the story: for translators, actors and studios.
//
// Authored texts come node by node, from the start along the exits; then what
// was recorded, branch by branch. Ids are those of plottree. Non-goals: any
// file format.
package table

import (
	"crypto/sha256"
	"encoding/hex"

	"fabula/personas"
	"fabula/story"
	"fabula/story/export"
	"fabula/story/plot"
)

// Kinds of rows.
const (
	Name     = "name"     // of a persona or the player
	Title    = "title"    // of a node
	Line     = "line"     // authored, by a persona or as narration
	Anchor   = "anchor"   // authored, said when a model did not say it
	Greeting = "greeting" // of a persona
	Choice   = "choice"   // label of an exit
	Confirm  = "confirm"  // question before an exit
	Player   = "player"   // recorded: what the player said
	Reply    = "reply"    // recorded: what a persona said
)

// Row is one text with its translations.
type Row struct {
	ID      string // stable; kinds without a speaker are "kind:owner"
	Kind    string
	Speaker string // persona id or "player"; empty = narration or a label
	Node    string
	Branch  string // name of the branch a recorded row was found on
	Context string // id of the row said before it in the same node
	Source  string // language it was written in first
	Text    map[string]string
	Cues    []string
	Words   int    // longest reply of its speaker, 0 = no limit
	Status  string // draft, approved, recorded
	Human   bool   // recorded, and written by a person
	Literal bool   // braces are text: it is what was played
}

// Spoken reports whether an actor says it.
func (r Row) Spoken() bool {
	switch r.Kind {
	case Line, Anchor, Greeting, Confirm, Reply:
		return r.Speaker != ""
	}
	return false
}

// Hash identifies the wording of the source: the first 16 hex digits of its
// SHA-256. A translation that was made of another hash is out of date.
func (r Row) Hash() string {
	sum := sha256.Sum256([]byte(r.Text[r.Source]))
	return hex.EncodeToString(sum[:8])
}

// Rows lists the texts of a world and of the selected branches. Texts that are
// not written in any language are left out; with ApprovedOnly, drafts and
// recorded ones too; trials, unless their branches were named. No two rows have
// one id: a reply that was promoted is the authored line alone.
func Rows(in export.Input) []Row {
	l := lister{in: in, script: in.Script}
	l.names()
	for _, n := range Order(in.Script) {
		l.node(n)
	}
	l.recorded()
	return l.rows
}

// Order gives the nodes as a player comes by them, from the start breadth
// first along the exits; then those that no exit leads to, as in the files.
func Order(s *plot.Script) []*plot.Node {
	var order []*plot.Node
	seen := map[string]bool{}
	visit := func(id string) {
		todo := []string{id}
		for len(todo) > 0 {
			n := s.Node(todo[0])
			todo = todo[1:]
			if n == nil || seen[n.ID] {
				continue
			}
			seen[n.ID] = true
			order = append(order, n)
			for _, e := range n.Exits {
				todo = append(todo, e.To)
			}
		}
	}
	visit(s.Start)
	for _, n := range s.Nodes {
		visit(n.ID)
	}
	return order
}

type lister struct {
	in     export.Input
	script *plot.Script
	rows   []Row
	last   string // id of the row said before
}

// add completes a row and appends it.
func (l *lister) add(r Row, t personas.Text) {
	if t.Empty() {
		return
	}
	r.Text, r.Source = l.texts(t)
	if p := l.script.Persona(r.Speaker); p != nil {
		r.Words = p.Words
	}
	if r.Spoken() || r.Kind == Line || r.Kind == Player {
		r.Context, l.last = l.last, r.ID
	}
	l.rows = append(l.rows, r)
}

// texts gives the wordings and the language that the text was written in: the
// first of the world's that has one.
func (l *lister) texts(t personas.Text) (by map[string]string, source string) {
	by = map[string]string{}
	for lang, s := range t.By {
		by[lang] = s
	}
	first := "und" // ISO 639-2: undetermined
	if len(l.script.Languages) > 0 {
		first = l.script.Languages[0]
	}
	if t.Plain != "" {
		by[first] = t.Plain
	}
	for _, lang := range append(append([]string{}, l.script.Languages...), t.Languages()...) {
		if _, ok := by[lang]; ok {
			return by, lang
		}
	}
	return by, first
}

func (l *lister) names() {
	if !l.in.ApprovedOnly {
		l.add(Row{ID: "name:player", Kind: Name}, l.script.Player.Name)
	}
	for _, p := range l.script.Personas {
		l.add(Row{ID: "name:" + p.ID, Kind: Name}, p.Name)
		l.add(Row{ID: p.ID + ".greeting", Kind: Greeting, Speaker: p.ID}, p.Greeting)
		l.last = ""
	}
}

func (l *lister) node(n *plot.Node) {
	l.last = ""
	l.add(Row{ID: "title:" + n.ID, Kind: Title, Node: n.ID}, n.Title)
	for _, x := range n.Lines {
		status := x.Status
		if status == "" {
			status = "draft"
		}
		if l.in.ApprovedOnly && status != "approved" {
			continue
		}
		l.add(Row{ID: plot.LineID(n.ID, x), Kind: Line, Speaker: x.By, Node: n.ID, Cues: x.Cues, Status: status}, x.Text)
	}
	for _, a := range n.Anchors {
		l.add(Row{ID: a.By + "." + n.ID + "." + a.ID, Kind: Anchor, Speaker: a.By, Node: n.ID}, a.Line)
	}
	for _, e := range n.Exits {
		l.add(Row{ID: "choice:" + n.ID + "." + e.ID, Kind: Choice, Node: n.ID}, e.Choice)
		if e.Confirm != nil {
			l.add(Row{ID: "confirm:" + n.ID + "." + e.ID, Kind: Confirm, Speaker: e.Confirm.By, Node: n.ID}, e.Confirm.Text)
		}
	}
}

// Omits reports whether a branch's recorded texts are left out: a trial counts only
// where it was asked for by name.
func Omits(b export.Branch, named bool) bool { return b.Trial() && !named }

// recorded lists what was said on the selected branches, each once.
func (l *lister) recorded() {
	if l.in.ApprovedOnly {
		return
	}
	seen := map[export.Utterance]bool{}
	for _, b := range l.in.Branches {
		if Omits(b, l.in.Named) {
			continue
		}
		node := ""
		l.last = ""
		for _, s := range b.Steps {
			l.utterance(b, seen, export.Utterance{Turn: s.Turn.ID}, Row{Kind: Player, Speaker: "player", Node: node},
				b.Language, s.Turn.Input.Text)
			l.utterance(b, seen, export.Utterance{Turn: s.Turn.ID, Alternative: s.Alternative.ID}, replyRow(s),
				l.spoken(b, s.Alternative.Speaker), s.Alternative.Text)
			node = s.Alternative.State.Node
		}
	}
}

func replyRow(s story.Step) Row {
	return Row{Kind: Reply, Speaker: s.Alternative.Speaker, Node: s.Turn.Before.Node, Cues: s.Alternative.Cues, Human: s.Alternative.Human}
}

// utterance adds a recorded text; one that another branch shares, or that is an
// authored line by now, only goes on from there.
func (l *lister) utterance(b export.Branch, seen map[export.Utterance]bool, at export.Utterance, r Row, lang, text string) {
	id, numbered := l.in.Numbers[at]
	switch {
	case !numbered:
	case seen[at], l.script.Line(id) != nil:
		l.last = id
	default:
		seen[at] = true
		r.ID, r.Branch, r.Status, r.Literal = id, b.Name, "recorded", true
		l.add(r, personas.Text{By: map[string]string{lang: text}})
	}
}

// spoken is the language of a reply: some personas speak one of their own.
func (l *lister) spoken(b export.Branch, speaker string) string {
	if p := l.script.Persona(speaker); p != nil {
		return p.Language(b.Language)
	}
	return b.Language
}
