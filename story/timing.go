package story

import "fabula/engine/latency"

// Timing gives the figures of a reply from its stored stamps.
func (r *Reply) Timing() latency.Timing {
	return latency.Measure(r.Engine.Kind, r.Prefill, r.Tokens, r.Stats)
}
