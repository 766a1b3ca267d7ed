package worker

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"time"

	"fabula/engine"
)

// supervise keeps a child alive until Close, a refusal or too many crashes.
func (c *Client) supervise() {
	defer close(c.over)
	for c.pause() {
		ch, err := launch(c.o.Command(), c.o.Log)
		if err != nil {
			c.give(fmt.Errorf("%w: %w", engine.ErrUnavailable, err))
			return
		}
		stop := make(chan struct{})
		c.adopt(ch)
		go c.watch(ch, stop)
		cause := c.listen(ch)
		close(stop)
		c.lost(ch.end(cause))
		ch.shut()
	}
}

// pause waits out the back-off; false when there is nothing more to start.
func (c *Client) pause() bool {
	c.mu.Lock()
	st, crashes := c.status, c.crashes
	c.mu.Unlock()
	if st.State == Failed || st.State == Closed {
		return false
	}
	if crashes >= c.o.Crashes {
		c.give(fmt.Errorf("%w: %w, %d times in a row", engine.ErrUnavailable, st.Err, crashes))
		return false
	}
	if crashes == 0 {
		return true
	}
	select {
	case <-c.done:
		return false
	case <-time.After(c.o.Backoff(crashes)):
		return true
	}
}

// adopt makes ch the living child and has it load the model.
func (c *Client) adopt(ch *child) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.child, c.missed = ch, 0
	c.life++
	if c.status.State == Closed {
		ch.kill("closed")
		return
	}
	c.set(Status{State: Loading, PID: ch.cmd.Process.Pid, Since: ch.born, Restarts: c.life - 1, Err: c.status.Err})
	ch.send(frame{Kind: kindLoad, Load: &Load{
		Model: c.o.Model, Context: c.o.Context, Threads: c.o.Threads, Memory: c.o.Memory, BaseHash: c.info.Build.BaseHash,
	}})
}

// listen handles the child's frames until its output ends.
func (c *Client) listen(ch *child) error {
	for {
		f, err := ch.in.read()
		if err != nil {
			return err
		}
		if err := c.handle(ch, f); err != nil {
			return err
		}
	}
}

func (c *Client) handle(ch *child, f frame) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	switch f.Kind {
	case kindProgress:
		st := c.status
		st.Progress = f.Progress
		c.set(st)
	case kindReady:
		c.ready(ch, *f.Facts)
	case kindPong:
		c.pong(f.Steps)
	case kindCounted, kindPrepared:
		c.answer(f)
	case kindFailed:
		c.refused(ch, f)
	case kindPrefill, kindToken, kindScored, kindDone:
		c.event(f)
	default:
		return fmt.Errorf("%w: kind %d is not for the parent", ErrFrame, f.Kind)
	}
	return nil
}

// The functions below run with c.mu held.

func (c *Client) set(st Status) {
	c.status = st
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *Client) ready(ch *child, f Facts) {
	if c.status.State != Loading {
		return
	}
	c.info.Context, c.info.Build, c.info.Note = f.Context, f.build(), f.Note
	c.info.Kept = engine.Kept{Prompts: f.Sequences, Bytes: f.Memory}
	if c.info.Model == "" {
		c.info.Model = f.Model
	}
	st := c.status
	st.State, st.Progress, st.Load = Ready, 1, time.Since(ch.born)
	c.set(st)
	c.dispatch()
}

// answer hands a frame to whoever asked for it.
func (c *Client) answer(f frame) bool {
	to, ok := c.asked[f.ID]
	if ok {
		delete(c.asked, f.ID)
		to <- f
	}
	return ok
}

// refused sorts out what failed: the model, a question or a request.
func (c *Client) refused(ch *child, f frame) {
	switch {
	case f.ID == 0 && c.status.State == Loading:
		c.failed(f.Failure.err())
		ch.shut()
	case c.answer(f):
	default:
		if w := c.running[f.ID]; w != nil {
			delete(c.running, f.ID)
			w.end(engine.Done{Reason: engine.Fault, Detail: f.Failure.Text, Err: f.Failure.err()})
			c.dispatch()
		}
	}
}

// event passes an event of a request on; late ones are dropped.
func (c *Client) event(f frame) {
	s := c.running[f.ID]
	if s == nil {
		return
	}
	switch f.Kind {
	case kindPrefill:
		s.push(*f.Prefill)
	case kindToken:
		s.push(*f.Token)
	case kindScored:
		s.scored(*f.Scored)
	case kindDone:
		delete(c.running, f.ID)
		if f.Done.Reason != engine.Fault {
			c.crashes = 0
		}
		s.finish(f.Done.event())
		c.dispatch()
	}
}

func (d *done) event() engine.Done {
	out := engine.Done{Reason: d.Reason, Detail: d.Detail, Tail: d.Tail, Stats: d.Stats}
	if d.Failure != nil {
		out.Err = d.Failure.err()
	}
	return out
}

// dispatch orders what waits for a child, once there is one. The child sorts
// requests by priority. Those that an earlier child died with go first and alone:
// the one that kills is then found, and the others are not lost twice.
func (c *Client) dispatch() {
	if c.status.State != Ready {
		return
	}
	suspect := func(w *waiter) bool { return w.lost && !w.warm }
	for id := range c.running {
		if suspect(c.running[id]) {
			return
		}
	}
	if i := slices.IndexFunc(c.queue, suspect); i >= 0 {
		if len(c.running) == 0 {
			w := c.queue[i]
			c.queue = slices.Delete(c.queue, i, i+1)
			c.send(w)
		}
		return
	}
	for _, w := range c.queue {
		c.send(w)
	}
	c.queue = nil
}

// send orders one request.
func (c *Client) send(w *waiter) {
	f := frame{Kind: kindRun, ID: w.id, Waited: time.Since(w.sent)}
	if w.life != c.life { // the child that prepared it died
		f.Request, f.Score = &w.request, w.score
	}
	w.waited(f.Waited)
	c.running[w.id] = w
	c.child.send(f)
}

// drop ends every request.
func (c *Client) drop(d engine.Done) {
	for _, w := range c.queue {
		w.end(d)
	}
	for _, w := range c.running {
		w.end(d)
	}
	c.queue = nil
	clear(c.running)
}

// failed gives the worker up for good.
func (c *Client) failed(err error) {
	if c.status.State == Closed {
		return
	}
	c.set(Status{State: Failed, Restarts: c.status.Restarts, Err: err})
	c.drop(engine.Done{Reason: engine.Fault, Detail: err.Error(), Err: err})
}

// The functions below take c.mu themselves.

func (c *Client) give(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failed(err)
}

// lost settles what a dead child leaves behind. Questions are asked anew. A
// request of which something was shown ends with that; the others run again,
// once: it may be theirs that kills the child.
func (c *Client) lost(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.o.Died != nil && c.status.State != Closed {
		c.o.Died(why)
	}
	c.child = nil
	for id, to := range c.asked {
		delete(c.asked, id)
		close(to)
	}
	err := &crash{what: why, log: logName(c.o.Log)}
	for _, id := range slices.Sorted(maps.Keys(c.running)) {
		w := c.running[id]
		switch {
		case w.cancelled:
			w.end(engine.Done{Reason: engine.Cancelled})
		case w.lost || w.warm || !w.untouched():
			w.end(engine.Done{Reason: engine.Fault, Detail: err.Error(), Err: err})
		default:
			w.lost = true
			c.queue = append(c.queue, w)
		}
	}
	clear(c.running)
	if c.status.State == Loading || c.status.State == Ready {
		c.crashes++
		c.set(Status{State: Waiting, Restarts: c.status.Restarts, Err: err})
	}
}

// cancel stops one request: at once when it waits for a child, else by asking
// the child, which is killed when it does not obey.
func (c *Client) cancel(w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	w.cancelled = true
	if i := slices.Index(c.queue, w); i >= 0 {
		c.queue = slices.Delete(c.queue, i, i+1)
		w.waited(time.Since(w.sent))
		w.end(engine.Done{Reason: engine.Cancelled})
	}
	ch := c.child
	if ch == nil {
		return
	}
	ch.send(frame{Kind: kindCancel, ID: w.id})
	if c.running[w.id] == w {
		time.AfterFunc(c.o.Grace, func() { c.insist(ch, w) })
	}
}

// insist kills a child that still runs a request it was told to stop.
func (c *Client) insist(ch *child, w *waiter) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running[w.id] == w && c.child == ch {
		ch.kill("did not stop when told to")
	}
}

// watch asks the child for a sign of life, and kills one that gives none.
// Counting checks, not seconds, forgives a suspended program.
func (c *Client) watch(ch *child, stop <-chan struct{}) {
	tick := time.NewTicker(c.o.Ping)
	defer tick.Stop()
	for {
		select {
		case <-stop:
			return
		case <-tick.C:
			c.mu.Lock()
			c.missed++
			if c.missed > c.o.Misses {
				ch.kill(fmt.Sprintf("made no progress for %v", time.Duration(c.o.Misses)*c.o.Ping))
			}
			c.mu.Unlock()
			ch.send(frame{Kind: kindPing})
		}
	}
}

// pong notes a sign of life; of a busy child only if it gets on. It runs with
// c.mu held.
func (c *Client) pong(steps uint64) {
	if len(c.running) == 0 || steps != c.steps {
		c.missed = 0
	}
	c.steps = steps
}

func logName(log any) string {
	if f, ok := log.(*os.File); ok {
		return f.Name()
	}
	return ""
}
