package main

import (
	"strings"
	"testing"
	"time"
)

// TestPace has a download of 100 MB at 2 MB/s, taken up at 40 MB.
func TestPace(t *testing.T) {
	var p pace
	start := time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)
	p.at(start, 40e6)
	if got := p.words(40e6, 100e6); got != " 40.0%  40 of 100 MB" {
		t.Errorf("at the start %q", got)
	}
	for s := 1; s <= 10; s++ {
		p.at(start.Add(time.Duration(s)*1100*time.Millisecond), 40e6+int64(s)*2.2e6)
	}
	if got := p.words(62e6, 100e6); got != " 62.0%  62 of 100 MB  2.0 MB/s  19s left" {
		t.Errorf("later %q", got)
	}
	p.at(start.Add(12*time.Second), 1e6) // the server began anew
	if got := p.words(1e6, 100e6); strings.Contains(got, "left") {
		t.Errorf("begun anew %q", got)
	}
	if got := p.words(5e6, 0); got != "5 MB" {
		t.Errorf("of unknown length %q", got)
	}
}
