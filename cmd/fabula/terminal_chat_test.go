//go:build terminal

package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// keeperScript plays the demo's host by a file: no model, the same words every time.
const keeperScript = `engine keeper
window 4096
languages en zh
reply
  match "slow"
  prefill 200 0 20ms
  text "drip " 30ms times=300
reply
  match "雨"
  prefill 30 180 10ms
  say "雨下了三天，客官坐。" 5ms
reply
  prefill 200 30 30ms
  say "Sit down by the stove and tell me what you saw." 6ms
reply
  prefill 20 210 10ms
  say "The rain keeps everybody here." 6ms
`

// withKeeper opens the demo with the scripted host at a size.
func withKeeper(t *testing.T, w, h int, more ...string) *terminal {
	t.Helper()
	script := filepath.Join(t.TempDir(), "keeper.script")
	if err := os.WriteFile(script, []byte(keeperScript), 0o644); err != nil {
		t.Fatal(err)
	}
	x := newTerminal(t, w, h, home(t)...)
	x.command("%s", strings.Join(append([]string{binary(t), "fox_lantern", "--engine", "scripted:" + script}, more...), " "))
	return x
}

// answered is a terminal in which the keeper answered once, and letters are keys.
func answered(t *testing.T, columns, rows int) *terminal {
	t.Helper()
	x := withKeeper(t, columns, rows)
	x.wait("The front hall")
	x.asks("Good evening.", "stove")
	x.keys("Escape")
	x.wait("─ reading ─")
	return x
}

// asks sends a line and waits for words of the answer.
func (x *terminal) asks(line, words string) {
	x.t.Helper()
	x.text(line)
	x.keys("Enter")
	x.wait(words)
	settled(x)
}

// cursor gives the place of the hardware cursor, which input methods follow.
func (x *terminal) cursor() string {
	x.t.Helper()
	return strings.TrimSpace(x.tmux("display-message", "-p", "#{cursor_x},#{cursor_y}"))
}

// TestTerminalInspector: state, prompt, lore and findings of a turn, over the talk
// at 80 columns, beside it at 120, unasked at 200.
func TestTerminalInspector(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.asks("Good evening.", "stove")
	x.keys("F9")
	x.wait("[state]", "lore & memory")
	x.keys("Tab")
	x.wait("[prompt]", "kept for the reply")
	x.keys("F9")
	x.wait("enter send")
	x.tmux("resize-window", "-x", "120", "-y", "40")
	x.keys("Escape")
	x.wait("─ reading ─")
	x.keys("p")
	x.wait("[prompt]", "kept for the reply", "Sit down by the stove")
	x.tmux("resize-window", "-x", "200", "-y", "60")
	x.wait("Branches", "Gaps of this session", "[prompt]")
	x.keys("Escape")
	x.wait("─ reading ─")
	quit(x)
}

// TestTerminalWhatIf: a segment is switched off and the reply regenerated.
func TestTerminalWhatIf(t *testing.T) {
	x := answered(t, 120, 40)
	x.keys("p")
	x.wait("kept for the reply")
	x.keys("j", "Space")
	x.wait("switched off: persona")
	x.keys("r")
	x.wait("alt 2/2", "without persona")
	quit(x)
}

// TestTerminalUndo: undo and redo, also after the program was left.
func TestTerminalUndo(t *testing.T) {
	x := answered(t, 80, 24)
	x.keys("r")
	x.wait("alt 2/2")
	settled(x)
	quit(x)
	x.command("clear; %s fox_lantern", binary(t))
	x.wait("alt 2/2")
	x.keys("Escape")
	x.wait("─ reading ─")
	x.keys("u")
	x.wait("alt 1/2", "stove")
	x.keys("U")
	x.wait("alt 2/2")
	quit(x)
}

// TestTerminalEditReply: an NPC's words changed by hand stand beside the old ones.
func TestTerminalEditReply(t *testing.T) {
	x := answered(t, 80, 24)
	x.keys("E")
	x.wait("changing a reply")
	x.keys("C-u")
	x.text("Go away.")
	x.keys("Enter")
	x.wait("alt 2/2", "Go away.")
	quit(x)
}

// TestTerminalPause: who scrolls up while a reply streams stays there, is told so,
// and comes back by scrolling down.
func TestTerminalPause(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	for n := range 4 {
		x.asks("Good evening.", fmt.Sprintf("turn %d", n+1))
	}
	x.text("slow")
	x.keys("Enter")
	x.wait("drip drip")
	x.keys("PPage")
	x.wait("G follows")
	x.keys("Escape")
	x.until("the pause to be one of reading", func(s string) bool { return strings.Contains(s, "below") && !strings.Contains(s, "G follows") })
	x.keys("NPage", "NPage", "NPage", "NPage")
	x.wait("stopped")
	quit(x)
}

// TestTerminalLongPaste: two hundred lines of bracketed paste are counted and
// sent as one input.
func TestTerminalLongPaste(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	var b strings.Builder
	for i := range 200 {
		fmt.Fprintf(&b, "line %d of a letter\n", i)
	}
	file := filepath.Join(t.TempDir(), "letter")
	if err := os.WriteFile(file, []byte(strings.TrimSuffix(b.String(), "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	x.tmux("load-buffer", file)
	x.tmux("paste-buffer", "-p")
	x.wait("pasted 200 lines")
	x.keys("Enter")
	x.wait("turn 1")
	settled(x)
	quit(x)
}

// TestTerminalChinese: what an input method commits arrives, and the hardware
// cursor stands where the next character goes.
func TestTerminalChinese(t *testing.T) {
	x := withKeeper(t, 80, 24, "--lang", "zh", "--speak", "zh")
	x.wait("书写", "第一次来") // the offer of the tour moves the composer
	start := x.cursor()
	x.text("外面下雨")
	x.wait("> 外面下雨")
	var col, row, at, line int
	fmt.Sscanf(start, "%d,%d", &col, &row)
	x.until("the cursor after four wide characters", func(string) bool {
		fmt.Sscanf(x.cursor(), "%d,%d", &at, &line)
		return at == col+8 && line == row
	})
	x.keys("Left", "Left")
	x.until("the cursor two characters back", func(string) bool {
		fmt.Sscanf(x.cursor(), "%d,%d", &at, &line)
		return at == col+4
	})
	x.keys("Enter")
	x.wait("雨下了三天", "第 1 轮")
	settled(x)
	quit(x)
}

// prompted waits until the shell has the keyboard again: its last line is a prompt.
func prompted(x *terminal) {
	x.t.Helper()
	x.until("the shell's prompt after the stopped job", func(s string) bool {
		return strings.Contains(s, "Stopped") && strings.HasSuffix(strings.TrimSpace(s), "ready>")
	})
}

// TestTerminalDraftSurvivesKill: a program that is killed in the middle of a
// sentence brings it back.
func TestTerminalDraftSurvivesKill(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.text("This sentence is not finis")
	x.wait("> This sentence is not finis")
	time.Sleep(1200 * time.Millisecond) // a draft is written 0.8 s after the last key
	x.keys("C-z")
	prompted(x)
	x.command("kill -9 %%1; wait; reset; clear; %s", binary(t))
	x.wait("The front hall", "> This sentence is not finis")
	quit(x)
}

// TestTerminalSuspend: ctrl+z gives the shell back, fg the workbench as it was.
func TestTerminalSuspend(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.text("half a li")
	x.wait("> half a li")
	x.keys("C-z")
	prompted(x)
	x.command("fg")
	x.wait("> half a li")
	x.text("ne")
	x.wait("> half a line")
	quit(x)
}

// TestTerminalSecondProcess: reading commands work beside an open workbench; a
// second writer is told who holds the store.
func TestTerminalSecondProcess(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.asks("Good evening.", "stove")
	x.tmux("split-window", "-v", "env", "PS1=below> ", "LC_ALL=C.utf8", "sh")
	x.wait("below>")
	x.command("%s branches fox_lantern | wc -l; %s say fox_lantern laozhou hello >/dev/null 2>&1; echo code $?", binary(t), binary(t))
	x.wait("code 11")
	x.command("exit")
	x.wait("writing") // the shell is gone: what is typed is for the workbench again
	quit(x)
}

// TestTerminalBranchAndAlternatives: four replies at once beside each other, one
// is taken, a branch is made of it.
func TestTerminalBranchAndAlternatives(t *testing.T) {
	x := answered(t, 200, 50)
	x.keys("R")
	x.wait("alternative 2 of 5")
	settled(x)
	x.keys("2", "Enter")
	x.wait("alt 2/5")
	x.keys("b")
	x.wait("starts here")
	quit(x)
}

// TestTerminalChoicesList: every choice can be walked to and taken.
func TestTerminalChoicesList(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.keys("M-0")
	x.wait("choices 1/")
	x.keys("2", "Enter")
	x.wait("The kitchen")
	settled(x)
	quit(x)
}

// TestTerminalSlash: commands of the composer do what they say; a wrong one is
// kept, with what was meant.
func TestTerminalSlash(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.asks("Good evening.", "turn 1")
	x.asks("/branch by the stove", "starts here")
	x.asks("/goto kitchen", "─ The kitchen ─")
	x.asks("/undo", "back at turn")
	x.asks("/retyr", "did you mean /retry?")
	x.wait("> /retyr")
	quit(x)
}

// TestTerminalContinue: a reply that was stopped goes on beside the one that
// ended there.
func TestTerminalContinue(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	x.text("slow")
	x.keys("Enter")
	x.wait("drip drip")
	x.keys("Escape")
	x.wait("stopped")
	settled(x)
	x.keys("Escape")
	x.wait("─ reading ─")
	x.keys("C")
	x.wait("streaming")
	x.keys("Escape")
	x.wait("goes on", "alt 2/2")
	quit(x)
}

// TestTerminalTokens: a reply token by token, with the time of each.
func TestTerminalTokens(t *testing.T) {
	x := answered(t, 80, 24)
	x.keys("T")
	x.wait("token 1 of", "ttft 36ms")
	x.keys("l")
	x.wait("token 2 of", "gap 6.0ms")
	x.keys("Escape")
	x.wait("─ reading ─")
	quit(x)
}

// TestTerminalHostilePaste: what is pasted cannot steer the terminal: no title, no
// bell, no way out of the alternate screen.
func TestTerminalHostilePaste(t *testing.T) {
	x := withKeeper(t, 80, 24)
	x.wait("The front hall")
	file := filepath.Join(t.TempDir(), "hostile")
	if err := os.WriteFile(file, []byte("see \x1b]2;owned\x07 \x1b[?1049l \u202egnp.exe\u200b end"), 0o644); err != nil {
		t.Fatal(err)
	}
	x.tmux("load-buffer", file)
	x.tmux("paste-buffer", "-p")
	x.wait("> see", "end")
	x.keys("Enter")
	x.wait("turn 1")
	settled(x)
	if state := x.tmux("display-message", "-p", "#{alternate_on} #{pane_title}"); !strings.HasPrefix(state, "1 ") || strings.Contains(state, "owned") {
		t.Errorf("the paste got through: %q", state)
	}
	quit(x)
}

// TestTerminalASCII: without colours and with lines in ASCII nothing is lost.
func TestTerminalASCII(t *testing.T) {
	x := withKeeper(t, 120, 40, "--theme", "none", "--ascii")
	x.wait("The front hall")
	x.asks("Good evening.", "turn 1")
	x.keys("F9")
	x.wait("[state]", "As before")
	if s := x.tmux("capture-pane", "-p", "-e"); strings.ContainsAny(s, "─│→◆▁█") || regexp.MustCompile(`\x1b\[(3[0-7]|38)[;m]`).MatchString(s) {
		t.Errorf("lines or colours:\n%s", s)
	}
	quit(x)
}
