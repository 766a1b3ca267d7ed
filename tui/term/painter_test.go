package term_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"fabula/tui/term"
)

// screen is a terminal whose bytes are read as they come.
type screen struct {
	t    *testing.T
	w    *term.Writer
	seen chan []byte
	got  []byte
}

func newScreen(t *testing.T) *screen {
	t.Helper()
	r, f, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	s := &screen{t: t, w: term.NewWriter(f), seen: make(chan []byte, 64)}
	go func() {
		for {
			buf := make([]byte, 1<<16)
			n, err := r.Read(buf)
			if err != nil {
				return
			}
			s.seen <- buf[:n]
		}
	}()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan struct{})
	go func() { s.w.Paint(ctx); close(done) }()
	t.Cleanup(func() { cancel(); <-done; f.Close() })
	return s
}

// wait reads until the last bytes are these, and gives everything since the last
// wait.
func (s *screen) wait(end string) string {
	s.t.Helper()
	for late := time.After(10 * time.Second); !bytes.HasSuffix(s.got, []byte(end)); {
		select {
		case b := <-s.seen:
			s.got = append(s.got, b...)
		case <-late:
			s.t.Fatalf("no %q at the end of %q", end, s.got)
		}
	}
	got := string(s.got)
	s.got = nil
	return got
}

func (s *screen) send(text string) {
	s.t.Helper()
	if n, err := s.w.WriteString(text); n != len(text) || err != nil {
		s.t.Fatalf("WriteString(%q) = %d, %v", text, n, err)
	}
}

// Ensure that only what differs is drawn, as one synchronized update, with the
// cursor at its place behind it: also when nothing but the cursor moved.
func TestPainterDrawsWhatDiffers(t *testing.T) {
	t.Setenv("TERM", "xterm-256color")
	s := newScreen(t)
	s.send("\x1b[?1049h")
	s.wait("\x1b[?1049h")
	for _, tc := range []struct {
		text   string
		cursor term.Cursor
		want   string
	}{
		{"ab\ncd", term.Cursor{X: 1, Y: 1, Show: true}, "\x1b[1;1Hab\x1b[m\x1b[2;1Hcd\x1b[m\x1b[2;2H\x1b[?25h"},
		{"ab\ncx", term.Cursor{X: 1, Y: 1, Show: true}, "\x1b[2;1Hcx\x1b[m\x1b[2;2H\x1b[?25h"},
		{"ab\ncx", term.Cursor{X: 0, Y: 1, Show: true}, "\x1b[2;1H\x1b[?25h"},
		{"zb\ncx", term.Cursor{}, "\x1b[1;1Hzb\x1b[m"},
	} {
		s.w.Draw(tc.text, tc.cursor)
		if got, want := s.wait("\x1b[?2026l"), "\x1b[?2026h\x1b[?25l"+tc.want+"\x1b[?2026l"; got != want {
			t.Errorf("%q: wrote %q\nwant %q", tc.text, got, want)
		}
	}
}

// Ensure that what bubbletea makes of Blank is never seen, that a terminal which
// was lent to another program or erased is drawn whole again, and that nothing is
// drawn while it is lent: on the person's own screen the cursor must not move.
func TestPainterDrawsWholeAgain(t *testing.T) {
	t.Setenv("TERM", "linux")
	s := newScreen(t)
	whole := "\x1b[?25l\x1b[1;1Hab\x1b[m"
	for _, between := range []string{"\x1b[?1049h", "\x1b[2J", "\x1b[?1049l\x1b[?1049h"} {
		s.send(between)
		s.send("\x1b[H" + term.Blank + "\x1b[K")
		s.w.Draw("ab", term.Cursor{})
		if got := s.wait("ab\x1b[m"); got != between+whole {
			t.Errorf("after %q: wrote %q", between, got)
		}
	}
	s.w.Anew()
	s.w.Draw("ab", term.Cursor{})
	if got := s.wait("ab\x1b[m"); got != whole {
		t.Errorf("after the window changed: wrote %q", got)
	}
	s.w.Draw("", term.Cursor{})
	s.send("\x1b[?1049l")
	s.w.Draw("xy", term.Cursor{})
	s.send("after")
	if got := s.wait("after"); got != "\x1b[?1049lafter" {
		t.Errorf("off the alternate screen: wrote %q", got)
	}
}

// Ensure that a terminal that takes nothing holds nobody up, and shows the newest
// frame once it takes something again.
func TestDrawNeverWaits(t *testing.T) {
	t.Setenv("TERM", "linux")
	r, f, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	w := term.NewWriter(f)
	if _, err := w.WriteString("\x1b[?1049h"); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	ctx, cancel := context.WithCancel(t.Context())
	go func() { w.Paint(ctx); close(done) }()
	row := strings.Repeat("x", 1<<15)
	for range 20 { // ten times what a pipe holds
		w.Draw(row, term.Cursor{})
		row = row[1:] + "y"
	}
	w.Draw("last", term.Cursor{})
	var got []byte
	for buf := make([]byte, 1<<16); !bytes.HasSuffix(got, []byte("last\x1b[m")); {
		n, err := r.Read(buf)
		if err != nil {
			t.Fatalf("%v after %d bytes", err, len(got))
		}
		got = append(got, buf[:n]...)
	}
	cancel()
	<-done
	f.Close()
	r.Close()
}

// Ensure that a window which shrank and grew again is drawn whole, although no frame
// of the smaller one was drawn: what was cut off is not there any more.
func TestPainterDrawsWholeAfterAnOvertakenSize(t *testing.T) {
	t.Setenv("TERM", "linux")
	r, f, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	w := term.NewWriter(f)
	if _, err := w.WriteString("\x1b[?1049h"); err != nil {
		t.Fatal(err)
	}
	draw := func(frames ...string) {
		for _, text := range frames {
			w.Anew()
			w.Draw(text, term.Cursor{})
		}
		w.Draw("abc", term.Cursor{}) // a frame that no window asked for
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		go func() { w.Paint(ctx); close(done) }()
		for w.Waits() {
			time.Sleep(time.Millisecond)
		}
		cancel()
		<-done
	}
	draw("abc")
	draw("a", "abc")
	f.Close()
	got, err := io.ReadAll(r)
	if whole := "\x1b[?25l\x1b[1;1Habc\x1b[m"; err != nil || string(got) != "\x1b[?1049h"+whole+whole {
		t.Errorf("%q, %v", got, err)
	}
}
