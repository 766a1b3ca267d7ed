package remote

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"

	"fabula/engine"
)

// Probe implements engine.Prober: it asks which models the server has, so that
// no prompt is sent to learn whether it is back. A server without that list
// answers at least.
func (e *Engine) Probe(ctx context.Context) error {
	res, secret, err := e.list(ctx)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	switch code := res.StatusCode; {
	case code >= 500, code == http.StatusUnauthorized, code == http.StatusForbidden, code == http.StatusTooManyRequests:
		return e.o.failure(&refused{status: code}, secret)
	}
	return nil
}

// mostList is how much of a list of models is read, in bytes.
const mostList = 4 << 20

// Models asks a server which models it has, in its order. o.Model may be empty.
func Models(ctx context.Context, o Options) ([]string, error) {
	o.Model = cmp.Or(o.Model, "-")
	e, err := New(o)
	if err != nil {
		return nil, err
	}
	defer e.Close()
	res, secret, err := e.list(ctx)
	if err != nil {
		return nil, err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(io.LimitReader(res.Body, mostList))
	if res.StatusCode != http.StatusOK {
		why := complaint(body)
		why.status = res.StatusCode
		return nil, e.o.failure(&why, secret)
	}
	var list struct {
		Data []struct {
			ID string `json:"id"`
		} `json:"data"`
	}
	if err == nil {
		err = json.Unmarshal(body, &list)
	}
	if err != nil || len(list.Data) == 0 {
		return nil, fmt.Errorf("remote %s: %w: its list of models cannot be read; name the model", e.o.Name, engine.ErrIncompatible)
	}
	var names []string
	for _, m := range list.Data {
		names = append(names, m.ID)
	}
	return names, nil
}

// list asks for the models.
func (e *Engine) list(ctx context.Context) (*http.Response, string, error) {
	secret, err := e.key.get(ctx)
	if err != nil {
		return nil, "", fmt.Errorf("remote %s: %w: %w", e.o.Name, engine.ErrUnavailable, err)
	}
	ctx, cancel := context.WithTimeout(ctx, e.o.FirstToken)
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, strings.TrimRight(e.o.URL, "/")+"/models", nil)
	if err != nil {
		cancel()
		return nil, secret, e.o.failure(err, secret)
	}
	if secret != "" {
		r.Header.Set("Authorization", "Bearer "+secret)
	}
	r.Header.Set("User-Agent", "fabula")
	res, err := e.client.Do(r)
	if err != nil {
		cancel()
		return nil, secret, e.o.failure(err, secret)
	}
	res.Body = &released{res.Body, cancel}
	return res, secret, nil
}

// released is a body that ends its request's patience when it is closed.
type released struct {
	io.ReadCloser
	cancel context.CancelFunc
}

// Close closes the body.
func (r *released) Close() error {
	defer r.cancel()
	return r.ReadCloser.Close()
}
