package remote

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"fabula/engine"
)

// Probe implements engine.Prober: it asks which models the server has, so that
// no prompt is sent to learn whether it is back. A server without that list
// answers at least.
func (e *Engine) Probe(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, e.o.FirstToken)
	defer cancel()
	secret, err := e.key.get(ctx)
	if err != nil {
		return fmt.Errorf("remote %s: %w: %w", e.o.Name, engine.ErrUnavailable, err)
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(e.o.URL, "/")+"/models", nil)
	if err != nil {
		return e.o.failure(err, secret)
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	r.Header.Set("User-Agent", "fabula")
	res, err := e.client.Do(r)
	if err != nil {
		return e.o.failure(err, secret)
	}
	defer res.Body.Close()
	switch code := res.StatusCode; {
	case code >= 500, code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusTooManyRequests:
		return e.o.failure(&refused{status: code}, secret)
	}
	return nil
}
