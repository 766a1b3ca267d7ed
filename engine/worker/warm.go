package worker

import "fabula/engine"

// warm brings a prompt into the cache, for a request that will begin with it.
func (s *server) warm(t *seat) done {
	r := &reply{server: s, seat: t, job: t.job}
	r.stats.PromptTokens, r.stats.ControlTokens = len(t.job.prompt.ids), t.job.prompt.count.Control
	d := done{Reason: engine.Stop}
	if _, err := t.prefill(t.job.prompt.ids, 0, 0); err != nil {
		d = r.broken(err)
	}
	r.shared()
	d.Stats = r.stats
	return d
}
