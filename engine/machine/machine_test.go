package machine_test

import (
	"os"
	"runtime"
	"testing"

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
	if b := machine.Bandwidth(); b < 1e8 || b > 1e13 {
		t.Errorf("%v bytes a second", b)
	}
}
