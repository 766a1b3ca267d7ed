package story

import (
	"context"
	"errors"
	"io"
	"iter"
	"log/slog"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/grounded"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Engines gives what can answer, best first. A rung is made ready when it is
// asked for: who stops at the first one costs no other. Implemented by
// engine/catalog.
type Engines interface {
	Rungs(engine.Ask) iter.Seq[engine.Rung]
}

// Config is what a session needs. Script is required. Without a Store the
// session only reads (from Reader, if there is one): it can preview prompts.
type Config struct {
	Script   *plot.Script
	Reload   func() (*plot.Script, error) // the script as the files are now; nil = never changes
	Store    Store
	Reader   Reader // used when Store is nil
	Engines  Engines
	Language string           // what NPCs speak in new playthroughs; empty = the script's first
	Now      func() time.Time // nil = time.Now
	Log      *slog.Logger     // nil = discard
}

// Session plays one world: it takes turns and moves branches. Safe for
// concurrent use; one reply at a time is in flight on a branch, and reads
// never wait for it.
type Session struct {
	store   Store
	reader  Reader
	engines Engines
	lang    string
	now     func() time.Time
	log     *slog.Logger
	reload  func() (*plot.Script, error)

	loading  sync.Mutex // one reload at a time
	noting   sync.Mutex // one change of the journal at a time
	mu       sync.Mutex
	script   *plot.Script
	stale    error // why the files on disk are not what is played
	ordinals map[string]Version
	busy     map[ID]*Running // branches and turns; nil while a change is stored
	named    map[string]bool // branch names that were made up
	closed   bool
	wait     sync.WaitGroup
	cache    pathCache
	guarded  *plot.Script // whose guards are compiled
	guards   map[string]guards
	mind     mind
	digest   digest
	edits    edits
	work     context.Context // of what is done in the background; ends with the session
	stopWork context.CancelFunc
	ids      *idSource
	approved approvals
	owing    sync.Mutex // one goes through owed at a time
	owed     []unstored // what could not be stored yet, oldest first
	touched  time.Time  // of the branch that was used last
	chooser  *grounded.Chooser
}

// Start says how a playthrough begins.
type Start struct {
	Node     string            // empty = the script's start; another one is marked forced
	Set      map[string]string // variable → value, checked against its domain
	Language string            // what NPCs speak; empty = the session's
	Name     string            // of the branch; empty = one is made from the node
	Sandbox  bool              // outside the plot: no beats, no exits
	Memory   []plot.Given      // what NPCs remember from before
	Tags     []string          // of the branch
}

// Options are the knobs of one reply.
type Options struct {
	Seed     *uint64          // nil: one is drawn and stored
	Sampling *engine.Sampling // nil: the persona's over the world's over the default
	Top      int              // likely tokens kept per step, 0..20
	Engine   string           // the one engine that may answer; empty = the ladder decides
	// Engines asks for one alternative of each, at once and from one seed, to be
	// compared; nothing stands in for one that fails. It outranks Engine and Count.
	Engines []string
	Mode    Mode // whether a model speaks freely; empty = as its size allows
	// Without leaves segments out of the prompt, to see what they do. The reply
	// keeps the list, so that a replay does the same.
	Without []prompt.Part
	// Count asks for this many alternatives at once, 0 or 1 to MostAlternatives,
	// each with a seed of its own. The Running that is returned is the first's;
	// see Running.Beside.
	Count int
}

// New opens a session. Turns that a dead program left unfinished become
// interrupted alternatives, or are marked failed where no text came.
func New(c Config) (*Session, error) {
	s := &Session{script: c.Script, store: c.Store, reader: c.Reader, engines: c.Engines,
		lang: c.Language, now: c.Now, log: c.Log, reload: c.Reload,
		busy: map[ID]*Running{}, named: map[string]bool{}, chooser: grounded.New(), ordinals: map[string]Version{}, ids: newIDs("")}
	s.defaults(c)
	s.work, s.stopWork = context.WithCancel(context.Background())
	if s.store == nil {
		return s, nil
	}
	newest, err := s.store.Newest()
	if err != nil {
		return nil, err
	}
	s.ids = newIDs(newest)
	if err := s.lastTouch(); err != nil {
		return nil, err
	}
	if err := s.number(c.Script); err != nil {
		return nil, err
	}
	return s, s.recover()
}

func (s *Session) defaults(c Config) {
	if c.Store != nil {
		s.reader = c.Store
	}
	if s.now == nil {
		s.now = time.Now
	}
	if s.log == nil {
		s.log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	if s.lang == "" && len(c.Script.Languages) > 0 {
		s.lang = c.Script.Languages[0]
	}
}

// Script gives the script that the next turn plays.
func (s *Session) Script() *plot.Script {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.script
}

// Stale says why an edit of the world's files is not played: they do not
// load. The last good script stays in use. Nil when all is well.
func (s *Session) Stale() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.stale
}

// Reader gives the reading side of the store; nil without one.
func (s *Session) Reader() Reader { return s.reader }

// Running gives the turn in flight on a branch, nil if there is none.
func (s *Session) Running(branch ID) *Running {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.busy[branch]
}

// Close stops replies in flight, waits until what came is stored, and closes
// the store.
func (s *Session) Close() error {
	s.mu.Lock()
	s.closed = true
	for _, r := range s.busy {
		if r != nil {
			r.CancelAll()
		}
	}
	s.mu.Unlock()
	s.stopWork()
	s.wait.Wait()
	if s.store == nil {
		return nil
	}
	return errors.Join(s.StoreOwed(), s.store.Close())
}

// Reload takes up an edit of the world's files now; without it the next turn
// does. The error says why they do not load: the last good script stays in use.
func (s *Session) Reload() error {
	s.refresh()
	return s.Stale()
}

// refresh takes up an edit of the world's files and returns the script to
// play. Files that do not load leave the last good script in use.
func (s *Session) refresh() *plot.Script {
	if s.reload == nil {
		return s.Script()
	}
	s.loading.Lock()
	defer s.loading.Unlock()
	script, err := s.reload()
	if err == nil && s.store != nil {
		err = s.number(script)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stale = err
	if err != nil {
		s.log.Warn("world not reloaded", "error", err)
		return s.script
	}
	s.script = script
	return script
}

// number gives every persona's wording its ordinal, so that a turn needs no
// transaction for it.
func (s *Session) number(script *plot.Script) error {
	for _, p := range script.Personas {
		s.mu.Lock()
		known := s.ordinals[p.ID].Hash == p.Hash && p.Hash != ""
		s.mu.Unlock()
		if known {
			continue
		}
		n, err := s.store.Ordinal(p.ID, p.Hash)
		if err != nil {
			return err
		}
		s.mu.Lock()
		s.ordinals[p.ID] = Version{Ordinal: n, Hash: p.Hash}
		s.mu.Unlock()
	}
	return nil
}

func (s *Session) version(persona string) Version {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ordinals[persona]
}
