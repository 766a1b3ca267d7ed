package worker

import (
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"fabula/engine"
)

// waiting bounds the replies that are ordered but not yet running. The client
// orders one at a time.
const waiting = 16

// Serve is the child's end: it answers frames from in on out until in ends,
// which is how the parent's death or Close looks. A reply that runs then is
// aborted.
func Serve(in io.Reader, out io.Writer, open Open) error {
	s := &server{out: newFrameWriter(out), open: open, jobs: map[uint64]*job{}, runs: make(chan *job, waiting)}
	defer s.stop()
	for r := newFrameReader(in); ; {
		f, err := r.read()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return fmt.Errorf("worker: %w", err)
		}
		s.handle(f)
	}
}

// server is the state of a child. Its reading goroutine answers what is quick;
// one runner goroutine owns the backend.
type server struct {
	out   *frameWriter
	open  Open
	steps atomic.Uint64
	group sync.WaitGroup

	mu      sync.Mutex
	loading bool
	ended   bool
	backend Backend // set once loaded
	prompts *prompter
	jobs    map[uint64]*job // prepared, queued or running
	running *job
	runs    chan *job
	endings []int32 // tokens that end a turn; the runner's
}

// job is one reply that was asked for.
type job struct {
	id        uint64
	request   engine.Request
	prompt    prompt
	score     *scoring // texts to score instead of a reply
	born      time.Time
	cancelled atomic.Bool
}

// send writes a frame. A broken pipe means that the parent is gone; reading
// finds that out as well and ends the child.
func (s *server) send(f frame) { _ = s.out.write(f) }

func (s *server) fail(id uint64, err error) {
	s.send(frame{Kind: kindFailed, ID: id, Failure: newFailure(err)})
}

func (s *server) handle(f frame) {
	switch f.Kind {
	case kindLoad:
		s.load(*f.Load)
	case kindCount:
		s.group.Go(func() { s.count(f.ID, f.Messages) })
	case kindPrepare:
		s.group.Go(func() { s.prepare(f) })
	case kindRun:
		s.run(f)
	case kindCancel:
		s.cancel(f.ID)
	case kindPing:
		s.send(frame{Kind: kindPong, Steps: s.steps.Load()})
	default:
		s.fail(f.ID, fmt.Errorf("worker: frame of kind %d is not for the child", f.Kind))
	}
}

// stop ends the runner and waits until everything is over.
func (s *server) stop() {
	s.mu.Lock()
	s.ended = true
	if s.running != nil {
		s.running.cancelled.Store(true)
	}
	if s.backend != nil {
		s.backend.Abort(true)
	}
	close(s.runs)
	s.mu.Unlock()
	s.group.Wait()
}

// load starts the runner, once.
func (s *server) load(l Load) {
	s.mu.Lock()
	again := s.loading
	s.loading = true
	s.mu.Unlock()
	if again {
		s.fail(0, errors.New("worker: a model is loaded already"))
		return
	}
	s.group.Go(func() { s.serve(l) })
}

// serve opens the model and plays the jobs one after the other.
func (s *server) serve(l Load) {
	b, err := s.open(l, func(p float64) { s.send(frame{Kind: kindProgress, Progress: p}) })
	if err != nil {
		s.fail(0, err)
		return
	}
	defer b.Close()
	p, err := newPrompter(b)
	if err != nil {
		s.fail(0, err)
		return
	}
	s.mu.Lock()
	s.backend, s.prompts = b, p
	s.mu.Unlock()
	facts := b.Facts()
	s.send(frame{Kind: kindReady, Facts: &facts})
	c := newCache(b)
	for j := range s.runs {
		if s.begin(j) {
			d := s.play(c, j)
			s.end(j)
			s.send(frame{Kind: kindDone, ID: j.id, Done: &d})
		}
	}
}

// play plays one job to its end.
func (s *server) play(c *cache, j *job) done {
	if j.score != nil {
		return s.score(c, j)
	}
	return s.reply(c, j)
}

// begin makes j the running job; cancelling it from now on aborts the backend.
func (s *server) begin(j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended {
		return false
	}
	s.backend.Abort(false)
	s.running = j
	return true
}

func (s *server) end(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.running = nil
	delete(s.jobs, j.id)
}

func (s *server) loaded() (*prompter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prompts == nil {
		return nil, fmt.Errorf("worker: %w: no model is loaded", engine.ErrUnavailable)
	}
	return s.prompts, nil
}

func (s *server) count(id uint64, messages []engine.Message) {
	p, err := s.loaded()
	if err != nil {
		s.fail(id, err)
		return
	}
	t, err := p.tokens(messages)
	if err != nil {
		s.fail(id, err)
		return
	}
	s.send(frame{Kind: kindCounted, ID: id, Count: &t.count})
}

// prepare tokenises a request and refuses it when it cannot run.
func (s *server) prepare(f frame) {
	j, err := s.job(f)
	if err != nil {
		s.fail(f.ID, err)
		return
	}
	s.mu.Lock()
	s.jobs[f.ID] = j
	s.mu.Unlock()
	s.send(frame{Kind: kindPrepared, ID: f.ID})
}

func (s *server) job(f frame) (*job, error) {
	p, err := s.loaded()
	if err != nil {
		return nil, err
	}
	if f.Score != nil {
		t, x, err := p.scoring(*f.Score)
		return &job{id: f.ID, prompt: t, score: x}, err
	}
	r := *f.Request
	t, err := p.tokens(r.Messages)
	if err != nil {
		return nil, err
	}
	if err := p.begin(r.Begin); err != nil {
		return nil, err
	}
	return &job{id: f.ID, request: r, prompt: t}, p.fit(t, r)
}

// run queues a prepared request, or one that comes along because the child that
// prepared it died.
func (s *server) run(f frame) {
	s.mu.Lock()
	j := s.jobs[f.ID]
	s.mu.Unlock()
	if j == nil && f.Request != nil {
		var err error
		if j, err = s.job(f); err != nil {
			s.fail(f.ID, err)
			return
		}
	}
	if j == nil {
		s.fail(f.ID, errors.New("worker: run of a request that was not prepared"))
		return
	}
	s.mu.Lock()
	j.born = time.Now().Add(-f.Waited)
	s.jobs[f.ID] = j
	s.mu.Unlock()
	select {
	case s.runs <- j:
	default:
		s.fail(f.ID, fmt.Errorf("worker: %d replies are waiting already", waiting))
	}
}

// cancel stops a job wherever it is; one that only was prepared is forgotten.
func (s *server) cancel(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[id]
	if j == nil {
		return
	}
	j.cancelled.Store(true)
	if s.running == j {
		s.backend.Abort(true)
	} else if j.born.IsZero() {
		delete(s.jobs, id)
	}
}
