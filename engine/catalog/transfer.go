package catalog

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"time"

	"fabula/engine/gguf/memory"
)

// Bounds of a download.
const (
	maxModel = 256 << 30   // bytes
	stall    = time.Minute // without a byte
	barren   = 5           // connections in a row that bring nothing new
	spare    = 64 << 20    // bytes of disk left to others
)

// transfer fetches one file, over as many connections as it takes.
type transfer struct {
	c        *Catalog
	client   *http.Client
	address  *url.URL
	header   http.Header
	part     *part
	sum      string // that it has to have, "" = any
	size     int64  // that it has to have, 0 = any
	progress Progress
	resumed  bool // the part is of several connections
}

// final is an error that another try will not mend; the part is worth nothing
// when spoilt is set.
type final struct {
	error
	spoilt bool
}

func (f final) Unwrap() error { return f.error }

// run fetches until the part is whole. After an error that may pass it goes on,
// unless nothing ever came or several connections in a row brought nothing new.
func (t *transfer) run(ctx context.Context) error {
	most := t.part.have
	for empty := 0; ; {
		err := t.once(ctx)
		var end final
		switch {
		case err == nil:
			return nil
		case ctx.Err() != nil:
			return t.kept(context.Cause(ctx))
		case errors.As(err, &end) || most == 0 && t.part.have == 0: // nothing ever came
			return err
		case t.part.have > most:
			most, empty = t.part.have, 0
		default:
			if empty++; empty >= barren {
				return t.kept(err)
			}
		}
		select {
		case <-ctx.Done():
			return t.kept(context.Cause(ctx))
		case <-time.After(t.c.pause(empty)):
		}
	}
}

// kept says what is there for another try.
func (t *transfer) kept(err error) error {
	if t.part.have == 0 {
		return err
	}
	of := ""
	if t.part.note.Total > 0 {
		of = " of " + memory.Size(t.part.note.Total)
	}
	return fmt.Errorf("%w; %s%s are kept, the same command goes on from there", err, memory.Size(t.part.have), of)
}

// pause before another connection, longer the more of them failed.
func (c *Catalog) pause(empty int) time.Duration {
	if c.o.Pause != nil {
		return c.o.Pause(empty)
	}
	return time.Second << empty
}

// once opens one connection and reads what comes.
func (t *transfer) once(ctx context.Context) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	if t.part.have > 0 && t.part.have == t.part.note.Total {
		return nil
	}
	if t.part.have > 0 && t.sum == "" && t.part.note.validator() == "" {
		if err := t.part.restart(); err != nil { // nothing tells whether it is still the same file
			return final{error: err}
		}
	}
	answer, err := t.ask(ctx)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	if err := t.begin(answer); err != nil {
		return err
	}
	body := watchBody(answer.Body, cancel)
	defer body.stop()
	if err := t.copy(ctx, body); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			return cause
		}
		return err
	}
	if t.part.note.Total == 0 {
		t.part.note.Total = t.part.have
	}
	return nil
}

// ask requests the file, or what is missing of it.
func (t *transfer) ask(ctx context.Context) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, t.address.String(), nil)
	if err != nil {
		return nil, final{error: err}
	}
	if t.header != nil {
		request.Header = t.header.Clone()
	}
	request.Header.Set("Accept-Encoding", "identity")
	if t.part.have > 0 {
		request.Header.Set("Range", fmt.Sprintf("bytes=%d-", t.part.have))
		if v := t.part.note.validator(); v != "" {
			request.Header.Set("If-Range", v)
		}
	}
	answer, err := t.client.Do(request)
	switch {
	case errors.Is(err, ErrInsecure) || errors.Is(err, errRedirects):
		return nil, final{error: plain(err)}
	case err != nil:
		return nil, plain(err)
	}
	return answer, nil
}

// begin judges an answer by its head and makes the part ready for the body.
func (t *transfer) begin(a *http.Response) error {
	now := partNote{Key: t.part.note.Key, ETag: a.Header.Get("ETag"), Modified: a.Header.Get("Last-Modified")}
	switch {
	case a.StatusCode == http.StatusOK:
		now.Total = max(a.ContentLength, 0)
		return t.whole(now)
	case a.StatusCode == http.StatusPartialContent && t.part.have > 0:
		return t.rest(a, now)
	case a.StatusCode == http.StatusRequestedRangeNotSatisfiable && t.part.have > 0:
		return errors.Join(errors.New("the file on the server is shorter than what is here"), t.part.restart())
	case a.StatusCode == http.StatusTooManyRequests || a.StatusCode == http.StatusRequestTimeout || a.StatusCode >= 500:
		return fmt.Errorf("the server answers %s", a.Status)
	}
	return final{error: fmt.Errorf("the server answers %s", a.Status)}
}

// whole takes a body that begins at the first byte.
func (t *transfer) whole(now partNote) error {
	if now.Total > maxModel {
		return final{error: fmt.Errorf("it is %d bytes long, more than %d", now.Total, int64(maxModel))}
	}
	if t.size > 0 && now.Total > 0 && now.Total != t.size {
		return final{error: fmt.Errorf("it is %d bytes long, not %d as the hub says", now.Total, t.size)}
	}
	now.Total = max(now.Total, t.size)
	t.part.note = now
	if err := t.part.restart(); err != nil {
		return final{error: err}
	}
	t.resumed = false
	return t.room()
}

// rest takes a body that goes on from what is here; a server that gives another
// range, or one of another file, is not believed.
func (t *transfer) rest(a *http.Response, now partNote) error {
	var from, to, total int64
	if n, _ := fmt.Sscanf(a.Header.Get("Content-Range"), "bytes %d-%d/%d", &from, &to, &total); n != 3 || from != t.part.have || to != total-1 {
		return errors.Join(fmt.Errorf("asked for the bytes from %d on, the server gives %q", t.part.have, printed(a.Header.Get("Content-Range"))), t.part.restart())
	}
	if old := t.part.note; old.Total > 0 && old.Total != total || old.ETag != "" && now.ETag != "" && old.ETag != now.ETag {
		return errors.Join(errors.New("the file on the server changed meanwhile"), t.part.restart())
	}
	t.resumed, t.part.note.Total = true, total
	return t.room()
}

// printed shortens what a server sent for an error.
func printed(s string) string { return s[:min(len(s), 80)] }

// room refuses what the disk cannot hold, before anything of it is written.
func (t *transfer) room() error {
	if t.part.note.Total == 0 {
		return nil
	}
	free, err := t.c.freeDisk(t.c.o.Dir)
	if err != nil {
		return nil // not told; a full disk will say so
	}
	if need := t.part.note.Total - t.part.have + spare; need > free {
		return final{error: t.kept(fmt.Errorf("%w: %s needed in %s, %s free", ErrDisk, memory.Size(need), t.c.o.Dir, memory.Size(free)))}
	}
	return nil
}

// ErrDisk: a model does not fit on the disk.
var ErrDisk = errors.New("not enough room on the disk")

func (c *Catalog) freeDisk(dir string) (int64, error) {
	if c.o.FreeDisk != nil {
		return c.o.FreeDisk(dir)
	}
	return freeDisk(dir)
}

// copy appends the body to the part.
func (t *transfer) copy(ctx context.Context, body io.Reader) error {
	most := int64(maxModel)
	if t.part.note.Total > 0 {
		most = t.part.note.Total
	}
	out := &meter{ctx: ctx, to: t.part, done: t.part.have, total: t.part.note.Total, progress: t.progress}
	_, err := io.Copy(out, io.LimitReader(body, most-t.part.have+1))
	switch {
	case err != nil:
		return err
	case t.part.have > most:
		return final{fmt.Errorf("more than %d bytes came", most), true}
	case t.part.note.Total > 0 && t.part.have < most:
		return fmt.Errorf("%d bytes came of %d: %w", t.part.have, most, io.ErrUnexpectedEOF)
	}
	return nil
}
