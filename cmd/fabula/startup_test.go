package main

import (
	"io"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/creack/pty"
)

// TestVersionIsQuietOnAMuteTerminal: a terminal that answers nothing must not
// stall the program, and no query may be sent to it.
func TestVersionIsQuietOnAMuteTerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range []string{"xterm-256color", "alacritty", "dumb"} {
		c := exec.Command(self, "--version")
		c.Args[0] = "fabula"
		c.Env = append(os.Environ(), "TERM="+term)
		start := time.Now()
		terminal, err := pty.Start(c)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(terminal) // a closed pty reads as an error on Linux
		if err := c.Wait(); err != nil {
			t.Fatalf("TERM=%s: %v\n%s", term, err, out)
		}
		if d := time.Since(start); d > 4*time.Second { // the stall is 5 s; the figure itself is a benchmark
			t.Errorf("TERM=%s: --version took %v: something asks the terminal", term, d)
		}
		for _, b := range out {
			if b == 0x1b {
				t.Fatalf("TERM=%s: escape byte in %q", term, out)
			}
		}
	}
}
