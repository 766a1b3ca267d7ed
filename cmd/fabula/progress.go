package main

import (
	"fmt"
	"io"
	"time"

	"golang.org/x/term"

	"fabula/engine/catalog"
)

// progressOn reports a download on one line of a terminal, and not at all
// elsewhere.
func progressOn(w io.Writer) catalog.Progress {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	var last time.Time
	var p pace
	return func(done, total int64) {
		now := time.Now()
		p.at(now, done)
		if now.Sub(last) < 100*time.Millisecond && done != total {
			return
		}
		last = now
		fmt.Fprintf(w, "\r%s\x1b[K", p.words(done, total))
		if done == total {
			fmt.Fprintln(w)
		}
	}
}

// pace estimates how long the rest of a download takes, by what came of late.
type pace struct {
	began time.Time
	from  int64 // bytes that were there then
	now   time.Time
	bytes int64
	rate  float64 // bytes a second
}

// window of a pace: older speed hardly counts.
const window = 5 * time.Second

func (p *pace) at(now time.Time, done int64) {
	if p.began.IsZero() || done < p.bytes { // the first, or it began anew
		*p = pace{began: now, from: done}
	}
	p.now, p.bytes = now, done
	if span := now.Sub(p.began); span >= window {
		p.rate = float64(done-p.from) / span.Seconds()
		p.began, p.from = now, done
	} else if p.rate == 0 && span > time.Second {
		p.rate = float64(done-p.from) / span.Seconds()
		// and measured anew once the window is over
	}
}

// left is the time that the rest takes; ok is false while nothing is known.
func (p *pace) left(total int64) (left time.Duration, ok bool) {
	if p.rate <= 0 || total <= 0 {
		return 0, false
	}
	return time.Duration(float64(total-p.bytes) / p.rate * float64(time.Second)).Round(time.Second), true
}

func (p *pace) words(done, total int64) string {
	text := fmt.Sprintf("%d MB", done/1e6)
	if total > 0 {
		text = fmt.Sprintf("%5.1f%%  %d of %d MB", 100*float64(done)/float64(total), done/1e6, total/1e6)
	}
	if p.rate > 0 {
		text += fmt.Sprintf("  %.1f MB/s", p.rate/1e6)
	}
	if left, ok := p.left(total); ok && done < total {
		text += fmt.Sprintf("  %v left", left)
	}
	return text
}
