package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
)

// glass is what a program has written to its terminal so far.
type glass struct {
	mu   sync.Mutex
	seen []byte
	more chan struct{}
}

func (g *glass) read(r io.Reader) {
	buf := make([]byte, 4096)
	for {
		n, err := r.Read(buf)
		g.mu.Lock()
		g.seen = append(g.seen, buf[:n]...)
		g.mu.Unlock()
		select {
		case g.more <- struct{}{}:
		default:
		}
		if err != nil {
			return
		}
	}
}

// forget drops what was written, so that only what follows is looked at.
func (g *glass) forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.seen = g.seen[:0]
}

// wait waits until something was written.
func (g *glass) wait(b *testing.B, what string) {
	b.Helper()
	for end := time.After(30 * time.Second); ; {
		g.mu.Lock()
		found := bytes.Contains(g.seen, []byte(what))
		g.mu.Unlock()
		if found {
			return
		}
		select {
		case <-g.more:
		case <-end:
			b.Fatalf("%q never came", what)
		}
	}
}

// onGlass starts the workbench on a pseudo-terminal of 120×40.
func onGlass(b *testing.B) (*exec.Cmd, *os.File, *glass) {
	b.Helper()
	c := program(b, "fox_lantern", "--engine", "recall")
	terminal, err := pty.StartWithSize(c, &pty.Winsize{Rows: 40, Cols: 120})
	if err != nil {
		b.Fatal(err)
	}
	g := &glass{more: make(chan struct{}, 1)}
	go g.read(terminal)
	g.wait(b, "Fox Lantern")
	g.wait(b, "Lao Zhou")
	b.Cleanup(func() {
		_ = c.Process.Signal(os.Interrupt)
		_ = c.Wait() // ends by the signal
		terminal.Close()
	})
	return c, terminal, g
}

// BenchmarkKeyToGlyph is from a key written to the terminal to the character
// that it draws; the bar is 16 ms for 95 of 100 keys.
func BenchmarkKeyToGlyph(b *testing.B) {
	_, terminal, g := onGlass(b)
	var took []time.Duration
	for b.Loop() {
		for i := range 60 {
			glyph := string(rune(0x4e00 + i*7)) // none of them stands on the screen already
			g.forget()
			start := time.Now()
			if _, err := io.WriteString(terminal, glyph); err != nil {
				b.Fatal(err)
			}
			g.wait(b, glyph)
			took = append(took, time.Since(start))
			time.Sleep(20 * time.Millisecond) // a fast typist
		}
		if _, err := io.WriteString(terminal, "\x15"); err != nil { // ctrl+u
			b.Fatal(err)
		}
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "ms/p50")
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "ms/p95")
}

// BenchmarkIdle is what the workbench takes of a processor and of memory while
// nobody touches it, authored lines answering; the bars are 0.5 % and 120 MB.
func BenchmarkIdle(b *testing.B) {
	c, _, _ := onGlass(b)
	const long = 5 * time.Second
	time.Sleep(time.Second)
	var used time.Duration
	for b.Loop() {
		before := processorTime(b, c.Process.Pid)
		time.Sleep(long)
		used += processorTime(b, c.Process.Pid) - before
	}
	b.ReportMetric(100*used.Seconds()/(long.Seconds()*float64(b.N)), "%cpu")
	b.ReportMetric(float64(resident(b, c.Process.Pid))/1e6, "MB")
}

// processorTime is what a process used so far, its user and system time.
func processorTime(b *testing.B, pid int) time.Duration {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		b.Fatal(err)
	}
	fields := strings.Fields(string(data[bytes.LastIndexByte(data, ')')+1:])) // from the state on
	ticks := 0
	for _, f := range fields[11:13] {
		n, err := strconv.Atoi(f)
		if err != nil {
			b.Fatal(err)
		}
		ticks += n
	}
	return time.Duration(ticks) * time.Second / 100 // USER_HZ is 100 on Linux
}

// resident is how many bytes of memory a process has.
func resident(b *testing.B, pid int) int {
	b.Helper()
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.Atoi(strings.Fields(rest)[0])
			if err != nil {
				b.Fatal(err)
			}
			return n << 10
		}
	}
	b.Fatal("no VmRSS")
	return 0
}
