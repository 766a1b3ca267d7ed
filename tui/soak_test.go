package tui_test

import (
	"fmt"
	"runtime"
	"testing"
	"time"
)

// heap gives the bytes that are in use once garbage is gone.
func heap() uint64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// Ensure that a day at the workbench leaves nothing behind: a new playthrough an
// hour, talk, every screen, lists opened and closed, the clock moved on. It is
// not parallel: it counts the goroutines of the whole process.
func TestSoak(t *testing.T) {
	b := open(t, setting{w: 120, h: 40, engine: &poet{}})
	b.Wait("Adu")
	hour := func(n int) {
		b.Press("esc", "f2", "n", "enter")
		b.idle()
		b.Wait("[F5")
		b.Press("i")
		b.Type(fmt.Sprintf("hour %d", n))
		b.Press("enter")
		b.idle()
		b.Wait(fmt.Sprintf("hour %d", n))
		b.clock.Add(time.Hour)
		b.Press("ctrl+p", "x", "esc", "ctrl+f", "y", "esc", "ctrl+g", "esc", "f1", "esc", "f6", "f5")
	}
	for n := range 8 {
		hour(n)
	}
	goroutines, bytes := runtime.NumGoroutine(), heap()
	for n := 8; n < 24; n++ {
		hour(n)
	}
	b.Until("goroutines to end", func() bool { return runtime.NumGoroutine() <= goroutines+8 }) // toasts that are still to go
	if after := heap(); after > bytes+16<<20 {
		t.Errorf("the heap grew from %d to %d KiB in 16 hours", bytes>>10, after>>10)
	}
}
