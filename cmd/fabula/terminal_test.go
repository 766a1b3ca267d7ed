//go:build terminal

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/adrg/xdg"
)

// home makes an empty home whose models folder is the machine's, and gives the
// environment that leads there.
func home(t *testing.T) []string {
	t.Helper()
	dir := t.TempDir()
	models := filepath.Join(xdg.DataHome, "fabula", "models")
	if m, err := filepath.Glob(filepath.Join(models, "*.gguf")); err != nil || len(m) == 0 {
		t.Fatalf("no model in %s: run make model", models)
	}
	data := filepath.Join(dir, "data", "fabula")
	if err := os.MkdirAll(data, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(models, filepath.Join(data, "models")); err != nil {
		t.Fatal(err)
	}
	return []string{
		"HOME=" + dir, "XDG_DATA_HOME=" + filepath.Join(dir, "data"), "XDG_STATE_HOME=" + filepath.Join(dir, "state"),
		"XDG_CONFIG_HOME=" + filepath.Join(dir, "config"), "LANG=en_US.UTF-8",
	}
}

// TestTerminalPlay is a writer's first minutes, in a real terminal with the
// real model: talk in two languages, stop, retry, leave by choice and by
// saying it, quit, come back.
func TestTerminalPlay(t *testing.T) {
	x := newTerminal(t, 80, 24, home(t)...)
	x.command("stty -a > before; %s fox_lantern", binary(t))
	x.wait("The front hall", "SmolLM2")

	x.text("灯是谁点的？")
	x.wait("> 灯是谁点的？")
	x.keys("Enter")
	x.wait("turn 1", "grounded")
	freely(x)

	// Stopped while the model still reads the prompt, then asked again.
	x.text("Who lit the lamp?")
	x.keys("Enter")
	x.wait("waiting for the first token")
	x.keys("Escape")
	t.Logf("from esc to «stopped» on the glass, reading the prompt: %v", x.wait("stopped").Round(time.Millisecond))
	x.keys("Escape")
	x.wait("reading")
	x.keys("r")
	x.until("the second try, finished", func(s string) bool { // the first turn has two tries already
		_, turn, _ := strings.Cut(s, "Who lit the lamp?")
		return strings.Contains(turn, "alt 2/2") && !strings.Contains(s, "esc stops") && !strings.Contains(s, "streaming")
	})

	// By choice: the number is the one on the screen.
	x.keys("M-2")
	x.wait("─ The kitchen ─")
	settled(x)
	x.keys("i")
	x.wait("writing")
	x.keys("M-1")
	settled(x)

	quit(x)
	x.command("stty -a > after; cmp before after && echo terminal is as before")
	x.wait("terminal is as before")
}

// freely has the toy speak freely from the first reply on, which it chose.
func freely(x *terminal) {
	x.t.Helper()
	settled(x)
	x.keys("Escape")
	x.wait("reading")
	x.keys("f")
	x.wait("alt 2/2", "tok/s")
	settled(x)
	x.keys("i")
	x.wait("writing")
}

// settled waits until no reply is on its way.
func settled(x *terminal) {
	x.t.Helper()
	x.until("a finished turn", func(s string) bool { return !strings.Contains(s, "esc stops") && !strings.Contains(s, "streaming") })
}

// TestTerminalStop stops a reply whose tokens come slowly, as a script says:
// what came stays, marked.
func TestTerminalStop(t *testing.T) {
	script := filepath.Join(t.TempDir(), "slow.script")
	if err := os.WriteFile(script, []byte("reply\n  text \"drip \" 50ms times=400\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t, 80, 24, home(t)...)
	x.command("%s fox_lantern --engine scripted:%s", binary(t), script)
	x.wait("The front hall")
	x.text("Good evening.")
	x.keys("Enter")
	x.wait("drip drip drip")
	x.keys("Escape")
	t.Logf("from esc to «stopped» on the glass, streaming: %v", x.wait("stopped").Round(time.Millisecond))
	settled(x)
	x.wait("drip drip drip")
	quit(x)
}

// quit leaves the workbench and waits for the shell's prompt to be the last
// thing on the screen: the old one shows again before the program is gone.
func quit(x *terminal) {
	x.t.Helper()
	x.keys("C-c", "C-c")
	x.until("the shell's prompt", func(s string) bool { return strings.HasSuffix(strings.TrimSpace(s), "ready>") })
}

// TestTerminalLeaveBySaying leaves a node by free speech and a yes, and finds
// everything again after quitting in the middle of a sentence.
func TestTerminalLeaveBySaying(t *testing.T) {
	env := home(t)
	x := newTerminal(t, 120, 40, env...)
	x.command("%s fox_lantern --engine recall", binary(t))
	x.wait("The front hall")
	x.text("I'm leaving.")
	x.keys("Enter")
	x.wait("turn 1", "asks")
	x.text("yes")
	x.keys("Enter")
	x.wait("turn 2", "by saying")
	x.text("这句话还没说完")
	x.wait("> 这句话还没说完")
	quit(x)

	x.command("clear; %s", binary(t))
	x.wait("turn 2", "I'm leaving.", "> 这句话还没说完")
	quit(x)
}

// TestTerminalWorkerKilled: the native process dies in the middle of a reply;
// what came stays, marked, and the next reply works.
func TestTerminalWorkerKilled(t *testing.T) {
	x := newTerminal(t, 120, 40, home(t)...)
	x.command("%s fox_lantern", binary(t))
	x.wait("The front hall", "SmolLM2")
	x.text("Who are you?")
	x.keys("Enter")
	x.wait("turn 1", "grounded")
	freely(x)
	x.text("Tell me everything you know about this house, the mountain and the rain.")
	x.keys("Enter")
	x.until("streamed words", func(s string) bool {
		return regexp.MustCompile(`streaming`).MatchString(s) && regexp.MustCompile(`[1-9][0-9]* tok`).MatchString(s)
	})
	if out, err := exec.Command("pkill", "-9", "-f", binary(t)+" worker").CombinedOutput(); err != nil {
		t.Fatalf("kill worker: %v %s", err, out)
	}
	x.wait("the engine failed")
	x.keys("i")
	x.text("Good evening.")
	x.keys("Enter")
	x.wait("turn 3", "tok/s")
	quit(x)
}

// TestTerminalResizeStorm: any size, also far too small, and back.
func TestTerminalResizeStorm(t *testing.T) {
	x := newTerminal(t, 80, 24, home(t)...)
	x.command("%s fox_lantern --engine recall", binary(t))
	x.wait("The front hall")
	for _, size := range [][2]string{{"30", "8"}, {"200", "60"}, {"59", "15"}, {"120", "40"}, {"60", "16"}, {"80", "24"}} {
		x.tmux("resize-window", "-x", size[0], "-y", size[1])
		time.Sleep(30 * time.Millisecond)
	}
	x.wait("The front hall", "enter send")
	quit(x)
}
