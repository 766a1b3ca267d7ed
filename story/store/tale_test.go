package store_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"testing"
	"time"

	"fabula/engine"
	"fabula/story"
	"fabula/story/plot"
	"fabula/story/prompt"
	"fabula/story/store"
)

// tale writes turns as a session does: every prompt text is stored under its
// hash, and prompts of a branch share their heads.
type tale struct {
	t       testing.TB
	s       *store.Store
	branch  story.Branch
	name    string // in every id, so that several fit into one store
	depth   int
	history []story.SegmentRef
	texts   map[string]string // new with the next turn
}

func tell(t testing.TB, s *store.Store, name string, n int) *tale {
	t.Helper()
	l := &tale{t: t, s: s, name: name, texts: map[string]string{}}
	l.branch = story.Branch{ID: l.id("B", 0), Name: name, Playthrough: l.id("P", 0)}
	p := story.Playthrough{ID: l.branch.Playthrough, Root: l.id("T", 0), Language: "en", Made: time.Unix(0, 0).UTC()}
	l.begin(&p, &l.branch, "")
	l.finish(l.id("A", 0), story.Alternative{Lines: []plot.Played{{ID: "adu.greeting", By: "adu", Text: "Aboard " + name + "?", Kind: "greeting"}}})
	l.on(n)
	return l
}

func (l *tale) id(sort string, n int) story.ID {
	return story.ID(fmt.Sprintf("01%s%s%0*d", sort, l.name, 23-len(l.name), n))
}

// on takes n turns more.
func (l *tale) on(n int) {
	l.t.Helper()
	for range n {
		l.depth++
		said := fmt.Sprintf("Question %d of %s about the salt?", l.depth, l.name)
		l.begin(nil, nil, said)
		l.finish(l.id("A", l.depth), l.reply(said, fmt.Sprintf("Answer %d of %s: 盐在地窖里, under the stone.", l.depth, l.name)))
	}
}

func (l *tale) begin(p *story.Playthrough, b *story.Branch, said string) {
	l.t.Helper()
	t := story.Turn{ID: l.id("T", l.depth), Playthrough: l.branch.Playthrough, Parent: l.branch.Leaf, Branch: l.branch.ID, Depth: l.depth,
		Input: story.Input{Text: said, To: "adu"}, Before: state(l.depth), Status: story.Pending, Made: time.Unix(int64(l.depth), 0).UTC()}
	if said != "" {
		t.Speaker = "adu"
	}
	if err := l.s.Begin(p, b, t); err != nil {
		l.t.Fatal(err)
	}
}

func (l *tale) segment(kind prompt.Kind, source, text string) story.SegmentRef {
	sum := sha256.Sum256([]byte(text))
	hash := hex.EncodeToString(sum[:])
	l.texts[hash] = text
	return story.SegmentRef{Kind: kind, Source: source, Role: engine.User, Tokens: len(text) / 4, Blob: hash}
}

// reply is generated: its prompt is a head, the last exchanges and a block that
// is new each turn.
func (l *tale) reply(said, text string) story.Alternative {
	r := &story.Reply{Engine: engine.Info{Kind: engine.GGUF, Name: "smollm2"}, Step: "full", Seed: uint64(l.depth), Reason: engine.Stop,
		TTFT: 80 * time.Millisecond, Persona: story.Version{Ordinal: 1, Hash: hash(3)}}
	for n := range 12 {
		r.Segments = append(r.Segments, l.segment(prompt.Persona, "personas/adu.yaml", fmt.Sprintf("What Adu is like, part %d. %s", n, strings.Repeat("Quiet. ", 8))))
	}
	r.Segments = append(r.Segments, l.history[max(0, len(l.history)-64)/32*32:]...)
	r.Segments = append(r.Segments, l.segment(prompt.Scene, "landing", fmt.Sprintf("The landing at turn %d of %s.", l.depth, l.name)))
	for n, word := range strings.SplitAfter(text, " ") {
		r.Tokens = append(r.Tokens, engine.Token{ID: int32(n * 700), Text: word, Logprob: -0.25, At: 80*time.Millisecond + time.Duration(n*27031)*time.Microsecond})
	}
	source := string(l.id("T", l.depth))
	l.history = append(l.history, l.segment(prompt.History, source, said), l.segment(prompt.History, source, text))
	return story.Alternative{Speaker: "adu", Text: text, Reply: r}
}

func (l *tale) finish(id story.ID, a story.Alternative) {
	l.t.Helper()
	a.ID, a.Turn, a.Status, a.State, a.Made = id, l.id("T", l.depth), story.Finished, state(l.depth), time.Unix(int64(l.depth), 0).UTC()
	l.branch.Leaf, l.branch.Touched = a.ID, a.Made
	if err := l.s.Finish(a, story.Finished, l.branch, l.texts); err != nil {
		l.t.Fatal(err)
	}
	clear(l.texts)
}

// fork goes on from the turn at depth under another name.
func (l *tale) fork(name string, depth int) *tale {
	f := &tale{t: l.t, s: l.s, name: name, depth: depth, texts: map[string]string{}}
	f.branch = story.Branch{ID: f.id("B", 0), Name: name, Playthrough: l.branch.Playthrough, Leaf: l.id("A", depth)}
	f.history = append(f.history, l.history[:2*depth]...)
	if err := l.s.PutBranch(f.branch); err != nil {
		l.t.Fatal(err)
	}
	return f
}

// sound fails when anything is wrong with the store in dir.
func sound(t testing.TB, dir string) store.Report {
	t.Helper()
	rep, err := store.Check(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range rep.Problems {
		t.Errorf("%s %v", p.Code, p.Args)
	}
	return rep
}
