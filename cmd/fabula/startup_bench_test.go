package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/creack/pty"
)

// program is this test binary, run as fabula.
func program(b *testing.B, args ...string) *exec.Cmd {
	b.Helper()
	self, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Args[0] = "fabula"
	home := b.TempDir()
	c.Env = append(os.Environ(), "HOME="+home, "XDG_DATA_HOME="+home, "XDG_STATE_HOME="+home, "TERM=xterm-256color", "LANG=en_US.UTF-8")
	return c
}

// BenchmarkVersion is the whole process of `fabula version`.
func BenchmarkVersion(b *testing.B) {
	for b.Loop() {
		if err := program(b, "version").Run(); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkFirstFrame is from the start of the process to the first frame of
// the demo world on a terminal that answers no query.
func BenchmarkFirstFrame(b *testing.B) {
	var total time.Duration
	for b.Loop() {
		c := program(b, "fox_lantern", "--engine", "recall")
		start := time.Now()
		terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: 40, Cols: 120})
		if err != nil {
			b.Fatal(err)
		}
		if err := readUntil(terminal, "Fox Lantern"); err != nil {
			b.Fatal(err)
		}
		total += time.Since(start)
		if err := c.Process.Signal(os.Interrupt); err != nil {
			b.Fatal(err)
		}
		go io.Copy(io.Discard, terminal)
		_ = c.Wait() // ends by the signal
		terminal.Close()
	}
	b.ReportMetric(float64(total.Microseconds())/float64(b.N)/1000, "ms/first-frame")
}

func readUntil(r io.Reader, want string) error {
	var seen []byte
	buf := make([]byte, 4096)
	for !bytes.Contains(seen, []byte(want)) {
		n, err := r.Read(buf)
		if err != nil {
			return err
		}
		seen = append(seen, buf[:n]...)
	}
	return nil
}
