package story

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fabula/personas/lint"
	"fabula/story/plot"
)

// Say takes one turn below the branch's leaf. An error means that nothing was
// stored: ErrBusy, ErrAbsent or ErrNotFound for the NPC (a *CastError), a
// closed or unknown exit (an *ExitError), a *VanishedError, ErrNothing. Once
// Say returns, the input is stored; what goes wrong later comes from Wait.
// Cancelling ctx stops the reply and keeps what came.
func (s *Session) Say(ctx context.Context, branch ID, in Input, o Options) (*Running, error) {
	if s.store == nil {
		return nil, fmt.Errorf("say: %w", ErrReadOnly)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return nil, err
	}
	at := place{branch: b, parent: b.Leaf}
	if in.Sandbox && !slices.Contains(b.Tags, SandboxTag) {
		if at.branch, err = s.fork(b, b.Leaf, "", SandboxTag); err != nil {
			return nil, err
		}
		at.fork = true
	}
	return s.send(ctx, at, in, o)
}

// SayAt is Say below any alternative of a branch: on the branch where that is its
// leaf, else on a new one beside it, which is stored with the turn.
func (s *Session) SayAt(ctx context.Context, branch, alternative ID, in Input, o Options) (*Running, error) {
	if s.store == nil {
		return nil, fmt.Errorf("say: %w", ErrReadOnly)
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return nil, err
	}
	if b.Leaf == alternative {
		return s.Say(ctx, branch, in, o)
	}
	tags := []string{}
	if in.Sandbox {
		tags = append(tags, SandboxTag)
	}
	made, err := s.fork(b, alternative, "", tags...)
	if err != nil {
		return nil, err
	}
	return s.send(ctx, place{branch: made, fork: true, parent: alternative}, in, o)
}

// send plans a turn, stores its input and sets the reply going.
func (s *Session) send(ctx context.Context, at place, in Input, o Options) (*Running, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancel(ctx)
	r := newRunning(cancel, at.branch, Turn{})
	if err := s.claim(r, at.branch.ID); err != nil {
		cancel()
		return nil, err
	}
	p, err := s.begin(at, in)
	if err != nil {
		s.release(at.branch.ID)
		cancel()
		return nil, err
	}
	r.open(&p)
	s.start(ctx, inner, r, p, o, at.branch.ID)
	return r, nil
}

func (s *Session) begin(at place, in Input) (plan, error) {
	if err := s.StoreOwed(); err != nil {
		return plan{}, err
	}
	if !at.fork { // the leaf may have moved before the branch was claimed
		b, err := s.reader.Branch(string(at.branch.ID))
		if err != nil {
			return plan{}, err
		}
		at.branch, at.parent = b, b.Leaf
	}
	p, err := s.plan(at, in)
	if err != nil {
		return p, err
	}
	var created *Branch
	if at.fork {
		created = &at.branch
	}
	return p, s.store.Begin(nil, created, p.turn)
}

// Retry repeats a turn from S1 and adds an alternative. Retried on the
// branch's leaf, the branch moves to the new alternative; retried further up,
// a new branch is made and the old one stays. With `turns: all` the others
// answer anew after the one who answered the player. A retry that comes to no text
// stores nothing. Errors: ErrNothing where nobody is to reply.
func (s *Session) Retry(ctx context.Context, branch, alternative ID, o Options) (*Running, error) {
	return s.retry(ctx, branch, alternative, nil, o)
}

// retry is Retry; forced are tokens that the reply has to begin with.
func (s *Session) retry(ctx context.Context, branch, alternative ID, forced *begun, o Options) (*Running, error) {
	if s.store == nil {
		return nil, fmt.Errorf("retry: %w", ErrReadOnly)
	}
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return nil, err
	}
	old, err := s.reader.Alternative(alternative)
	if err != nil {
		return nil, err
	}
	inner, cancel := context.WithCancel(ctx)
	r := newRunning(cancel, b, Turn{})
	claimed := []ID{b.ID, old.Turn}
	if err := s.claim(r, claimed...); err != nil {
		cancel()
		return nil, err
	}
	p, err := s.again(b.ID, alternative)
	if err != nil {
		s.release(claimed...)
		cancel()
		return nil, err
	}
	p.forced = forced
	r.show(&p)
	s.start(ctx, inner, r, p, o, claimed...)
	return r, nil
}

// again is the plan of a turn that is stored already.
func (s *Session) again(branch, alternative ID) (plan, error) {
	if err := s.StoreOwed(); err != nil {
		return plan{}, err
	}
	b, err := s.reader.Branch(string(branch))
	if err != nil {
		return plan{}, err
	}
	old, turn, err := s.leaf(alternative)
	if err != nil {
		return plan{}, err
	}
	if turn.Speaker == "" {
		return plan{}, fmt.Errorf("retry turn %s: nobody replies in it: %w", turn.ID, ErrNothing)
	}
	through, err := s.reader.Playthrough(turn.Playthrough)
	if err != nil {
		return plan{}, err
	}
	p := plan{script: s.refresh(), lang: through.Language, turn: turn, lines: old.Lines, alternative: s.id(), retry: true, home: b, judge: s.Judge(through.Language),
		place: place{branch: b, parent: turn.Parent}}
	p.sandbox = outside(turn.Input, through, b)
	if p.turn.Before, err = p.adopt(turn.Before); err != nil {
		return plan{}, err
	}
	p.queue = p.others(p.turn.Before.Node, ids(p.script.Cast(p.turn.Before)))
	leaf, err := s.reader.Alternative(b.Leaf)
	if err != nil {
		return plan{}, err
	}
	if leaf.Turn != turn.ID {
		p.branch, err = s.fork(b, old.ID, "")
		p.fork = true
	}
	return p, err
}

// claim makes sure that one reply at a time is in flight on a branch or turn.
func (s *Session) claim(r *Running, keys ...ID) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return fmt.Errorf("say: the session is closed: %w", ErrReadOnly)
	}
	for _, id := range keys {
		if _, taken := s.busy[id]; taken {
			return fmt.Errorf("say on %s: %w", id, ErrBusy)
		}
	}
	for _, id := range keys {
		s.busy[id] = r
	}
	s.wait.Add(1)
	return nil
}

func (s *Session) release(keys ...ID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, id := range keys {
		delete(s.busy, id)
	}
	s.wait.Done()
}

// open shows what is known once the input is stored: the player's beats and
// the authored lines that come before a reply.
func (r *Running) open(p *plan) {
	r.update(func(snap *Snapshot) {
		snap.Turn, snap.Speaker, snap.Lines, snap.Branch = p.turn, p.turn.Speaker, p.lines, p.branch
		snap.Findings = p.findings
	})
	var events []Event
	for i := range p.turn.Fired {
		events = append(events, Event{Kind: BeatEvent, Beat: &p.turn.Fired[i]})
	}
	for i := range p.turn.Doubts {
		events = append(events, Event{Kind: UnsureEvent, Doubt: &p.turn.Doubts[i]})
	}
	events = append(events, lineEvents(p.lines)...)
	for i := range p.findings {
		events = append(events, Event{Kind: FindingEvent, Finding: &p.findings[i]})
	}
	r.emit(events...)
}

// run is the goroutine of a turn: one reply, or one for each of the cast. It
// calls release before the turn is over for those who wait.
func (s *Session) run(ctx context.Context, r *Running, p plan, o Options, release func()) {
	var step Step
	err := s.shielded(func() (err error) {
		for {
			step, err = s.reply(ctx, r, &p, o)
			for p.blocked && p.tries < mostAnew && ctx.Err() == nil {
				s.anew(r, &p, step)
				step, err = s.reply(ctx, r, &p, o.nth(MostAlternatives*p.tries))
			}
			if err != nil || ctx.Err() != nil || len(p.queue) == 0 {
				return err
			}
			next, ok, err := s.follow(p, step)
			if err != nil || !ok {
				return err
			}
			p = next
			r.restart(p.branch, p.turn)
		}
	})
	release()
	if err == nil {
		s.sumUpLater(p, step)
	}
	r.finish(p.branch, step, err)
}

// shielded turns a panic of the story goroutine into an error: the input and
// the live file are kept, the program goes on.
func (s *Session) shielded(do func() error) (err error) {
	defer func() {
		if r := recover(); r != nil {
			s.log.Error("turn panicked", "panic", r)
			err = fmt.Errorf("turn panicked: %v", r)
		}
	}()
	return do()
}

// reply takes steps 4 to 6 for one speaker, or closes a turn that nobody
// answers. It leaves in p.branch the branch as it is stored.
func (s *Session) reply(ctx context.Context, r *Running, p *plan, o Options) (Step, error) {
	a := Alternative{ID: p.alternative, Turn: p.turn.ID, Lines: p.lines, Status: Finished, Made: s.now()}
	if p.turn.Speaker == "" {
		a.State, a.Findings = p.turn.Before.Clone(), p.findings
		return s.store6(r, p, settled{alternative: a}, Finished, nil)
	}
	g, err := s.generate(ctx, r, p, o)
	p.blocked = g.hit != nil && p.script.Lint.Mode(g.hit.Code) == lint.Regenerate
	if g.hit != nil {
		a.Findings = append(a.Findings, *g.hit)
		r.emit(Event{Kind: FindingEvent, Finding: g.hit})
	}
	if g.text == "" && p.blocked && p.tries < mostAnew {
		return Step{}, nil // nothing was shown, so nothing is kept
	}
	if g.text == "" {
		return s.failed(r, p, a, g, err)
	}
	a.Speaker, a.Text, a.Reply = p.turn.Speaker, g.text, &g.reply
	return s.store6(r, p, s.settle(p, a), Finished, g.blobs)
}

// mostAnew bounds how often a reply that a rule stopped is asked for again.
const mostAnew = 3

// anew prepares for another reply to the same input. The one that was stopped
// stays beside it, as far as anything of it was shown.
func (s *Session) anew(r *Running, p *plan, stopped Step) {
	if stopped.Alternative.ID != "" {
		p.retry, p.home = true, p.branch
	} else if err := s.store.DropLive(p.turn.ID, p.alternative); err != nil {
		s.log.Warn("live file kept", "error", err)
	}
	p.alternative, p.again, p.forced = s.id(), true, nil
	p.tries++
	r.restart(p.branch, p.turn)
	r.show(p)
}

// failed keeps the input of a turn that no text answers, marked. A retry
// leaves nothing behind: the replies that were there stay as they are.
func (s *Session) failed(r *Running, p *plan, a Alternative, g generated, err error) (Step, error) {
	if p.retry {
		p.branch = p.home
		if cerr := s.store.DropLive(p.turn.ID, p.alternative); cerr != nil {
			s.log.Warn("live file kept", "error", cerr)
		}
		return Step{}, err
	}
	a.Status, a.Speaker, a.State, a.Findings = Failed, p.turn.Speaker, p.turn.Before.Clone(), append(a.Findings, p.findings...)
	if g.reply.Reason == "" { // not even an engine was asked
		g.reply.Reason, g.reply.Detail = "fault", err.Error()
	}
	a.Reply = &g.reply
	step, serr := s.store6(r, p, settled{alternative: a}, Failed, g.blobs)
	return step, errors.Join(err, serr)
}

// store6 stores a reply, then tells of it: `done` means stored.
func (s *Session) store6(r *Running, p *plan, out settled, status Status, blobs map[string]string) (Step, error) {
	a := out.alternative
	if err := s.shelve(p, a, status, blobs); err != nil {
		return Step{}, fmt.Errorf("store reply: %w", err)
	}
	b := p.branch
	step := Step{Turn: p.turn, Alternative: a}
	s.extend(step)
	view := ViewState(a.State, s.offers(p, a.State))
	done := doneOf(b, a)
	r.update(func(snap *Snapshot) {
		snap.Turn, snap.Branch, snap.After, snap.Findings, snap.Done = p.turn, b, a.After, a.Findings, &done
	})
	r.emit(append(out.events, Event{Kind: StateEvent, State: &view}, Event{Kind: DoneEvent, Done: &done})...)
	return step, nil
}

func (s *Session) offers(p *plan, st plot.State) []plot.Offer {
	if p.sandbox {
		return nil
	}
	return p.script.Offers(st, p.lang)
}

func doneOf(b Branch, a Alternative) Done {
	d := Done{Branch: b.ID, Turn: a.Turn, Alternative: a.ID, Speaker: a.Speaker, Reason: "stop"}
	if r := a.Reply; r != nil {
		d.Engine, d.Step, d.Reason, d.Seed = r.Engine.Name, r.Step, r.Reason, r.Seed
		d.Why, d.WhyArgs, d.Fault = r.Why, r.WhyArgs, r.Fault
		m := r.Timing()
		d.TTFT, d.Tokens, d.Gaps = m.TTFT, m.Tokens, m.Gaps
	}
	return d
}

// follow begins the turn of the next speaker of `turns: all`, who has heard
// the ones before; one who left meanwhile is passed over. ok is false when an
// exit led away or nobody is left.
func (s *Session) follow(p plan, last Step) (plan, bool, error) {
	st := last.Alternative.State
	there := ids(p.script.Cast(st))
	i := slices.IndexFunc(p.queue, func(id string) bool { return slices.Contains(there, id) })
	if last.Alternative.Taken != nil || i < 0 {
		return p, false, nil
	}
	npc := p.queue[i]
	next := plan{script: p.script, lang: p.lang, queue: p.queue[i+1:], alternative: s.id(), judge: p.judge,
		place: place{branch: p.branch, parent: last.Alternative.ID}}
	next.turn = Turn{ID: s.id(), Playthrough: p.turn.Playthrough, Parent: last.Alternative.ID, Branch: p.branch.ID,
		Depth: p.turn.Depth + 1, Input: Input{To: npc, Next: true}, Before: st.Clone(), Speaker: npc, Status: Pending, Made: s.now()}
	return next, true, s.store.Begin(nil, nil, next.turn)
}
