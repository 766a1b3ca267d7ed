// Package search finds texts in everything that was ever said in a world: what
// the player said, replies, and authored lines as they were played, over all
// branches.
//
// An index lies beside the store, is made from it, and is thrown away when it
// does not fit: it can never be a reason to fail. It is our own: bleve took 11 s
// for 50,000 lines and locks its files against the second process that reads
// beside an open workbench; this one is a file that is read without a lock,
// finds parts of words in every script, and is caught up with from the store's
// order of storing.
//
// Non-goals: searching by meaning, ranking by relevance: hits come newest first.
package search

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"fabula/story"
	"fabula/story/plot"
)

// Source is the reading side of a store, as story/store implements it.
type Source interface {
	story.Reader
	// Stored visits what was stored after a number, in that order.
	Stored(after uint64, do func(n uint64, t story.Turn, a story.Alternative) error) error
	LastStored() (uint64, error)
	// Life changes when what was derived from the store is stale.
	Life() (string, error)
}

// Query says what is looked for. All that is given has to hold.
type Query struct {
	// Text is words that occur, in any order, as words or parts of words; what
	// stands between double quotes occurs as it is. Case and width do not count.
	Text    string
	Speaker string // persona, or Player
	Node    string // where the turn ended
	Engine  string // name or kind of who answered
	Finding string // code of a finding about the reply
	// State has to hold after the turn. With OnlyVars it asks for nothing but
	// variables, which is answered from the index; else every candidate is read.
	State    func(plot.State) bool
	OnlyVars bool
	Limit    int // of hits, 0 = all
}

// Player is the speaker of what the player said.
const Player = "player"

// Hit is a text that was found.
type Hit struct {
	story.Hit
	Speaker string `json:"speaker"`
}

// Result is what a query found, newest first. Of counts what may fit besides:
// with a limit not every candidate is looked at.
type Result struct {
	Hits []Hit
	Of   int
}

// Index answers queries. Safe for concurrent use.
type Index struct {
	mu   sync.RWMutex
	file string // where it is kept; empty = nowhere
	life string
	last uint64 // the number stored last that is in it
	segs []*segment
	kept int // of segs, those that are in the file
}

// Open reads the index that is kept in a file. One that is missing, cut short or
// of another version is an empty one.
func Open(file string) *Index {
	x := &Index{file: file}
	if s, head, err := load(file); err == nil {
		x.life, x.last, x.segs, x.kept = head.Life, head.Last, []*segment{s}, 1
	}
	return x
}

// Close gives the index's file back.
func (x *Index) Close() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.drop()
}

func (x *Index) drop() error {
	var errs []error
	for _, s := range x.segs {
		errs = append(errs, s.close())
	}
	x.segs, x.last, x.kept = nil, 0, 0
	return errors.Join(errs...)
}

// Docs counts the texts in the index.
func (x *Index) Docs() int {
	x.mu.RLock()
	defer x.mu.RUnlock()
	n := 0
	for _, s := range x.segs {
		n += s.docs()
	}
	return n
}

const (
	segmentDocs = 1 << 16 // texts of one segment while an index is made
	mostSegs    = 6       // more are merged
	saveDocs    = 4096    // new texts that are worth writing the file again
)

// Refresh takes up what was stored since. report may be nil; it is told how many
// of how many.
func (x *Index) Refresh(r Source, report func(done, of int)) error {
	x.mu.Lock()
	defer x.mu.Unlock()
	life, err := r.Life()
	if err != nil {
		return err
	}
	last, err := r.LastStored()
	if err != nil {
		return err
	}
	if life != x.life || last < x.last || life == "" {
		if err := x.drop(); err != nil {
			return err
		}
		x.life = life
	}
	b := newBuilder()
	first := x.last
	take := func(n uint64, t story.Turn, a story.Alternative) error {
		b.add(t, a)
		if x.last = n; b.docs() >= segmentDocs {
			x.segs = append(x.segs, b.segment())
			b = newBuilder()
		}
		if report != nil && n%256 == 0 {
			report(int(n-first), int(last-first))
		}
		return nil
	}
	if err = r.Stored(x.last, take); err == nil && life == "" && last == 0 { // a store of an older schema
		err = r.Walk(func(t story.Turn, all []story.Alternative) error {
			for _, a := range all {
				_ = take(0, t, a)
			}
			return nil
		})
	}
	if b.docs() > 0 {
		x.segs = append(x.segs, b.segment())
	}
	if len(x.segs) > mostSegs {
		err = errors.Join(err, x.merge())
	}
	return err
}

// merge makes one segment of all.
func (x *Index) merge() error {
	one, err := merged(x.segs)
	if err != nil {
		return err
	}
	for _, s := range x.segs {
		err = errors.Join(err, s.close())
	}
	x.segs, x.kept = []*segment{one}, 0
	return err
}

// Save writes the index to its file when enough is new in it to be worth that.
func (x *Index) Save() error {
	x.mu.Lock()
	defer x.mu.Unlock()
	fresh := 0
	for _, s := range x.segs[x.kept:] {
		fresh += s.docs()
	}
	if x.file == "" || fresh < saveDocs && (fresh == 0 || x.kept > 0) || x.life == "" {
		return nil
	}
	if len(x.segs) > 1 {
		if err := x.merge(); err != nil {
			return err
		}
	}
	head := header{Life: x.life, Last: x.last}
	if err := x.segs[0].write(x.file, head); err != nil {
		return fmt.Errorf("keep the index: %w", err)
	}
	x.kept = 1
	if s, _, err := load(x.file); err == nil { // its texts need not stay in memory
		err = x.segs[0].close()
		x.segs[0] = s
		return err
	}
	return nil
}

// Known lists what texts in the index are known by, sorted: who spoke, where, which
// engines replied and what was found.
type Known struct{ Speakers, Nodes, Engines, Findings []string }

// Known gives the values by which Find can filter.
func (x *Index) Known() Known {
	x.mu.RLock()
	defer x.mu.RUnlock()
	all := func(sort string) []string {
		var out []string
		for _, s := range x.segs {
			from, to := s.sorted(sort)
			for i := from; i < to; i++ {
				out = append(out, s.term(i)[len(sort):])
			}
		}
		slices.Sort(out)
		return slices.Compact(out)
	}
	return Known{all(speakerTerm), all(nodeTerm), all(engineTerm), all(findingTerm)}
}

// Find answers a query, with what was taken up so far.
func (x *Index) Find(r story.Reader, q Query) (Result, error) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	where, err := newPlaces(r)
	if err != nil {
		return Result{}, err
	}
	want := parse(q.Text)
	res := Result{Hits: []Hit{}}
	seen := map[string]bool{}
	for _, s := range slices.Backward(x.segs) {
		set := s.candidates(want, q)
		res.Of += set.count()
		err := set.downward(func(doc int) (bool, error) {
			if q.Limit > 0 && len(res.Hits) >= q.Limit {
				return false, nil
			}
			e, err := s.entry(doc)
			if err != nil {
				return false, err
			}
			if !want.in(e.text) || !x.holds(r, q, e) {
				return true, nil
			}
			branch, err := where.of(e)
			if err != nil {
				return false, err
			}
			if key := e.alternative + "\x00" + e.text; branch == "" || seen[key] {
				return true, nil
			} else {
				seen[key] = true
			}
			res.Hits = append(res.Hits, Hit{story.Hit{Branch: branch, Turn: story.ID(e.turn), Alternative: story.ID(e.alternative), Depth: e.depth, Text: e.text}, e.speaker})
			return true, nil
		})
		if err != nil {
			return res, err
		}
	}
	if q.Limit == 0 || len(res.Hits) < q.Limit {
		res.Of = len(res.Hits)
	}
	return res, nil
}

// holds asks the state of a candidate where the index cannot tell.
func (x *Index) holds(r story.Reader, q Query, e entry) bool {
	if q.State == nil || q.OnlyVars {
		return true
	}
	a, err := r.Alternative(story.ID(e.alternative))
	return err == nil && q.State(a.State)
}

// places says which branch leads to a text, best the one it was said on.
type places struct {
	reader story.Reader
	shown  map[story.ID]bool
	under  map[story.ID][]story.Branch        // playthrough → its branches
	turns  map[story.ID]map[story.ID]story.ID // playthrough → turn → a branch through it
}

func newPlaces(r story.Reader) (*places, error) {
	all, err := r.Branches()
	p := &places{reader: r, shown: map[story.ID]bool{}, under: map[story.ID][]story.Branch{}, turns: map[story.ID]map[story.ID]story.ID{}}
	for _, b := range all {
		p.shown[b.ID] = true
		p.under[b.Playthrough] = append(p.under[b.Playthrough], b)
	}
	return p, err
}

// of gives a branch to open for a text; empty where all that led to it are
// deleted.
func (p *places) of(e entry) (story.ID, error) {
	if p.shown[story.ID(e.branch)] {
		return story.ID(e.branch), nil
	}
	through, err := p.through(story.ID(e.playthrough))
	return through[story.ID(e.turn)], err
}

// through gives the turns that branches of a playthrough lead through.
func (p *places) through(playthrough story.ID) (map[story.ID]story.ID, error) {
	if turns, ok := p.turns[playthrough]; ok {
		return turns, nil
	}
	turns := map[story.ID]story.ID{}
	for _, b := range p.under[playthrough] {
		path, err := p.reader.Path(b.Leaf)
		if err != nil {
			return nil, err
		}
		for _, s := range path {
			if _, ok := turns[s.Turn.ID]; !ok {
				turns[s.Turn.ID] = b.ID
			}
		}
	}
	p.turns[playthrough] = turns
	return turns, nil
}
