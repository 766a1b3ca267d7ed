package worker

import (
	"errors"
	"math"
	"slices"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/chat"
	"fabula/engine/closed"
	"fabula/engine/sampling"
)

// loopDetail is engine.Done.Detail of a reply that repeated itself.
const loopDetail = "loop"

// reply plays one job and says how it ended.
func (s *server) reply(t *seat) done {
	r := &reply{server: s, seat: t, job: t.job}
	r.stats.PromptTokens, r.stats.ControlTokens = len(r.job.prompt.ids)+len(r.job.request.Begin), r.job.prompt.count.Control
	d := r.play()
	r.shared()
	d.Stats = r.stats
	return d
}

// reply is the state of a job that produces text.
type reply struct {
	*server
	seat  *seat
	job   *job
	stats engine.Stats

	sampler  *sampling.Sampler
	loop     sampling.Loop
	assemble chat.Assembler
	hold     *chat.Holder
	closed   *closed.Automaton // nil: nothing is restricted
	at       int               // its state
	untold   func()            // sends the token that was chosen last; nil = it was sent
	telling  sync.WaitGroup    // the token that is being sent while the next is computed
}

// now is the time since the request was sent, as tokens are stamped.
func (r *reply) now() time.Duration { return time.Since(r.job.born) }

// shared notes how the job shared the backend.
func (r *reply) shared() {
	since, f := r.seat.shared()
	if since.IsZero() { // it never came to its turn
		r.stats.Queue = r.now()
		return
	}
	r.stats.Queue, r.stats.Held = since.Sub(r.job.born), f.held
	if f.passes > 0 {
		r.stats.Company = float64(f.company) / float64(f.passes)
	}
}

func (r *reply) play() done {
	defer r.rest()
	req := r.job.request
	r.closed = r.spans.of(req.Spans, r.backend)
	r.sampler = sampling.New(r.banned(req.Sampling), req.Seed)
	r.sampler.Report(req.Top)
	r.hold = chat.NewHolder(req.Stop)
	scores, err := r.prefill()
	if err != nil {
		return r.broken(err)
	}
	room := r.facts().Context - len(r.job.prompt.ids)
	if req.Sampling.MaxTokens > 0 {
		room = min(room, req.Sampling.MaxTokens)
	}
	if d := r.given(); d != nil {
		return *d
	}
	for {
		if len(req.Begin)+r.stats.Tokens >= room {
			return r.whole(engine.Length, "")
		}
		id, d := r.token(scores[0])
		if d != nil {
			return *d
		}
		if len(req.Begin)+r.stats.Tokens == room {
			return r.whole(engine.Length, "")
		}
		// Nothing is computed on trial: whether the reply ends is known here.
		if scores, err = r.seat.decode([]int32{id}, 1, r.sampler.Needs(), r.begun); err != nil {
			return r.broken(err)
		}
	}
}

// prefill brings the prompt and what the reply begins with into a sequence, and
// returns the scores after the last token.
func (r *reply) prefill() ([]Scores, error) {
	ids := slices.Concat(r.job.prompt.ids, r.job.request.Begin)
	scores, err := r.seat.prefill(ids, 1, r.best())
	if err != nil {
		return nil, err
	}
	at := r.now()
	r.shared()
	r.stats.Prefill = at - r.stats.Queue
	computed := r.seat.computed
	r.send(frame{Kind: kindPrefill, ID: r.job.id, Prefill: &engine.Prefill{Computed: computed, Reused: max(len(ids)-computed, 0), At: at}})
	return scores, nil
}

// given sends the tokens that the reply begins with; a non-nil done says that a
// stop string is among them.
func (r *reply) given() *done {
	at := r.now()
	for _, id := range r.job.request.Begin {
		r.sampler.Accept(id)
		r.span(id)
		r.loop.Add(id)
		text, stopped := r.hold.Write(r.assemble.Write(r.backend.Piece(id)))
		r.send(frame{Kind: kindToken, ID: r.job.id, Token: &engine.Token{ID: id, Text: text, At: at, Given: true}})
		if stopped {
			return &done{Reason: engine.Stop, Detail: r.hold.Stop()}
		}
	}
	return nil
}

// token chooses the next token; a non-nil done ends the reply. What the next decode
// need not wait for, its log-probability and its way to the parent, goes on beside it.
func (r *reply) token(scores Scores) (int32, *done) {
	r.telling.Wait() // the sampler has one user
	id, err := r.choose(scores)
	if err != nil {
		return 0, point(r.broken(err))
	}
	if r.backend.Ends(id) {
		return 0, point(r.whole(engine.Stop, ""))
	}
	r.sampler.Accept(id)
	r.span(id)
	r.stats.Tokens++
	text, stopped := r.hold.Write(r.assemble.Write(r.backend.Piece(id)))
	r.untold = func() { r.tell(id, text) }
	switch {
	case stopped:
		return 0, &done{Reason: engine.Stop, Detail: r.hold.Stop()}
	case r.loop.Add(id):
		return 0, point(r.whole(engine.Stop, loopDetail))
	}
	return id, nil
}

// begun has the last token sent beside the decode that just began.
func (r *reply) begun() {
	if tell := r.untold; tell != nil {
		r.untold = nil
		r.telling.Go(tell)
	}
}

// rest sends what was not sent.
func (r *reply) rest() {
	r.begun()
	r.telling.Wait()
}

func (r *reply) choose(scores Scores) (int32, error) {
	if scores.IDs == nil {
		return r.sampler.Choose(scores.Logits)
	}
	return r.sampler.ChooseBest(scores.IDs, scores.Logits, scores.LogSum)
}

// best is how many logits decide the first token: those that it begins with are
// known to the sampler by then.
func (r *reply) best() int {
	n := r.sampler.Needs()
	if n > 0 {
		n += len(r.job.request.Begin)
	}
	return n
}

// tell sends the token that was chosen last.
func (r *reply) tell(id int32, text string) {
	logprob, top := r.sampler.Explain()
	drawn := func(t engine.TopToken) bool { return t.ID == id }
	if len(top) > 0 && !slices.ContainsFunc(top, drawn) { // its own text is told here: the token's may be held back
		top = append(top, engine.TopToken{ID: id, Logprob: logprob})
	}
	for i := range top {
		if top[i].Text = string(r.backend.Piece(top[i].ID)); top[i].Text == "" {
			top[i].Text = r.backend.Name(top[i].ID)
		}
	}
	r.send(frame{Kind: kindToken, ID: r.job.id, Token: &engine.Token{ID: id, Text: text, At: r.now(), Logprob: logprob, Top: top}})
}

// whole ends a reply whose held text is now certain.
func (r *reply) whole(reason engine.Reason, detail string) done {
	r.assemble.Flush()
	return done{Reason: reason, Detail: detail, Tail: r.hold.Flush()}
}

// broken ends a reply that was stopped or failed; what was held is kept, since
// no stop string came.
func (r *reply) broken(err error) done {
	d := done{Reason: engine.Cancelled}
	if !errors.Is(err, ErrAborted) {
		d = done{Reason: engine.Fault, Detail: err.Error(), Failure: newFailure(err)}
	}
	if r.hold != nil {
		d.Tail = r.hold.Flush()
	}
	return d
}

// banned adds the control tokens that must not be sampled to the bias.
func (r *reply) banned(s engine.Sampling) engine.Sampling {
	banned := r.facts().Banned
	bias := make(map[int32]float32, len(s.Bias)+len(banned))
	for id, b := range s.Bias {
		bias[id] = b
	}
	if r.closed != nil {
		banned = slices.Concat(banned, r.closed.Banned())
	}
	for _, id := range banned {
		bias[id] = float32(math.Inf(-1))
	}
	s.Bias = bias
	return s
}

func (r *reply) facts() Facts { return r.seat.scheduler.facts }

func point(d done) *done { return &d }
