package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// exits runs a program and demands an exit code: exits 2 fabula show x.
// Output goes to the files out and err of the work folder.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE PROGRAM [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("%v: exit code %d, want %d", args[1:], got, want)
	}
}

// interrupts runs a program until a text stands on its output, interrupts it
// and demands an exit code: interrupts 130 'Hello' fabula say …
func interrupts(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 3 {
		ts.Fatalf("usage: interrupts CODE TEXT PROGRAM [ARG…]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	out := &trigger{text: args[1], seen: make(chan struct{})}
	c := exec.Command(filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[2]), args[3:]...)
	c.Dir, c.Stdout, c.Stderr = ts.MkAbs("."), out, ts.Stderr()
	for _, name := range []string{"PATH", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LANG"} {
		c.Env = append(c.Env, name+"="+ts.Getenv(name))
	}
	ts.Check(c.Start())
	ended := make(chan error, 1)
	go func() { ended <- c.Wait() }()
	select {
	case <-out.seen:
		ts.Check(c.Process.Signal(os.Interrupt))
		err = <-ended
	case err = <-ended:
	}
	var exit *exec.ExitError
	if !errors.As(err, &exit) || exit.ExitCode() != want {
		ts.Fatalf("%v: %v, want exit code %d; output %q", args[2:], err, want, out.all.String())
	}
}

// trigger keeps what is written and tells once when a text stands in it.
type trigger struct {
	text string
	seen chan struct{}
	all  bytes.Buffer
	told bool
}

func (t *trigger) Write(p []byte) (int, error) {
	t.all.Write(p)
	if !t.told && strings.Contains(t.all.String(), t.text) {
		t.told = true
		close(t.seen)
	}
	return len(p), nil
}
