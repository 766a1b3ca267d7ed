package worker

import (
	"fmt"
	"os"
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
		Model: c.o.Model, Context: c.o.Context, Threads: c.o.Threads, BaseHash: c.info.Build.BaseHash,
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

// refused sorts out what failed: the model, a question or the running reply.
func (c *Client) refused(ch *child, f frame) {
	switch {
	case f.ID == 0 && c.status.State == Loading:
		c.failed(f.Failure.err())
		ch.shut()
	case c.answer(f):
	case c.running != nil && c.running.id == f.ID:
		c.running.lost(engine.Done{Reason: engine.Fault, Detail: f.Failure.Text, Err: f.Failure.err()})
		c.running = nil
		c.dispatch()
	}
}

// event passes an event of the running reply on; late ones are dropped.
func (c *Client) event(f frame) {
	s := c.running
	if s == nil || s.id != f.ID {
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
		c.running = nil
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

// enqueue puts a request behind those of its priority.
func (c *Client) enqueue(w *waiter) {
	at := len(c.queue)
	for at > 0 && c.queue[at-1].request.Priority > w.request.Priority {
		at--
	}
	c.queue = append(c.queue, nil)
	copy(c.queue[at+1:], c.queue[at:])
	c.queue[at] = w
}

// dispatch orders the next reply once the child is free.
func (c *Client) dispatch() {
	if c.running != nil || c.status.State != Ready || len(c.queue) == 0 {
		return
	}
	w := c.queue[0]
	c.queue = c.queue[1:]
	c.running = w.stream
	f := frame{Kind: kindRun, ID: w.id, Waited: time.Since(w.sent)}
	if w.life != c.life { // the child that prepared it died
		f.Request, f.Score = &w.request, w.score
	}
	w.waited(f.Waited)
	c.child.send(f)
}

// drop ends every reply.
func (c *Client) drop(d engine.Done) {
	for _, w := range c.queue {
		w.lost(d)
	}
	c.queue = nil
	if c.running != nil {
		c.running.lost(d)
		c.running = nil
	}
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

// lost settles what a dead child leaves behind: its reply ends with what was
// said, questions are asked anew, waiting replies stay in the queue.
func (c *Client) lost(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.child = nil
	for id, to := range c.asked {
		delete(c.asked, id)
		close(to)
	}
	err := &crash{what: why, log: logName(c.o.Log)}
	if s := c.running; s != nil {
		c.running = nil
		d := engine.Done{Reason: engine.Fault, Detail: err.Error(), Err: err}
		if s.cancelled {
			d = engine.Done{Reason: engine.Cancelled}
		}
		s.lost(d)
	}
	if c.status.State == Loading || c.status.State == Ready {
		c.crashes++
		c.set(Status{State: Waiting, Restarts: c.status.Restarts, Err: err})
	}
}

// cancel stops one reply: at once when it waits, else by asking the child,
// which is killed when it does not obey.
func (c *Client) cancel(s *stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s.cancelled = true
	for i, w := range c.queue {
		if w.stream == s {
			c.queue = append(c.queue[:i:i], c.queue[i+1:]...)
			w.waited(time.Since(w.sent))
			s.lost(engine.Done{Reason: engine.Cancelled})
			break
		}
	}
	ch := c.child
	if ch == nil {
		return
	}
	ch.send(frame{Kind: kindCancel, ID: s.id})
	if c.running == s {
		time.AfterFunc(c.o.Grace, func() { c.insist(ch, s) })
	}
}

// insist kills a child that still runs a reply it was told to stop.
func (c *Client) insist(ch *child, s *stream) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running == s && c.child == ch {
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
	if c.running == nil || steps != c.steps {
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
