package judge

import (
	"math/rand/v2"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/personas"
	"fabula/story"
	"fabula/story/golden"
	"fabula/story/plot"
)

// Item is one line that is judged.
type Item struct {
	ID       string   `json:"id"` // of the alternative; of a control its name
	Branch   string   `json:"branch,omitempty"`
	N        int      `json:"n,omitempty"`
	Persona  string   `json:"persona"`
	Version  int      `json:"version,omitempty"` // ordinal of the persona's wording
	Language string   `json:"language"`
	Player   string   `json:"player,omitempty"` // the line that it answers
	Reply    string   `json:"reply"`
	Engine   string   `json:"engine,omitempty"` // that made it
	Control  string   `json:"control,omitempty"`
	Expect   []string `json:"expect,omitempty"` // flaws that a control has
	// Against is the other line of a pair.
	Against string `json:"against,omitempty"`
	// info says what made the reply.
	info engine.Info
}

// Labelled gives the lines of which people said which flaws they have; Expect holds
// those. A judge is measured by them, and is not void by missing one.
func Labelled(script *plot.Script, all []*golden.Golden) []Item {
	var out []Item
	for _, g := range all {
		for _, l := range g.Labels {
			lang := l.Language
			if lang == "" {
				lang = script.Languages[0]
			}
			out = append(out, Item{ID: l.Pos.String(), Persona: l.NPC, Language: lang, Player: l.Say, Reply: l.Reply, Control: Label, Expect: l.Flaws})
		}
	}
	return out
}

// Controls are of these sorts; the answer to each is known.
const (
	Good    = "good"    // an author's own line: no flaw
	Planted = "planted" // has the flaw that was put into it
	Twin    = "twin"    // a pair of the same line twice: neither wins
	Label   = "label"   // a person said which flaws it has
	Broken  = "broken"  // a pair of an author's line and a planted one: the first wins
)

// Provenance tells engines apart by what they are and not by what they are called:
// the hash of the weights, or of the script that is played; of a server, which
// tells none, its kind and model.
func Provenance(i engine.Info) string {
	switch {
	case i.Build.BaseHash != "":
		return i.Build.BaseHash
	case i.Model != "":
		return string(i.Kind) + " " + i.Model + " " + i.Build.Runtime
	}
	return string(i.Kind) + " " + i.Build.Runtime
}

// Branch is what Collect reads of one.
type Branch struct {
	Name     string
	Language string
	Path     []story.Step
}

// Collect gives the replies on branches that an engine made, each once.
func Collect(script *plot.Script, branches []Branch) []Item {
	var out []Item
	seen := map[story.ID]bool{}
	for _, b := range branches {
		for _, step := range b.Path {
			a := step.Alternative
			persona := script.Persona(a.Speaker)
			if a.Reply == nil || a.Human || strings.TrimSpace(a.Text) == "" || persona == nil || seen[a.ID] {
				continue
			}
			seen[a.ID] = true
			out = append(out, Item{ID: string(a.ID), Branch: b.Name, N: step.Turn.Depth, Persona: persona.ID, Version: a.Reply.Persona.Ordinal,
				Language: persona.Language(b.Language), Player: step.Turn.Input.Text, Reply: a.Text, Engine: a.Reply.Engine.Name, info: a.Reply.Engine})
		}
	}
	return out
}

// Own lists the items that were made by an engine, whatever it was called.
func Own(items []Item, judge engine.Info) []Item {
	return slices.DeleteFunc(slices.Clone(items), func(i Item) bool { return Provenance(i.info) != Provenance(judge) })
}

// Kin gives the model that judge and items have in common, though their files
// differ: another precision of the same weights. Empty if none.
func Kin(items []Item, judge engine.Info) string {
	if judge.Model != "" && slices.ContainsFunc(items, func(i Item) bool { return i.info.Model == judge.Model }) {
		return judge.Model
	}
	return ""
}

// Draw takes at most n items by a seed, in their order.
func Draw(items []Item, n int, seed uint64) []Item {
	if n <= 0 || len(items) <= n {
		return items
	}
	keep := rand.New(rand.NewPCG(seed, 1)).Perm(len(items))[:n]
	slices.Sort(keep)
	out := make([]Item, n)
	for i, k := range keep {
		out[i] = items[k]
	}
	return out
}

// goodLines is how many of a persona's own lines are mixed in.
const goodLines = 2

// Controls makes the items whose answers are known, for each persona and language
// that is among the items: an author's own lines, and violations that no reader
// would miss.
func Controls(script *plot.Script, items []Item, seed uint64) []Item {
	type voice struct{ persona, lang string }
	seen := map[voice]bool{}
	var out []Item
	r := rand.New(rand.NewPCG(seed, 2))
	for _, i := range items {
		v := voice{i.Persona, i.Language}
		if p := script.Persona(i.Persona); !seen[v] && p != nil {
			seen[v] = true
			out = append(out, controlsOf(script, p, i.Language, r)...)
		}
	}
	return out
}

func controlsOf(script *plot.Script, p *personas.Persona, lang string, r *rand.Rand) []Item {
	var lines []personas.Sample
	for _, s := range p.Samples {
		if s.When.Empty() && !s.Reply.Empty() && !s.Player.Empty() {
			lines = append(lines, s)
		}
	}
	r.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	var out []Item
	control := func(kind, name, player, reply string, expect ...string) {
		out = append(out, Item{ID: strings.Join([]string{kind, p.ID, lang, name}, "."), Persona: p.ID, Language: lang, Player: player, Reply: reply, Control: kind, Expect: expect})
	}
	player := greetingIn(lang)
	for i, s := range lines[:min(goodLines, len(lines))] {
		text := func(t personas.Text) string { return t.In(lang, script.Languages...) }
		player = text(s.Player)
		control(Good, string(rune('1'+i)), player, text(s.Reply))
	}
	planted := plantedIn(lang)
	for _, code := range []string{golden.MachineTalk, golden.Modern, golden.ActsForPlayer} {
		control(Planted, code, player, planted[code], code)
	}
	if len(lines) > 0 {
		text := lines[0].Reply.In(lang, script.Languages...)
		control(Twin, "1", player, text)
		out[len(out)-1].Against = text
		control(Broken, "1", player, text)
		out[len(out)-1].Against = planted[golden.MachineTalk]
	}
	return out
}
