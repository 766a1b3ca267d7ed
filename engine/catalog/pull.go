package catalog

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"fabula/engine/hub"
)

// maxRedirects bounds how far an address may lead.
const maxRedirects = 10

// ErrInsecure: an address, or one that it leads to, is not https.
var ErrInsecure = errors.New("only https addresses are fetched")

var errRedirects = fmt.Errorf("it redirects more than %d times", maxRedirects)

// Pull fetches a model into the folder, by its https address or by its id on a
// hub of models (see hub.Parse). sum is the SHA-256 it has to have, in
// hexadecimal; with an empty one that of the hub counts, else the result's
// SHA256 is for a person to compare.
//
// Everything but https is refused, also where a redirect leads; a page or an
// error message instead of a model after its first bytes; a file that the disk
// cannot hold before anything is written. What came before a connection broke
// or ctx ended is kept, and the next Pull of the same goes on from there.
// progress may be nil.
func (c *Catalog) Pull(ctx context.Context, from, sum string, progress Progress) (Model, error) {
	s, err := c.source(ctx, from, sum)
	if err != nil {
		return Model{}, fmt.Errorf("pull model: %w", err)
	}
	m, err := c.pull(ctx, s, progress)
	if err != nil {
		return Model{}, fmt.Errorf("pull model %s: %w", s.origin, err)
	}
	return m, nil
}

// source is a file to fetch.
type source struct {
	address *url.URL
	header  http.Header
	name    string // of the file here
	sum     string // SHA-256 that it has to have, "" = any
	size    int64  // bytes that it has to have, 0 = any
	origin  string // for people and for the sidecar, without passwords
	licence string // as the hub states it
}

// source finds what a person named.
func (c *Catalog) source(ctx context.Context, from, sum string) (source, error) {
	if raw, err := hex.DecodeString(sum); err != nil || len(raw) != 0 && len(raw) != 32 {
		return source{}, fmt.Errorf("%q is no SHA-256: 64 hexadecimal digits are", sum)
	}
	s := source{sum: strings.ToLower(sum)}
	var err error
	if ref, wrong := hub.Parse(from); wrong == nil {
		s, err = c.onHub(ctx, ref, s)
	} else if s.address, err = url.Parse(from); err != nil {
		err = errors.New("the address cannot be read") // url.Error quotes it, with any password
	} else if s.address.Scheme == "" {
		err = fmt.Errorf("%w, or an id: %w", ErrInsecure, wrong)
	} else {
		s.origin = s.address.Redacted()
	}
	if err == nil {
		err = secure(s.address)
	}
	if err == nil {
		s.name, err = fileName(path.Base(s.address.Path))
	}
	return s, err
}

// onHub asks the hub for a file.
func (c *Catalog) onHub(ctx context.Context, ref hub.Ref, s source) (source, error) {
	ask := hub.Client{Endpoint: c.o.Hub, Token: c.o.HubToken, HTTP: c.client()}
	f, err := ask.Find(ctx, ref)
	if err != nil {
		return s, err
	}
	if s.sum != "" && f.SHA256 != "" && !strings.EqualFold(s.sum, f.SHA256) {
		return s, fmt.Errorf("the hub says that the SHA-256 of %s is %s, not %s", f.Origin(), f.SHA256, s.sum)
	}
	s.address, s.header, s.size = f.Address, ask.Header(), f.Size
	s.sum, s.origin, s.licence = cmp.Or(s.sum, strings.ToLower(f.SHA256)), f.Origin(), f.Licence
	return s, nil
}

// key names the content of a part: what it has to be, else where it is from.
func (s source) key() string {
	if s.sum != "" {
		return "sha256:" + s.sum
	}
	sum := sha256.Sum256([]byte(s.address.String()))
	return "address:" + hex.EncodeToString(sum[:])
}

func (s source) notes() map[string]any {
	n := map[string]any{"origin": s.origin}
	if s.licence != "" {
		n["licence"] = s.licence
	}
	return n
}

func (c *Catalog) pull(ctx context.Context, s source, progress Progress) (Model, error) {
	if m, there, err := c.there(s); there || err != nil {
		return m, err
	}
	p, err := openPart(c.o.Dir, s.name, s.key())
	if err != nil {
		return Model{}, err
	}
	t := &transfer{
		c: c, client: c.client(), address: s.address, header: s.header, part: p,
		sum: s.sum, size: s.size, progress: progress, resumed: p.have > 0,
	}
	err = t.fetched(ctx)
	var end final
	switch {
	case errors.As(err, &end) && end.spoilt:
		return Model{}, errors.Join(err, p.discard())
	case err != nil:
		return Model{}, errors.Join(err, p.close())
	}
	m, err := c.adopt(p.file.Name(), s.name, p.sha256(), s.notes())
	return m, errors.Join(err, p.discard())
}

// fetched runs a transfer and holds the result against its sum. What was put
// together from several connections and is wrong is fetched once more as one,
// since a server may lie about ranges.
func (t *transfer) fetched(ctx context.Context) error {
	for {
		if err := t.run(ctx); err != nil {
			return err
		}
		if got := t.part.sha256(); t.sum == "" || got == t.sum {
			return t.part.release()
		} else if !t.resumed {
			return final{fmt.Errorf("its SHA-256 is %s, not %s; it was thrown away", got, t.sum), true}
		}
		if err := t.part.restart(); err != nil {
			return err
		}
	}
}

// there says whether the very file is in the folder already. Without a sum that
// cannot be known before it is fetched.
func (c *Catalog) there(s source) (Model, bool, error) {
	target := filepath.Join(c.o.Dir, s.name)
	if _, err := os.Lstat(target); err != nil || s.sum == "" {
		return Model{}, false, nil
	}
	sum, err := hash(target)
	if err != nil {
		return Model{}, false, err
	}
	if sum != s.sum {
		return Model{}, false, fmt.Errorf("%w: %s, with SHA-256 %s; remove or rename it first", ErrExists, target, sum)
	}
	m, err := finished(target, sum, s.notes())
	return m, true, err
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
			return errRedirects
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
