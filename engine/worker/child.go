package worker

import (
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"sync"
	"time"
)

// child is one life of the process.
type child struct {
	cmd    *exec.Cmd
	in     *frameReader
	stdout *os.File
	stdin  io.WriteCloser
	born   time.Time

	dead chan struct{} // closed once the process was waited for
	err  error         // set before dead is closed

	mu     sync.Mutex
	outbox []frame
	closed bool
	signal chan struct{}
	why    string // set by kill: what was wrong
}

// launch starts the process. Its standard output carries frames; its standard
// error goes to log.
func launch(cmd *exec.Cmd, log io.Writer) (*child, error) {
	c := &child{cmd: cmd, born: time.Now(), dead: make(chan struct{}), signal: make(chan struct{}, 1)}
	if log != nil {
		cmd.Stderr = log
	}
	// A child that dies while a grandchild holds the log open must not hold up
	// Wait.
	cmd.WaitDelay = time.Second
	cmd.SysProcAttr = attributes()
	stdin, err := cmd.StdinPipe()
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	// Not StdoutPipe: Wait would close it over tokens that are still inside.
	r, w, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("start worker: %w", err)
	}
	cmd.Stdout = w
	c.stdin, c.stdout, c.in = stdin, r, newFrameReader(r)
	started := make(chan error)
	go c.host(started)
	err = <-started
	_ = w.Close()
	if err != nil {
		_ = r.Close()
		return nil, fmt.Errorf("start worker: %w", err)
	}
	go c.post()
	return c, nil
}

// host starts the process and waits for it on one operating system thread:
// the death signal of attributes follows the thread that forked, not the
// program.
func (c *child) host(started chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	err := c.cmd.Start()
	started <- err
	if err != nil {
		return
	}
	c.err = c.cmd.Wait()
	close(c.dead)
	c.shut()
}

// send queues a frame. It never blocks, so a child that does not read cannot
// hold up the screen or its own watch.
func (c *child) send(f frame) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.closed {
		c.outbox = append(c.outbox, f)
		c.nudge()
	}
}

func (c *child) nudge() {
	select {
	case c.signal <- struct{}{}:
	default:
	}
}

// shut ends the child's standard input once what was queued is written; the
// child then ends by itself.
func (c *child) shut() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.closed = true
	c.nudge()
}

// post writes queued frames until the child is shut or gone.
func (c *child) post() {
	defer c.stdin.Close()
	w := newFrameWriter(c.stdin)
	for range c.signal {
		c.mu.Lock()
		frames, closed := c.outbox, c.closed
		c.outbox = nil
		c.mu.Unlock()
		for _, f := range frames {
			if err := w.write(f); err != nil {
				c.kill("does not take requests: " + err.Error())
				return
			}
		}
		if closed {
			return
		}
	}
}

// kill ends the process at once. The first reason given is the one reported.
func (c *child) kill(why string) {
	c.mu.Lock()
	if c.why == "" {
		c.why = why
	}
	c.mu.Unlock()
	_ = c.cmd.Process.Kill()
}

// end waits for the process after its output ended and says what happened.
func (c *child) end(cause error) string {
	if cause != nil && !errors.Is(cause, io.EOF) {
		c.kill("sent something else than frames: " + cause.Error())
	}
	select {
	case <-c.dead:
	case <-time.After(2 * time.Second): // it closed its output and lives on
		c.kill("closed its output")
		<-c.dead
	}
	_ = c.stdout.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case c.why != "":
		return c.why
	case c.err != nil:
		return "died: " + c.err.Error()
	}
	return "ended by itself"
}
