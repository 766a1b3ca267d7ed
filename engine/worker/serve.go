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

// waiting bounds the requests that run and wait.
const waiting = 1024

// Serve is the child's end: it answers frames from in on out until in ends,
// which is how the parent's death or Close looks. A reply that runs then is
// aborted.
func Serve(in io.Reader, out io.Writer, open Open) error {
	s := &server{out: newFrameWriter(out), open: open, over: make(chan struct{}), early: map[uint64]bool{}, jobs: map[uint64]*job{}}
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
// every job has a goroutine of its own, and they take turns at the backend by
// the scheduler.
type server struct {
	out   *frameWriter
	open  Open
	steps atomic.Uint64
	group sync.WaitGroup // what uses the backend
	alive sync.WaitGroup // what loads and closes it

	mu      sync.Mutex
	loading bool
	ended   bool
	over    chan struct{} // closed by stop
	backend Backend       // set once loaded
	prompts *prompter
	desk    *scheduler
	early   map[uint64]bool // that are being prepared; true: and are called off
	jobs    map[uint64]*job // prepared, waiting or running
	endings []int32         // tokens that end a turn, once they were looked for
	seated  int             // jobs that were ordered and are not over
	spans   spanning
}

// job is one request.
type job struct {
	id        uint64
	request   engine.Request
	prompt    prompt
	score     *scoring // texts to score instead of a reply
	warm      bool     // the prompt only, to be kept in the cache
	born      time.Time
	cancelled atomic.Bool
}

func (j *job) priority() engine.Priority {
	if j.score != nil {
		return j.score.Priority
	}
	return j.request.Priority
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
		s.expect(f.ID)
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

// stop cancels every job and waits until everything is over.
func (s *server) stop() {
	s.mu.Lock()
	s.ended = true
	close(s.over)
	if s.desk != nil {
		s.desk.end()
	}
	s.mu.Unlock()
	s.alive.Wait()
	s.group.Wait()
}

// load opens the model, once.
func (s *server) load(l Load) {
	s.mu.Lock()
	again := s.loading
	s.loading = true
	s.mu.Unlock()
	if again {
		s.fail(0, errors.New("worker: a model is loaded already"))
		return
	}
	s.alive.Go(func() { s.hold(l) })
}

// hold opens the model and closes it once the server stops.
func (s *server) hold(l Load) {
	b, err := s.open(l, func(p float64) { s.send(frame{Kind: kindProgress, Progress: p}) })
	if err != nil {
		s.fail(0, err)
		return
	}
	defer b.Close()
	defer s.group.Wait()
	p, err := newPrompter(b)
	if err != nil {
		s.fail(0, err)
		return
	}
	s.mu.Lock()
	s.backend, s.prompts, s.desk = b, p, newScheduler(b, &s.steps)
	s.mu.Unlock()
	facts := b.Facts()
	s.send(frame{Kind: kindReady, Facts: &facts})
	<-s.over
}

// start plays a job beside the others.
func (s *server) start(j *job) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.ended:
		return nil
	case s.desk == nil:
		return errNoModel
	case s.seated == waiting:
		return fmt.Errorf("worker: %d requests are waiting already", waiting)
	}
	s.jobs[j.id] = j
	s.seated++
	t := s.desk.join(j)
	s.group.Go(func() {
		d := s.play(t)
		t.rise()
		s.end(j)
		s.send(frame{Kind: kindDone, ID: j.id, Done: &d})
	})
	return nil
}

// play plays a job to its end.
func (s *server) play(t *seat) done {
	switch {
	case t.job.warm:
		return s.warm(t)
	case t.job.score != nil:
		return s.score(t)
	}
	return s.reply(t)
}

func (s *server) end(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seated--
	delete(s.jobs, j.id)
}

var errNoModel = fmt.Errorf("worker: %w: no model is loaded", engine.ErrUnavailable)

func (s *server) loaded() (*prompter, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.prompts == nil {
		return nil, errNoModel
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
		j = nil
	}
	switch wanted := s.keep(f.ID, j); {
	case err != nil:
		s.fail(f.ID, err)
	case wanted:
		s.send(frame{Kind: kindPrepared, ID: f.ID})
	}
}

// expect notes a request that is being prepared, so that it can be called off
// before it is.
func (s *server) expect(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.early[id] = false
}

// keep keeps a prepared request until it is run or called off; nil = it was
// refused. It reports whether it is kept.
func (s *server) keep(id uint64, j *job) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	off := s.early[id]
	delete(s.early, id)
	if off || j == nil {
		return false
	}
	s.jobs[id] = j
	return true
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
	return &job{id: f.ID, request: r, prompt: t, warm: f.Warm}, p.fit(t, r)
}

// run queues a prepared request, or one that comes along because the child that
// prepared it died.
func (s *server) run(f frame) {
	s.mu.Lock()
	j := s.jobs[f.ID]
	s.mu.Unlock()
	if j == nil && (f.Request != nil || f.Score != nil) {
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
	s.mu.Unlock()
	if err := s.start(j); err != nil {
		s.fail(f.ID, err)
	}
}

// cancel stops a job wherever it is; one that only was prepared, or is just
// being, is forgotten.
func (s *server) cancel(id uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j := s.jobs[id]
	switch {
	case j == nil:
		if _, preparing := s.early[id]; preparing {
			s.early[id] = true
		}
	case j.born.IsZero():
		delete(s.jobs, id)
	default:
		s.desk.cancel(j)
	}
}
