package engine

import "context"

// Ask says for whom an engine is wanted.
type Ask struct {
	Language string // of the reply, BCP 47
	Persona  string // who is to speak, by id; empty = nobody in particular
	Only     string // the one engine that may answer, as --engine names it; empty = the ladder decides
}

// The steps of a ladder.
const (
	StepFull     = "full"     // the engine that was wanted
	StepSmaller  = "smaller"  // another model
	StepGrounded = "grounded" // authored lines, chosen by a model
	StepRecall   = "recall"   // authored lines
)

// Rung is one step of a ladder of engines: what answers when those above cannot.
type Rung struct {
	Engine Engine
	Step   string
	Why    string   // a code: why this rung and not the one above; empty for the first
	Args   []string // what the words of that code need
	Guard  Guard    // watches over replies; nil = nobody does
}

// Guard has an engine answer and watches over the reply: it holds the engine to
// deadlines and remembers how it did.
type Guard interface {
	Generate(ctx context.Context, e Engine, r Request) (Stream, error)
}

// Generate has the engine of the rung answer, under its guard if it has one.
func (r Rung) Generate(ctx context.Context, q Request) (Stream, error) {
	if r.Guard == nil {
		return r.Engine.Generate(ctx, q)
	}
	return r.Guard.Generate(ctx, r.Engine, q)
}

// ScoreGuard is a Guard that watches over scoring too.
type ScoreGuard interface {
	Score(ctx context.Context, e Engine, r ScoreRequest) ([]Scored, error)
}

// Score has the engine of the rung tell how likely texts are, under its guard if
// it has one. An engine that cannot is ErrUnsupported.
func (r Rung) Score(ctx context.Context, q ScoreRequest) ([]Scored, error) {
	if g, ok := r.Guard.(ScoreGuard); ok {
		return g.Score(ctx, r.Engine, q)
	}
	s, ok := r.Engine.(Scorer)
	if !ok {
		return nil, ErrUnsupported
	}
	return s.Score(ctx, q)
}

// Prober is implemented by engines that can tell without a reply whether they
// would serve.
type Prober interface {
	Probe(ctx context.Context) error
}
