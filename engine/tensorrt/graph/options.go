package graph

import "fmt"

// Options say how a graph is made of a config.
type Options struct {
	// Context is the number of positions that the tables of angles hold, and so
	// the largest C plus S; 0 = Config.Context.
	Context int
	// Compute is the type of weights, activations and caches: F16, BF16 or F32;
	// None = Config.Source.
	Compute Type
	// Residual is the type of the stream between layers; None = F32. Sums of many
	// layers are what FP16 loses first, and the norm that follows wants F32.
	Residual Type
	// TopK brings back that many candidates instead of all logits; 0 = logits.
	TopK int
}

func (o Options) filled(c Config) (Options, error) {
	if o.Context == 0 {
		o.Context = c.Context
	}
	if o.Compute == None {
		o.Compute = c.Source
	}
	if o.Residual == None {
		o.Residual = F32
	}
	switch {
	case o.Context < 1 || o.Context > mostCount:
		return o, fmt.Errorf("options: a context of %d", o.Context)
	case o.Compute >= I32 || o.Residual >= I32:
		return o, fmt.Errorf("options: compute in %s, residual in %s", o.Compute, o.Residual)
	case o.TopK < 0 || o.TopK > c.Vocab:
		return o, fmt.Errorf("options: the best %d of %d tokens", o.TopK, c.Vocab)
	}
	return o, nil
}
