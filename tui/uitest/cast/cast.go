// Package cast records a program in a terminal as asciicast v2, a text that
// asciinema plays: a header, then a line for each piece of output with its time.
//
// A script says what a person does:
//
//	type Who lit the lamp?      letters, as fast as a person types
//	key enter                   a key by its name
//	wait the lamp               until these words were written since the last wait
//	look 2s                     time to read
//
// It is for people who look: the README. Nothing of the program uses it.
package cast

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"
	"unicode/utf8"

	"github.com/creack/pty"

	"fabula/tui/text"
)

// Recorder is a terminal whose output is kept.
type Recorder struct {
	terminal *os.File
	begun    time.Time

	mu    sync.Mutex
	out   *json.Encoder
	err   error
	fresh []byte // written since the last wait
	cut   []byte // the beginning of a character whose end is still to come
}

const (
	patience = time.Minute
	perKey   = 60 * time.Millisecond // a fast typist
)

// Record runs a program in a terminal of w×h, does what a script says, and writes
// the recording. The program is ended as
// by closing its window, unless it ended.
func Record(c *exec.Cmd, w, h int, script io.Reader, out io.Writer) error {
	r := &Recorder{out: json.NewEncoder(out), begun: time.Now()}
	r.out.SetEscapeHTML(false)
	head := map[string]any{"version": 2, "width": w, "height": h, "env": map[string]string{"TERM": "xterm-256color"}}
	if err := r.out.Encode(head); err != nil {
		return fmt.Errorf("recording: %w", err)
	}
	var err error
	if r.terminal, err = pty.StartWithSize(c, &pty.Winsize{Rows: uint16(h), Cols: uint16(w)}); err != nil {
		return fmt.Errorf("terminal: %w", err)
	}
	done := make(chan struct{})
	go func() { r.read(); close(done) }()
	err = r.play(script)
	_ = c.Process.Signal(syscall.SIGHUP) // as of a window that is closed; it may have ended
	_ = c.Wait()                         // ended by a signal, which is no failure
	<-done
	r.terminal.Close()
	if err == nil {
		err = r.err
	}
	return err
}

// read keeps what the program writes, whole characters at a time.
func (r *Recorder) read() {
	buf := make([]byte, 1<<16)
	for {
		n, err := r.terminal.Read(buf)
		r.keep(buf[:n])
		if err != nil {
			return // closed
		}
	}
}

func (r *Recorder) keep(p []byte) {
	r.mu.Lock()
	defer r.mu.Unlock()
	p = append(r.cut, p...)
	end := len(p)
	for i := 1; i < utf8.UTFMax && i <= len(p); i++ {
		if at := len(p) - i; utf8.RuneStart(p[at]) {
			if !utf8.FullRune(p[at:]) {
				end = at
			}
			break
		}
	}
	r.cut = append([]byte(nil), p[end:]...)
	if p = p[:end]; len(p) == 0 {
		return
	}
	r.fresh = append(r.fresh, p...)
	at := float64(time.Since(r.begun).Milliseconds()) / 1000
	if err := r.out.Encode([]any{at, "o", string(p)}); err != nil && r.err == nil {
		r.err = fmt.Errorf("recording: %w", err)
	}
}

// play does what a script says, line by line.
func (r *Recorder) play(script io.Reader) error {
	lines := bufio.NewScanner(script)
	for n := 1; lines.Scan(); n++ {
		do, what, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		if do == "" || strings.HasPrefix(do, "#") {
			continue
		}
		if err := r.do(do, what); err != nil {
			return fmt.Errorf("script line %d: %w", n, err)
		}
	}
	return lines.Err()
}

// keys are what terminals send for keys that are no characters.
var keys = map[string]string{
	"enter": "\r", "esc": "\x1b", "tab": "\t", "up": "\x1b[A", "down": "\x1b[B", "right": "\x1b[C", "left": "\x1b[D",
	"f1": "\x1bOP", "f2": "\x1bOQ", "f3": "\x1bOR", "f4": "\x1bOS", "f5": "\x1b[15~", "f6": "\x1b[17~", "f9": "\x1b[20~",
	"space": " ", "ctrl+t": "\x14", "ctrl+p": "\x10", "ctrl+c": "\x03", "alt+t": "\x1bt",
}

func (r *Recorder) do(do, what string) error {
	switch do {
	case "wait":
		return r.wait(what)
	case "look":
		d, err := time.ParseDuration(what)
		time.Sleep(d)
		return err
	case "type":
		for _, c := range what {
			if _, err := io.WriteString(r.terminal, string(c)); err != nil {
				return err
			}
			time.Sleep(perKey)
		}
		return nil
	case "key":
		bytes, known := keys[what]
		switch digit, alt := strings.CutPrefix(what, "alt+"); {
		case known:
		case alt && len(digit) == 1:
			bytes = "\x1b" + digit
		case len([]rune(what)) == 1:
			bytes = what
		default:
			return fmt.Errorf("key %q is not known", what)
		}
		_, err := io.WriteString(r.terminal, bytes)
		return err
	}
	return fmt.Errorf("%q is none of type, key, wait, look", do)
}

// wait waits for words among what was written since the last wait.
func (r *Recorder) wait(words string) error {
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		r.mu.Lock()
		found := strings.Contains(text.Strip(string(r.fresh)), words)
		if found {
			r.fresh = nil
		}
		r.mu.Unlock()
		if found {
			return nil
		}
	}
	return fmt.Errorf("%q never came", words)
}
