package machine_test

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine/machine"
)

// Ensure that what a system tells is read, and what it does not is left out.
func TestRead(t *testing.T) {
	m := machine.Read(t.Context())
	if m.OS != runtime.GOOS || m.Cores < 1 || m.Memory < 0 || m.Bandwidth != 0 {
		t.Errorf("%+v", m)
	}
	peak, ok := machine.Peak(os.Getpid())
	if ok != (runtime.GOOS == "linux") || ok && (peak < 1<<20 || peak > 1<<40) {
		t.Errorf("peak %d, %t", peak, ok)
	}
	if _, ok := machine.Peak(-1); ok {
		t.Error("a process that is none has a peak")
	}
}

// Ensure that the bandwidth is of a machine: between an SD card and a GPU.
func TestBandwidth(t *testing.T) {
	if b := machine.BandwidthOf(8 << 20); b < 1e6 || b > 1e13 {
		t.Errorf("%v bytes a second", b)
	}
}

// Ensure that a card is read from the driver's program where there is one, and
// one that tells no figures is left out.
func TestCards(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \"$1\" in\n*utilization*) printf '0, NVIDIA H200, 37, 1024, 143771\\n1, Old card, [N/A], 1, 2\\n' ;;\n*) printf 'NVIDIA H200, 580.1\\n' ;;\nesac\n"
	if err := os.WriteFile(filepath.Join(dir, "nvidia-smi"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+":"+os.Getenv("PATH"))
	want := []machine.Card{{ID: "0", Name: "NVIDIA H200", Utilization: 0.37, Used: 1 << 30, All: 143771 << 20}}
	if diff := cmp.Diff(want, machine.Cards(t.Context())); diff != "" {
		t.Error(diff)
	}
	if got := machine.Read(t.Context()).Cards; len(got) != 1 || got[0] != "NVIDIA H200, driver 580.1" {
		t.Errorf("got %q", got)
	}
	t.Setenv("PATH", t.TempDir())
	if got := machine.Cards(t.Context()); got != nil {
		t.Errorf("without a driver: %v", got)
	}
}

// Ensure that utilisation is that of the time between two looks.
func TestTicks(t *testing.T) {
	before := machine.Ticks{Busy: 100, All: 1000}
	if share, ok := (machine.Ticks{Busy: 175, All: 1100}).Since(before); !ok || share != 0.75 {
		t.Errorf("%v, %t", share, ok)
	}
	if _, ok := before.Since(before); ok {
		t.Error("no time passed, and there is a share of it")
	}
	if _, ok := machine.Processors(); ok != (runtime.GOOS == "linux") {
		t.Errorf("read: %t", ok)
	}
}
