package catalog

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"path"
	"time"
)

// Bounds of a download.
const (
	maxModel     = 256 << 30 // bytes
	maxRedirects = 10
	stall        = time.Minute // without a byte
)

// ErrInsecure: an address, or one that it leads to, is not https.
var ErrInsecure = errors.New("only https addresses are fetched")

// Pull fetches a model into the folder. sum is the SHA-256 it has to have, in
// hexadecimal; with an empty one the result's SHA256 is for a person to compare.
// Everything but https is refused, also where a redirect leads. A page or an
// error message instead of a model is refused after its first bytes. progress
// may be nil. Nothing is left behind when it fails.
func (c *Catalog) Pull(ctx context.Context, address, sum string, progress Progress) (Model, error) {
	u, err := url.Parse(address)
	if err != nil {
		return Model{}, errors.New("pull model: the address cannot be read") // url.Error quotes it, with any password
	}
	m, err := c.pull(ctx, u, sum, progress)
	if err != nil {
		return Model{}, fmt.Errorf("pull model %s: %w", u.Redacted(), err)
	}
	return m, nil
}

func (c *Catalog) pull(ctx context.Context, u *url.URL, sum string, progress Progress) (Model, error) {
	if err := secure(u); err != nil {
		return Model{}, err
	}
	if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 0 && len(raw) != 32 {
		return Model{}, fmt.Errorf("%q is no SHA-256: 64 hexadecimal digits are", sum)
	}
	name, err := fileName(path.Base(u.Path))
	if err != nil {
		return Model{}, err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return Model{}, err
	}
	answer, err := c.client().Do(request)
	if err != nil {
		return Model{}, plain(err)
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return Model{}, fmt.Errorf("the server answers %s", answer.Status)
	}
	if answer.ContentLength > maxModel {
		return Model{}, fmt.Errorf("it is %d bytes long, more than %d", answer.ContentLength, int64(maxModel))
	}
	body := watchBody(answer.Body, cancel)
	defer body.stop()
	m, err := c.receive(ctx, incoming{
		name: name, from: body, total: max(answer.ContentLength, 0), most: maxModel, sum: sum, progress: progress,
	})
	if cause := context.Cause(ctx); err != nil && cause != nil {
		return Model{}, cause
	}
	return m, err
}

func secure(u *url.URL) error {
	if u.Scheme != "https" || u.Host == "" {
		return fmt.Errorf("%w, not %s", ErrInsecure, u.Redacted())
	}
	return nil
}

// plain drops the address from an error of the HTTP client; Pull names it, and
// without a password.
func plain(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}

// client follows redirects to https only.
func (c *Catalog) client() *http.Client {
	client := &http.Client{Transport: &http.Transport{
		Proxy:                 http.ProxyFromEnvironment,
		DialContext:           (&net.Dialer{Timeout: 30 * time.Second}).DialContext,
		TLSHandshakeTimeout:   30 * time.Second,
		ResponseHeaderTimeout: stall,
		DisableKeepAlives:     true,
	}}
	if c.o.Client != nil {
		given := *c.o.Client
		client = &given
	}
	client.CheckRedirect = func(r *http.Request, via []*http.Request) error {
		if len(via) > maxRedirects {
			return fmt.Errorf("it redirects more than %d times", maxRedirects)
		}
		return secure(r.URL)
	}
	return client
}

// watchedBody is a body that cancels a download when no byte comes for a minute.
type watchedBody struct {
	io.Reader
	late *time.Timer
}

func watchBody(body io.Reader, cancel context.CancelCauseFunc) *watchedBody {
	late := time.AfterFunc(stall, func() { cancel(fmt.Errorf("no byte came for %v", stall)) })
	return &watchedBody{body, late}
}

func (w *watchedBody) Read(p []byte) (int, error) {
	n, err := w.Reader.Read(p)
	if n > 0 {
		w.late.Reset(stall)
	}
	return n, err
}

func (w *watchedBody) stop() { w.late.Stop() }
