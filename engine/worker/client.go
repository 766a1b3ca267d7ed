package worker

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"time"

	"fabula/engine"
	"fabula/engine/sampling"
)

// Options say what to run and how patient to be. Only Model is needed.
type Options struct {
	// Command builds the child's command, anew for every start. nil runs this
	// executable with the argument "worker".
	Command func() *exec.Cmd
	Model   string // path of the weights
	Context int    // window in tokens, 0 = the backend's choice
	Threads int    // 0 = measured at load
	Memory  int64  // bytes that prompts kept ready may take, 0 = by what is free
	// Info is what is known before the model is open: Name, Model, Languages,
	// Toy, Build.BaseHash. The rest is filled in once it is.
	Info engine.Info
	// Log receives everything the child prints. An *os.File is handed to it.
	Log io.Writer

	// Died is told why a child ended that nobody closed; it must not call back.
	Died func(why string)

	Ping    time.Duration                   // between health checks, 0 = 2 s
	Misses  int                             // checks in a row without an answer or, while requests run, a pass, before the child is killed as hung: 0 = 15, half a minute
	Grace   time.Duration                   // for a cancelled reply or a closed child, then it is killed; 0 = 2 s
	Backoff func(crashes int) time.Duration // before start number crashes+1; nil = 0, 0.5 s, 1 s, 2 s
	Crashes int                             // in a row without a whole reply before giving up, 0 = 5
}

// errClosed is what calls to a closed client get.
var errClosed = fmt.Errorf("worker: %w: closed", engine.ErrUnavailable)

// Client runs a model in a child process. It is an engine.Engine and an
// engine.Counter, safe for concurrent use.
type Client struct {
	o    Options
	done chan struct{} // closed by Close
	over chan struct{} // closed when the last child is gone

	mu      sync.Mutex
	status  Status
	info    engine.Info
	changed chan struct{} // closed and replaced whenever status changes
	child   *child        // the living one, else nil
	life    int           // number of that child
	next    uint64        // request ids
	asked   map[uint64]chan frame
	queue   []*waiter          // wait for a child
	running map[uint64]*waiter // ordered from it
	crashes int                // since the last whole reply
	missed  int                // health checks in a row
	steps   uint64             // at the last health check
}

// waiter is a request that is not over.
type waiter struct {
	*stream
	sent time.Time
	life int // child that prepared it
	warm bool
	lost bool // with a child that died, before anything of it was shown
}

// Start starts the child and returns at once; Ready waits for the model. The
// error says that there is nothing to start.
func Start(o Options) (*Client, error) {
	if o.Model == "" {
		return nil, fmt.Errorf("worker: %w: no model given", engine.ErrUnavailable)
	}
	if o.Command == nil {
		self, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("worker: %w: own executable: %w", engine.ErrUnavailable, err)
		}
		o.Command = func() *exec.Cmd { return exec.Command(self, "worker") }
	}
	c := &Client{
		o: o.patience(), done: make(chan struct{}), over: make(chan struct{}), changed: make(chan struct{}),
		status: Status{State: Loading}, info: o.Info, asked: map[uint64]chan frame{}, running: map[uint64]*waiter{},
	}
	if c.info.Kind == "" {
		c.info.Kind = engine.GGUF
	}
	go c.supervise()
	return c, nil
}

func (o Options) patience() Options {
	if o.Ping == 0 {
		o.Ping = 2 * time.Second
	}
	if o.Misses == 0 {
		o.Misses = 15
	}
	if o.Grace == 0 {
		o.Grace = 2 * time.Second
	}
	if o.Crashes == 0 {
		o.Crashes = 5
	}
	if o.Backoff == nil {
		o.Backoff = func(crashes int) time.Duration {
			if crashes < 2 {
				return 0
			}
			return 250 * time.Millisecond << min(crashes-1, 6)
		}
	}
	return o
}

// Info describes the model. Context and Build are complete once it is open.
func (c *Client) Info() engine.Info {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.info
}

// Status reports the child's health.
func (c *Client) Status() Status {
	st, _ := c.state()
	return st
}

// state gives the status and a channel that is closed when it changes.
func (c *Client) state() (Status, <-chan struct{}) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.status, c.changed
}

// Ready waits until the model can answer. It fails when the child was given up
// or refused the model, and with ctx.
func (c *Client) Ready(ctx context.Context) error {
	for {
		st, changed := c.state()
		switch st.State {
		case Ready:
			return nil
		case Failed:
			return st.Err
		case Closed:
			return errClosed
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// Generate waits for the model, has the prompt tokenised and orders the reply.
// Replies run side by side; Chat before Background. The error is a *TooLong, one
// of the sentinels of package engine, or that of ctx.
func (c *Client) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	sent := time.Now()
	if err := sampling.Check(r.Sampling); err != nil {
		return nil, fmt.Errorf("worker: %w", err)
	}
	id := c.id()
	_, life, err := c.ask(ctx, frame{Kind: kindPrepare, ID: id, Request: &r})
	if err != nil {
		return nil, err
	}
	w := &waiter{stream: newStream(id, r), sent: sent, life: life}
	return w.stream, c.order(ctx, w)
}

// Warm implements engine.Warmer.
func (c *Client) Warm(ctx context.Context, messages []engine.Message) error {
	sent := time.Now()
	r := engine.Request{Messages: messages, Priority: engine.Background}
	id := c.id()
	_, life, err := c.ask(ctx, frame{Kind: kindPrepare, ID: id, Request: &r, Warm: true})
	if err != nil {
		return err
	}
	s := newStream(id, r)
	if err := c.order(ctx, &waiter{stream: s, sent: sent, life: life, warm: true}); err != nil {
		return err
	}
	e, err := s.Next() // there is only Done
	if d, ok := e.(engine.Done); ok && d.Err != nil {
		return d.Err
	}
	if err == nil {
		err = ctx.Err()
	}
	return err
}

// order has a prepared request run.
func (c *Client) order(ctx context.Context, w *waiter) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch c.status.State {
	case Closed:
		return errClosed
	case Failed:
		return c.status.Err
	}
	w.stop = context.AfterFunc(ctx, func() { c.cancel(w) })
	c.queue = append(c.queue, w)
	c.dispatch()
	return nil
}

// Count implements engine.Counter. It does not wait for replies.
func (c *Client) Count(ctx context.Context, messages []engine.Message) (engine.Count, error) {
	f, _, err := c.ask(ctx, frame{Kind: kindCount, ID: c.id(), Messages: messages})
	if err != nil {
		return engine.Count{}, err
	}
	return *f.Count, nil
}

// Close ends the child. Replies that run or wait end as cancelled.
func (c *Client) Close() error {
	c.mu.Lock()
	if c.status.State != Closed {
		c.set(Status{State: Closed, Restarts: c.status.Restarts})
		close(c.done)
		c.drop(engine.Done{Reason: engine.Cancelled, Detail: "closed"})
		if ch := c.child; ch != nil {
			ch.shut()
			late := time.AfterFunc(c.o.Grace, func() { ch.kill("took too long to close") })
			defer late.Stop()
		}
	}
	c.mu.Unlock()
	<-c.over
	return nil
}

func (c *Client) id() uint64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.next++
	return c.next
}

// ask sends a frame that the child answers at once, and waits for the answer.
// A child that dies meanwhile is asked anew in its next life.
func (c *Client) ask(ctx context.Context, f frame) (frame, int, error) {
	for {
		if err := c.Ready(ctx); err != nil {
			return frame{}, 0, err
		}
		answer, life := c.post(f)
		if answer == nil {
			continue
		}
		select {
		case a, ok := <-answer:
			switch {
			case !ok: // the child died
				continue
			case a.Kind == kindFailed:
				return frame{}, 0, a.Failure.err()
			}
			return a, life, nil
		case <-ctx.Done():
			c.forget(f.ID)
			return frame{}, 0, ctx.Err()
		}
	}
}

// post sends f and returns where its answer will arrive, or nil when there is
// no child just now.
func (c *Client) post(f frame) (<-chan frame, int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.status.State != Ready {
		return nil, 0
	}
	answer := make(chan frame, 1)
	c.asked[f.ID] = answer
	c.child.send(f)
	return answer, c.life
}

// forget gives up on an answer and on what the child prepared for it.
func (c *Client) forget(id uint64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.asked, id)
	if c.child != nil {
		c.child.send(frame{Kind: kindCancel, ID: id})
	}
}
