package main

import (
	"bufio"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

// talks runs a program and talks to it as a file says, a line a step: `< text`
// is written to it, `> text` is waited for on its output, `? folder/file` waits
// until such a file is there, `$ words => text` runs it beside and looks for text. talks FILE fabula …
func talks(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: talks FILE PROGRAM [ARG…]")
	}
	bin := filepath.Join(filepath.SplitList(ts.Getenv("PATH"))[0], args[1])
	c := exec.Command(bin, args[2:]...)
	c.Dir, c.Env = ts.MkAbs("."), environment(ts)
	in, err := c.StdinPipe()
	ts.Check(err)
	heard := &heard{}
	c.Stdout, c.Stderr = heard, heard
	ts.Check(c.Start())
	defer func() { _ = c.Process.Kill(); _ = c.Wait() }()
	script := bufio.NewScanner(strings.NewReader(ts.ReadFile(args[0])))
	for script.Scan() {
		sign, text, _ := strings.Cut(strings.TrimSpace(script.Text()), " ")
		switch sign {
		case "<":
			_, err := io.WriteString(in, text+"\n")
			ts.Check(err)
		case ">":
			if !heard.waits(text) {
				ts.Fatalf("waited in vain for %q; heard %q", text, heard.String())
			}
		case "?":
			if !appears(ts.Getenv("WORK"), text) {
				ts.Fatalf("waited in vain for a file %s", text)
			}
		case "$":
			words, want, _ := strings.Cut(text, " => ")
			beside := exec.Command(bin, strings.Fields(words)...)
			beside.Dir, beside.Env = c.Dir, c.Env
			if out, err := beside.CombinedOutput(); err != nil || !strings.Contains(string(out), want) {
				ts.Fatalf("%s: %v, wanted %q in %s", words, err, want, out)
			}
		}
	}
	ts.Check(in.Close())
	ts.Check(c.Wait())
}

// appears waits for a file whose path ends like pattern, as path.Match has it.
func appears(below, pattern string) bool {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		found := false
		_ = filepath.WalkDir(below, func(name string, _ fs.DirEntry, err error) error {
			folder, file := filepath.Split(name)
			is, _ := path.Match(pattern, filepath.Base(folder)+"/"+file)
			found = found || err == nil && is
			return nil // files come and go
		})
		if found {
			return true
		}
	}
	return false
}

// environment gives what the script's programs see.
func environment(ts *testscript.TestScript) []string {
	var env []string
	for _, name := range []string{"PATH", "HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "LANG", "WORK"} {
		env = append(env, name+"="+ts.Getenv(name))
	}
	return append(env, "TMPDIR="+os.TempDir())
}

// heard keeps what a program writes. Waiting takes what was found, so that the
// same words have to come again.
type heard struct {
	mu    sync.Mutex
	all   strings.Builder
	taken int
}

func (h *heard) Write(p []byte) (int, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.Write(p)
}

func (h *heard) String() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.all.String()
}

func (h *heard) waits(text string) bool {
	for end := time.Now().Add(2 * time.Minute); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		h.mu.Lock()
		if i := strings.Index(h.all.String()[h.taken:], text); i >= 0 {
			h.taken += i + len(text)
			h.mu.Unlock()
			return true
		}
		h.mu.Unlock()
	}
	return false
}
