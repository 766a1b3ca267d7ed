package story

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"iter"
	"time"

	"fabula/engine"
	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/cues"
	"fabula/story/plot"
	"fabula/story/prompt"
)

// generated is what an engine made of a turn.
type generated struct {
	text  string
	reply Reply
	blobs map[string]string // prompt texts by SHA-256
	hit   *lint.Finding     // what ended the reply
}

// ErrNoText: an engine ended a reply without a single character.
var ErrNoText = errors.New("the engine returned nothing")

// ErrBlocked: a rule of the world stopped a reply at its first word.
var ErrBlocked = errors.New("stopped by a rule before anything could be shown")

// generate takes steps 4 of a turn: it tries the rungs in order until one
// serves. Once a token came there is no falling back. An error means that no
// text came; what was tried is in reply nevertheless.
func (s *Session) generate(ctx context.Context, r *Running, p *plan, o Options) (generated, error) {
	persona := p.script.Persona(p.turn.Speaker)
	if persona == nil {
		return generated{}, &CastError{Asked: p.turn.Speaker, There: ids(p.script.Cast(p.turn.Before))}
	}
	a := asking{persona: persona, lang: persona.Language(p.lang), sampling: sampling(p.script, persona, o), without: o.Without}
	var err error
	if a.seed, err = seed(o); err != nil {
		return generated{}, err
	}
	path, err := s.path(p.turn.Parent)
	if err != nil {
		return generated{}, err
	}
	s.remind(p, &a, path, nil)
	return s.descend(ctx, r, p, &a, o)
}

// descend asks one rung after another until one gives text. What really failed
// outranks what the rung below was expected to stand in for.
func (s *Session) descend(ctx context.Context, r *Running, p *plan, a *asking, o Options) (g generated, err error) {
	err = fmt.Errorf("%s: %w", p.turn.Speaker, ErrNoEngine)
	var above *engine.Failure
	for rung := range s.rungs(a, o.Engine) {
		if o.Mode == Grounded && !s.groundable(rung) {
			above = &engine.Failure{Code: "ungrounded", Args: []string{rung.Engine.Info().Name}, Err: engine.ErrUnsupported}
			continue
		}
		if a.rung = s.ground(rung, p, a, o.Mode); above != nil {
			a.rung.Why, a.rung.Args = above.Code, above.Args
			r.degraded(a.rung)
			s.log.Warn("degraded", "engine", rung.Engine.Info().Name, "step", rung.Step, "why", above.Code)
		}
		g, err = s.try(ctx, r, p, a, o)
		if err == nil || g.text != "" || !passes(ctx, err) {
			break
		}
		above = failure(err)
		s.log.Warn("engine did not serve", "engine", rung.Engine.Info().Name, "why", above.Code, "error", err)
	}
	return g, err
}

// passes reports whether the next rung is to be asked after an error that came
// before any text. A prompt that is too long is refused with its sizes, and a
// reply that a person stopped is no failure.
func passes(ctx context.Context, err error) bool {
	return ctx.Err() == nil && !errors.Is(err, engine.ErrTooLong)
}

// failure gives an error as a code and its arguments; an error that nobody
// coded is kept in its own words.
func failure(err error) *engine.Failure {
	var f *engine.Failure
	if errors.As(err, &f) {
		return f
	}
	return &engine.Failure{Code: err.Error(), Err: err}
}

// asking is what all rungs of one reply share.
type asking struct {
	persona  *personas.Persona
	lang     string
	sampling engine.Sampling
	seed     uint64
	moments  []moment // of the path, as the persona lived through them
	history  []prompt.Exchange
	recall   func(left int) []prompt.Recollection
	without  []prompt.Part
	past     func(left int) []prompt.Past
	rung     engine.Rung
	trace    bool
	lines    []engine.Candidate // that may be said as they are; nil until asked for
}

func (s *Session) rungs(a *asking, only string) iter.Seq[engine.Rung] {
	if s.engines == nil {
		return func(func(engine.Rung) bool) {}
	}
	return s.engines.Rungs(engine.Ask{Language: a.lang, Persona: a.persona.ID, Only: only})
}

// assemble makes the prompt of a rung.
func (a *asking) assemble(ctx context.Context, p *plan) (prompt.Prompt, error) {
	info := a.rung.Engine.Info()
	in := prompt.Input{Script: p.script, State: p.turn.Before, Speaker: a.persona, Language: a.lang,
		History: recent(a.history, info), Line: p.turn.Input.Text, Opening: spoken(p.lines), Recall: a.recall, Past: a.past, Without: a.without, Trace: a.trace,
		Budget: prompt.Budget{Window: info.Context, Reply: a.sampling.MaxTokens}}
	if counter, ok := a.rung.Engine.(engine.Counter); ok {
		in.Count = func(m []engine.Message) (engine.Count, error) { return counter.Count(ctx, m) }
	}
	return prompt.Assemble(in)
}

// Without a window a prompt would grow for ever: of a long path the last 32 to
// 64 exchanges are given, cut in blocks so that the head seldom changes.
const (
	mostExchanges = 64
	cutExchanges  = 32
)

func recent(history []prompt.Exchange, info engine.Info) []prompt.Exchange {
	over := len(history) - mostExchanges
	if info.Context > 0 || over <= 0 {
		return history
	}
	return history[(over+cutExchanges-1)/cutExchanges*cutExchanges:]
}

func spoken(lines []plot.Played) []prompt.Spoken {
	var all []prompt.Spoken
	for _, l := range lines {
		all = append(all, prompt.Spoken{By: l.By, Text: l.Text})
	}
	return all
}

// request is what is sent to the rung's engine.
func (s *Session) request(p *plan, a *asking, made prompt.Prompt, top int) engine.Request {
	r := engine.Request{Messages: made.Messages, Query: s.query(p.turn, a), Language: a.lang,
		Sampling: a.sampling, Stop: a.stops(p.script), Seed: a.seed, Top: top, Nth: p.nth}
	if p.forced != nil {
		r.Begin = p.forced.ids
	}
	if p.script.Cues.Strict {
		r.Spans = cues.Spans(p.script.Cues, a.lang)
	}
	if a.rung.Step == engine.StepGrounded || a.rung.Engine.Info().Kind == engine.Recall {
		r.Candidates = a.candidates(p, s.kept)
	}
	return r
}

// stops end a reply that goes on to speak for the player or for itself again.
// A toy model is held to one line: after it, it recites its instructions.
func (a *asking) stops(script *plot.Script) []string {
	if a.rung.Engine.Info().Toy {
		return []string{"\n"}
	}
	var all []string
	for _, name := range []string{script.Player.Name.In(a.lang, script.Languages...), a.persona.Name.In(a.lang, script.Languages...)} {
		if name != "" {
			all = append(all, "\n"+name+":", "\n"+name+"：")
		}
	}
	return all
}

// try asks one rung.
func (s *Session) try(ctx context.Context, r *Running, p *plan, a *asking, o Options) (generated, error) {
	info := a.rung.Engine.Info()
	g := generated{reply: Reply{Engine: info, Step: a.rung.Step, Why: a.rung.Why, WhyArgs: a.rung.Args, Sampling: a.sampling, Seed: a.seed,
		Persona: s.version(a.persona.ID), Script: p.script.Hash, Reason: engine.Fault}}
	r.update(func(snap *Snapshot) {
		snap.Engine, snap.Step, snap.Why, snap.WhyArgs, snap.Seed = info, a.rung.Step, a.rung.Why, a.rung.Args, a.seed
		snap.Prefill = nil // that of a rung above
	})
	if p.forced != nil {
		g.reply.Fork = &p.forced.Fork
		if err := p.forced.serves(info); err != nil {
			g.reply.unanswered(ctx, err)
			return g, err
		}
	}
	made, err := a.assemble(ctx, p)
	if err != nil {
		g.reply.unanswered(ctx, err)
		return g, fmt.Errorf("assemble prompt for %s: %w", a.persona.ID, err)
	}
	g.reply.Without, g.blobs = a.without, g.reply.record(made)
	sent := s.now()
	r.update(func(snap *Snapshot) { snap.Started = sent })
	inner, stop := context.WithCancel(ctx)
	defer stop()
	stream, err := a.rung.Generate(inner, s.request(p, a, made, o.Top))
	if err != nil {
		g.reply.unanswered(ctx, err)
		return g, fmt.Errorf("engine %s: %w", info.Name, err)
	}
	from := intake{running: r, live: s.openLive(p, &g.reply), stop: stop, cues: cues.NewReader(p.script.Cues),
		guard: lint.NewGuard(s.judged(p, a.persona, ""), p.script.Lint.Blocking()...)}
	g.reply.Total, err = from.read(inner, stream, &g)
	return g, err
}

// unanswered notes why nothing was generated: the person stopped it, or err.
func (r *Reply) unanswered(ctx context.Context, err error) {
	if ctx.Err() != nil {
		r.Reason = engine.Cancelled
		return
	}
	r.Detail = err.Error()
}

// record notes the prompt in the reply and gives its texts by hash.
func (r *Reply) record(made prompt.Prompt) map[string]string {
	blobs := map[string]string{}
	whole := sha256.New()
	for _, seg := range made.Segments {
		sum := sha256.Sum256([]byte(seg.Text))
		hash := hex.EncodeToString(sum[:])
		blobs[hash] = seg.Text
		r.Segments = append(r.Segments, SegmentRef{Kind: seg.Kind, Source: seg.Source, Role: seg.Role, Tokens: seg.Tokens, Blob: hash})
		_, _ = fmt.Fprintf(whole, "%s\x00%s\x00%d\x00%s", seg.Kind, seg.Role, len(seg.Text), seg.Text)
		if len(seg.Because) > 0 {
			if r.Because == nil {
				r.Because = map[string][]string{}
			}
			r.Because[seg.Source] = seg.Because
		}
	}
	r.Prompt = hex.EncodeToString(whole.Sum(nil))
	r.Dropped = made.Dropped
	return blobs
}

// read takes the stream to its end and gives how long that took.
func (in *intake) read(ctx context.Context, stream engine.Stream, g *generated) (time.Duration, error) {
	start := time.Now()
	done := in.drain(ctx, stream)
	in.live.close()
	g.text, g.hit = in.text.String(), in.hit
	g.reply.Odds = in.odds
	g.reply.finish(in.tokens, in.prefill, done)
	if in.hit != nil {
		g.reply.Blocked = in.hit.Code
	} else if ctx.Err() != nil && done.Reason == engine.Fault {
		g.reply.Reason, done.Err = engine.Cancelled, nil
	}
	return time.Since(start), in.verdict(g, done)
}

// finish notes tokens and figures.
func (r *Reply) finish(tokens []engine.Token, prefill engine.Prefill, done engine.Done) {
	r.Tokens, r.Prefill, r.Stats = tokens, prefill, done.Stats
	r.Reason, r.Detail = done.Reason, done.Detail
	r.TTFT = r.Timing().TTFT
	if r.Detail == "" && done.Err != nil {
		r.Detail = done.Err.Error()
	}
	var f *engine.Failure
	if errors.As(done.Err, &f) {
		r.Fault, r.FaultArgs = f.Code, f.Args
	}
}

// verdict gives the error of a reply that came to no text at all.
func (in *intake) verdict(g *generated, done engine.Done) error {
	name := g.reply.Engine.Name
	switch {
	case g.text != "":
		return nil
	case in.hit != nil:
		return fmt.Errorf("%s: %w", in.hit.Code, ErrBlocked)
	case g.reply.Reason == engine.Cancelled:
		return fmt.Errorf("stopped before a token: %w", context.Canceled)
	case done.Err != nil:
		return fmt.Errorf("engine %s: %w", name, done.Err)
	case done.Reason == engine.Fault:
		return fmt.Errorf("engine %s: %s", name, g.reply.Detail)
	default:
		g.reply.Detail = ErrNoText.Error()
		return &engine.Failure{Code: "nothing", Args: []string{name}, Err: fmt.Errorf("engine %s: %w", name, ErrNoText)}
	}
}
