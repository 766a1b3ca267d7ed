package worker

import (
	"errors"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"fabula/engine"
)

// scheduler has several jobs share one backend (continuous batching, Yu et al.
// 2022, "Orca"). A job runs on a goroutine of its own and asks for tokens to be
// appended to its sequence. Once every job has asked, the last one to do so runs
// a pass for as many of them as fit; so a job that is alone never waits for
// another goroutine, and nobody waits for company that has not come yet.
//
// Plans are made by plan; how much Background work may stand beside Chat is
// measured by pace.
type scheduler struct {
	backend Backend
	facts   Facts
	steps   *atomic.Uint64 // passes run, for the parent's watch

	mu       sync.Mutex
	changed  *sync.Cond
	cache    *cache
	pace     pace
	seats    []*seat // jobs that are not over, in order of arrival
	thinking int     // those of them that have not asked
	passes   int     // begun
	now      []*seat // in the pass that runs
	aborted  bool    // the backend was told to
	ended    bool
}

// seat is the place of one job. Its methods are the job's own.
type seat struct {
	*scheduler
	job *job

	seq  int     // of the backend, -1 = none
	lent []int32 // what its sequence held when a chat took it
	ask  *ask    // what it waits for, nil while it thinks
	last int     // pass that it took part in last

	// apart: between its asks the others go on. Its scores are copies.
	apart    bool
	computed int // tokens run through the model
	since    time.Time
	figures  share
}

// ask is what a job waits for: ids to be appended, and Run's Want and Best. Long
// ones are appended in several passes.
type ask struct {
	ids    []int32
	prompt bool // the ids are a whole prompt, to be brought into a sequence
	want   int
	best   int
	begun  func() // called once, when a pass is under way or the ask is over; must not block; nil = nobody cares

	scores []Scores
	over   bool
	err    error
}

// share tells how a job shared the backend.
type share struct {
	held    time.Duration // only others were in the pass
	passes  int           // that decoded single tokens
	company int           // jobs in these passes, summed
}

func newScheduler(b Backend, steps *atomic.Uint64) *scheduler {
	s := &scheduler{backend: b, facts: b.Facts(), steps: steps, cache: newCache(b)}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// join seats a job. A chat ends warm-ups: what they computed so far stays.
func (s *scheduler) join(j *job) *seat {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !j.warm && j.priority() == engine.Chat {
		for _, t := range s.seats {
			if t.job.warm {
				t.job.cancelled.Store(true)
			}
		}
		s.abort()
	}
	if s.ended {
		j.cancelled.Store(true)
	}
	t := &seat{scheduler: s, job: j, seq: -1, apart: j.score != nil}
	s.seats = append(s.seats, t)
	t.think(1)
	return t
}

// cancel stops what runs for a job.
func (s *scheduler) cancel(j *job) {
	s.mu.Lock()
	defer s.mu.Unlock()
	j.cancelled.Store(true)
	s.abort()
}

// abort stops the pass that runs when nobody wants it any more. Others are not
// hurt: a pass that they share ends by itself within a chunk.
func (s *scheduler) abort() {
	if len(s.now) > 0 && !slices.ContainsFunc(s.now, func(t *seat) bool { return !t.job.cancelled.Load() }) {
		s.aborted = true
		s.backend.Abort(true)
	}
}

// end cancels every job.
func (s *scheduler) end() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = true
	for _, t := range s.seats {
		t.job.cancelled.Store(true)
	}
	s.abort()
	s.changed.Broadcast()
}

// prefill brings a prompt into a sequence, as much as possible from the cache,
// and gives the scores after each of its last want ids.
func (t *seat) prefill(ids []int32, want, best int) ([]Scores, error) {
	t.leave()
	a := &ask{ids: ids, prompt: true, want: want, best: best}
	err := t.wait(a)
	return a.scores, err
}

// decode appends ids and gives the scores after each of the last want. They stay
// valid until the next call, and may be overwritten. begun may be nil; what it starts
// runs while the model does.
func (t *seat) decode(ids []int32, want, best int, begun func()) ([]Scores, error) {
	a := &ask{ids: ids, want: want, best: best, begun: begun}
	err := t.wait(a)
	return a.scores, err
}

// cut keeps the first n tokens of the sequence and says how many it now holds.
func (t *seat) cut(n int) int {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.now != nil { // of those that are apart only
		t.changed.Wait()
	}
	if t.seq < 0 {
		return 0
	}
	return t.cache.cut(t.seq, n)
}

// leave gives the sequence back; what it holds stays for others.
func (t *seat) leave() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
}

func (t *seat) release() {
	if t.seq >= 0 {
		t.cache.leave(t.seq)
	}
	t.seq, t.lent = -1, nil
}

// shared tells when the job got its first sequence, and how it shared since.
func (t *seat) shared() (time.Time, share) {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.since, t.figures
}

// rise ends the job's part.
func (t *seat) rise() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.release()
	t.think(-1)
	t.seats = slices.DeleteFunc(t.seats, func(o *seat) bool { return o == t })
	t.changed.Broadcast()
}

// wait asks and comes back with the answer. Whoever finds that nobody thinks any
// more runs the next pass.
func (t *seat) wait(a *ask) error {
	s := t.scheduler
	s.mu.Lock()
	defer s.mu.Unlock()
	t.ask = a
	t.think(-1)
	for !a.over {
		if s.thinking > 0 || s.now != nil || !s.pass() {
			s.changed.Wait()
		}
	}
	return a.err
}

// The functions below run with mu held.

// begun gives what to call once a pass is under way: also for those that it passes
// over, who may wait long.
func (s *scheduler) begun() func() {
	var all []func()
	for _, t := range s.seats {
		if t.ask != nil && t.ask.begun != nil {
			all = append(all, t.ask.begun)
			t.ask.begun = nil
		}
	}
	return func() {
		for _, f := range all {
			f()
		}
		all = nil
	}
}

// think counts a job among those that the others wait for.
func (t *seat) think(n int) {
	if !t.apart {
		t.thinking += n
	}
}

// answer ends an ask; its job thinks again.
func (s *scheduler) answer(t *seat, err error) {
	if t.apart {
		t.ask.scores = cloned(t.ask.scores)
	}
	if t.ask.begun != nil {
		t.ask.begun()
	}
	t.ask.err, t.ask.over = err, true
	t.ask = nil
	t.think(1)
}

// pass runs one pass and answers whom it satisfied; false when there was nothing
// to do. It lets go of mu meanwhile.
func (s *scheduler) pass() bool {
	if s.dismiss() {
		s.changed.Broadcast()
		return true
	}
	turns := s.plan()
	if len(turns) == 0 {
		return s.stuck()
	}
	defer s.changed.Broadcast()
	s.passes++
	runs := make([]Run, len(turns))
	for i, u := range turns {
		runs[i] = u.run()
		s.now = append(s.now, u.seat)
	}
	if s.aborted {
		s.aborted = false
		s.backend.Abort(false)
	}
	begun := s.begun()
	start := time.Now()
	s.mu.Unlock()
	results := s.decode(runs, begun)
	begun() // nothing was queued
	s.mu.Lock()
	s.steps.Add(1)
	took := time.Since(start)
	s.now = nil
	s.pace.note(turns, took)
	s.account(turns, took)
	for i, u := range turns {
		s.settle(u, results[i])
	}
	return true
}

// dismiss answers those that were cancelled; true when there were some.
func (s *scheduler) dismiss() bool {
	some := false
	for _, t := range s.seats {
		if t.ask != nil && t.job.cancelled.Load() {
			s.answer(t, ErrAborted)
			some = true
		}
	}
	return some
}

// stuck sorts out a plan without turns: whoever was admitted found all that was
// wanted, or everybody waits for one that is apart. Else nothing would ever run.
func (s *scheduler) stuck() bool {
	if s.thinking == 0 {
		if slices.ContainsFunc(s.seats, func(t *seat) bool { return t.ask == nil }) {
			return false
		}
		for _, t := range s.seats {
			s.answer(t, errors.New("worker: no request that waits can run"))
		}
	}
	s.changed.Broadcast()
	return true
}

// result is what one run of a pass gave.
type result struct {
	scores []Scores
	err    error
}

// decode runs a pass. When that fails every run is tried alone, so that one that
// the backend cannot do does not end the others.
func (s *scheduler) decode(runs []Run, begun func()) []result {
	results := make([]result, len(runs))
	scores, err := s.cache.decode(runs, begun)
	if err == nil || len(runs) == 1 || errors.Is(err, ErrAborted) {
		for i, r := range runs {
			results[i].err = err
			if err == nil {
				results[i].scores, scores = scores[:r.Want], scores[r.Want:]
			}
		}
		return results
	}
	for i, r := range runs {
		scores, results[i].err = s.cache.decode([]Run{r}, begun)
		results[i].scores = cloned(scores)
	}
	return results
}

// settle takes what a run gave.
func (s *scheduler) settle(u turn, r result) {
	a := u.seat.ask
	switch {
	case r.err == nil:
	case errors.Is(r.err, ErrAborted) && !u.seat.job.cancelled.Load():
		return // asks again
	default:
		s.answer(u.seat, r.err)
		return
	}
	u.seat.computed += u.n
	if u.n == len(a.ids) {
		a.scores = append(a.scores, r.scores...)
		s.answer(u.seat, nil)
		return
	}
	a.ids, a.want = a.ids[u.n:], a.want-len(r.scores)
	a.scores = append(a.scores, cloned(r.scores)...) // the next pass overwrites them
}

// account notes how the jobs shared a pass.
func (s *scheduler) account(turns []turn, took time.Duration) {
	for _, u := range turns {
		u.seat.last = s.passes
		if u.step() {
			u.seat.figures.passes++
			u.seat.figures.company += len(turns)
		}
	}
	for _, t := range s.seats {
		if t.last != s.passes && t.ask != nil && !t.since.IsZero() {
			t.figures.held += took
		}
	}
}

func cloned(list []Scores) []Scores {
	out := slices.Clone(list)
	for i := range out {
		out[i].Logits, out[i].IDs = slices.Clone(out[i].Logits), slices.Clone(out[i].IDs)
	}
	return out
}
