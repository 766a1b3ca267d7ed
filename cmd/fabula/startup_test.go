package main

import (
	"io"
	"os"
	"os/exec"
	"testing"

	"github.com/creack/pty"
)

// TestVersionIsQuietOnAMuteTerminal: a terminal that answers nothing must not
// stall the program, so no query may be sent to it: each one waits 5 s for its
// answer. How long it takes is BenchmarkVersion's.
func TestVersionIsQuietOnAMuteTerminal(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	for _, term := range []string{"xterm-256color", "alacritty", "dumb"} {
		c := exec.Command(self, "--version")
		c.Args[0] = "fabula"
		c.Env = append(os.Environ(), "TERM="+term)
		terminal, err := pty.Start(c)
		if err != nil {
			t.Fatal(err)
		}
		out, _ := io.ReadAll(terminal) // a closed pty reads as an error on Linux
		if err := c.Wait(); err != nil {
			t.Fatalf("TERM=%s: %v\n%s", term, err, out)
		}
		for _, b := range out {
			if b == 0x1b {
				t.Fatalf("TERM=%s: escape byte in %q: something asks the terminal", term, out)
			}
		}
	}
}
