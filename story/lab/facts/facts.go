// Package facts tests what NPCs remember: facts are planted in a playthrough of
// many turns, and later asked for.
//
//	told here · told again, otherwise · told to another · told on another branch · never
//
// The first test is of the prompt and exact: is the fact in it, or is one in it that
// the NPC cannot know. With an engine the reply is tested too. What is between is
// talk out of the world's own sample lines, the same for every run.
//
// Methods: recall of planted facts by distance, false memories and updates as in
// QUALITY 8.3. Non-goals: judging how well an NPC words what it remembers.
package facts

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"fabula/personas"
	"fabula/personas/fold"
	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/prompt"
)

// Form says what became of a fact.
type Form string

// The forms of a fact, and whether the NPC is to know of it.
const (
	Told    Form = "told"    // to the NPC, on this branch: it is to remember
	Updated Form = "updated" // told, and later otherwise: the newer one is there, the older one before it or marked as older
	Another Form = "another" // told to somebody else while the NPC was away
	Sibling Form = "sibling" // told to the NPC on another branch
	Never   Form = "never"   // told to nobody
)

// Forms lists them.
func Forms() []Form { return []Form{Told, Updated, Another, Sibling, Never} }

// Result is one question about one fact.
type Result struct {
	NPC      string `json:"npc"`
	Language string `json:"language"`
	Form     Form   `json:"form"`
	Turns    int    `json:"turns"` // since it was told, give or take three; 0 where that means nothing
	Herbs    bool   `json:"herbs,omitempty"`
	Asked    string `json:"asked"`
	Key      string `json:"key"` // the words that only who remembers has
	In       bool   `json:"in_prompt"`
	// Where the words stand in the prompt, by kind of segment.
	Where []prompt.Kind `json:"where,omitempty"`
	Right bool          `json:"right"` // the prompt holds what it should, and not what it should not
	// Of the reply, where one was asked for.
	Reply      string `json:"reply,omitempty"`
	ReplyRight *bool  `json:"reply_right,omitempty"`
}

// Options say what is asked.
type Options struct {
	NPC      string
	Language string
	Turns    []int  // distances, at most MostDistances; nil = Distances
	Engine   string // that answers the questions; empty = only prompts are looked at
	Seed     uint64
}

// Distances are the turns after which a fact is asked for.
func Distances() []int { return []int{10, 50, 200} }

// MostDistances is how many there are facts for: with more of them one fact would be
// told and be "told to nobody" as well.
const MostDistances = 3

// perDistance is how many facts are planted for each distance.
const perDistance = 4

// Run tests one NPC in one language. The session is one on Quiet, whose engine
// answers while nobody is asked.
func Run(ctx context.Context, s *story.Session, o Options, tell func(Result) error) error {
	if len(o.Turns) == 0 {
		o.Turns = Distances()
	}
	slices.Sort(o.Turns)
	p := s.Script().Persona(o.NPC)
	if p == nil {
		return &story.CastError{Asked: o.NPC}
	}
	r := &run{ctx: ctx, s: s, o: o, persona: p, tell: tell, talk: small(s.Script().Personas, o.Language), facts: factsIn(o.Language)}
	return r.run()
}

// run is a test in progress.
type run struct {
	ctx     context.Context
	s       *story.Session
	o       Options
	persona *personas.Persona
	tell    func(Result) error
	talk    []string
	facts   []fact
	home    string
	branch  story.ID
	leaf    map[story.ID]story.ID // of branches, when all is told
	nth     int
}

// planted is a fact that was told.
type planted struct {
	fact
	form  Form
	turns int
}

func (r *run) run() error {
	home, away, other := r.places()
	r.home, r.leaf = home, map[story.ID]story.ID{}
	b, _, err := r.s.Begin(story.Start{Node: home, Sandbox: true, Language: r.o.Language})
	if err != nil {
		return err
	}
	r.branch = b.ID
	far := r.o.Turns[len(r.o.Turns)-1]
	plan, asked := r.plan(far)
	if other != "" {
		if err := r.elsewhere(away, home, other, &asked); err != nil {
			return err
		}
	}
	fork := b.Leaf
	for turn := range far + 1 {
		text := plan[turn]
		if text == "" {
			text = r.talk[r.nth%len(r.talk)]
			r.nth++
		}
		leaf, err := r.say(r.branch, text)
		if err != nil {
			return err
		}
		if turn == 0 {
			fork = leaf
		}
	}
	side, err := r.sibling(fork, &asked)
	if err != nil {
		return err
	}
	return r.ask(side, asked)
}

// plan says what is told in which turn, and what is asked of it in the end.
func (r *run) plan(far int) (map[int]string, []planted) {
	plan := map[int]string{}
	var asked []planted
	next := 0
	take := func() fact { f := r.facts[next%len(r.facts)]; next++; return f }
	put := func(turn int, text string) {
		for turn > 1 && plan[turn] != "" {
			turn--
		}
		for plan[turn] != "" || turn < 1 {
			turn++
		}
		plan[turn] = text
	}
	for i, d := range r.o.Turns {
		for k := range perDistance {
			f := take()
			if i == 0 && k == 0 {
				f = herbs(r.o.Language)
			}
			put(far+1-d, f.told)
			asked = append(asked, planted{f, Told, d})
		}
	}
	for range 2 {
		f := take()
		put(max(far-far/2, 1), f.told)
		put(max(far-far/8, 2), f.again)
		asked = append(asked, planted{f, Updated, far / 8})
	}
	for range perDistance {
		asked = append(asked, planted{take(), Never, 0})
	}
	return plan, asked
}

// places finds where the NPC is, and where another one is without it.
func (r *run) places() (home, away, other string) {
	script := r.s.Script()
	for _, n := range script.Nodes {
		st := script.Initial()
		script.Enter(&st, n.ID, r.o.Language)
		var there []string
		for _, m := range script.Cast(st) {
			there = append(there, m.NPC)
		}
		switch mine := slices.Contains(there, r.persona.ID); {
		case mine && home == "":
			home = n.ID
		case !mine && len(there) > 0 && other == "":
			away, other = n.ID, there[0]
		}
	}
	return home, away, other
}

// elsewhere tells somebody else something while the NPC is away.
func (r *run) elsewhere(away, home, other string, asked *[]planted) error {
	jump := func(node string) error {
		b, _, err := r.s.Jump(r.branch, story.Start{Node: node})
		r.branch = b.ID
		return err
	}
	if err := jump(away); err != nil {
		return err
	}
	for i, f := range []fact{herbs(r.o.Language).from(2), r.facts[len(r.facts)-1]} {
		run, err := r.s.Say(r.ctx, r.branch, story.Input{Text: f.told, To: other}, story.Options{Engine: QuietName})
		if err != nil {
			return err
		}
		if _, _, err := run.Wait(); err != nil {
			return err
		}
		f.herbs = i == 0
		*asked = append(*asked, planted{f, Another, 0})
	}
	return jump(home)
}

// sibling tells something on a branch beside, from an early turn on.
func (r *run) sibling(fork story.ID, asked *[]planted) (story.ID, error) {
	var side story.ID
	for i, f := range []fact{herbs(r.o.Language).from(1), r.facts[len(r.facts)-2], r.facts[len(r.facts)-3]} {
		var run *story.Running
		var err error
		in := story.Input{Text: f.told, To: r.persona.ID}
		if i == 0 {
			run, err = r.s.SayAt(r.ctx, r.branch, fork, in, story.Options{Engine: QuietName})
		} else {
			run, err = r.s.Say(r.ctx, side, in, story.Options{Engine: QuietName})
		}
		if err != nil {
			return "", err
		}
		b, _, err := run.Wait()
		if err != nil {
			return "", err
		}
		side = b.ID
		*asked = append(*asked, planted{f, Sibling, 0})
	}
	return side, nil
}

func (r *run) say(branch story.ID, text string) (story.ID, error) {
	run, err := r.s.Say(r.ctx, branch, story.Input{Text: text, To: r.persona.ID}, story.Options{Engine: QuietName})
	if err != nil {
		return "", err
	}
	_, step, err := run.Wait()
	return step.Alternative.ID, err
}

// ask puts every question: on the branch, and about what was told there after the
// fork on the branch beside.
func (r *run) ask(side story.ID, asked []planted) error {
	for _, p := range asked {
		if err := r.one(r.branch, p); err != nil {
			return err
		}
	}
	fresh, _, err := r.s.Begin(story.Start{Sandbox: true, Language: r.o.Language, Node: r.home})
	if err != nil {
		return err
	}
	if err := r.one(fresh.ID, planted{herbs(r.o.Language), Never, 0}); err != nil {
		return err
	}
	for _, p := range asked {
		if p.form == Told { // of the branch, asked on the one beside
			p.form, p.turns, p.herbs = Sibling, 0, false
			if err := r.one(side, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *run) one(branch story.ID, p planted) error {
	in := story.Input{Text: p.asks, To: r.persona.ID}
	if r.leaf[branch] == "" {
		b, err := r.s.Reader().Branch(string(branch))
		if err != nil {
			return err
		}
		r.leaf[branch] = b.Leaf
	}
	made, err := r.s.Look(r.ctx, story.Spot{Branch: branch, At: r.leaf[branch]}, in, story.Look{})
	if err != nil {
		return err
	}
	key, old := p.key, ""
	if p.form == Updated {
		key, old = p.newKey, p.key
	}
	out := Result{NPC: r.persona.ID, Language: r.o.Language, Form: p.form, Turns: p.turns, Herbs: p.herbs, Asked: p.asks, Key: key}
	last, lastOld := -1, -1
	for i, seg := range made.Segments {
		if seg.Kind == prompt.Line {
			continue
		}
		if fold.Holds(seg.Text, key) {
			out.In, last = true, i
			if !slices.Contains(out.Where, seg.Kind) {
				out.Where = append(out.Where, seg.Kind)
			}
		}
		// what is recalled says how long ago it was: it can stand behind the history
		if old != "" && fold.Holds(seg.Text, old) && (seg.Kind != prompt.Memory || last >= 0 && made.Segments[last].Kind == prompt.Memory) {
			lastOld = i
		}
	}
	knows := p.form == Told || p.form == Updated
	out.Right = out.In == knows && (p.form != Updated || last > lastOld)
	if err := r.reply(branch, &out, old); err != nil {
		return err
	}
	return r.tell(out)
}

// reply has an engine answer, on a branch beside, and looks for the words.
func (r *run) reply(branch story.ID, out *Result, old string) error {
	if r.o.Engine == "" {
		return nil
	}
	run, err := r.s.SayAt(r.ctx, branch, r.leaf[branch], story.Input{Text: out.Asked, To: r.persona.ID}, story.Options{Engine: r.o.Engine, Seed: &r.o.Seed, Mode: story.Free})
	if err != nil {
		return err
	}
	_, step, err := run.Wait()
	if err != nil {
		return err
	}
	out.Reply = step.Alternative.Text
	right := fold.Holds(out.Reply, out.Key) == (out.Form == Told || out.Form == Updated)
	if old != "" && fold.Holds(out.Reply, old) {
		right = false
	}
	out.ReplyRight = &right
	return nil
}

// Row is how often one form of fact comes out right.
type Row struct {
	Form  Form `json:"form"`
	Turns int  `json:"turns"`
	Herbs bool `json:"herbs"`
	Reply bool `json:"reply"` // of replies; else of prompts
	lint.Rate
}

// Rows sums results up, by form and distance; the herb case has rows of its own.
func Rows(all []Result) []Row {
	var out []Row
	count := func(r Result, reply, right bool) {
		i := slices.IndexFunc(out, func(x Row) bool {
			return x.Form == r.Form && x.Turns == r.Turns && x.Herbs == r.Herbs && x.Reply == reply
		})
		if i < 0 {
			out = append(out, Row{Form: r.Form, Turns: r.Turns, Herbs: r.Herbs, Reply: reply})
			i = len(out) - 1
		}
		out[i].N++
		if right {
			out[i].Hits++
		}
	}
	for _, r := range all {
		count(r, false, r.Right)
		if r.ReplyRight != nil {
			count(r, true, *r.ReplyRight)
		}
	}
	for i := range out {
		out[i].Rate = lint.NewRate(out[i].Hits, out[i].N)
	}
	slices.SortStableFunc(out, func(x, y Row) int { return strings.Compare(order(x), order(y)) })
	return out
}

func order(r Row) string {
	return fmt.Sprintf("%t %t %d %06d", r.Reply, r.Herbs, slices.Index(Forms(), r.Form), r.Turns)
}

// Leaks counts the prompts that hold what was told elsewhere, or never: none may.
func Leaks(all []Result) int {
	n := 0
	for _, r := range all {
		if r.In && r.Form != Told && r.Form != Updated {
			n++
		}
	}
	return n
}
