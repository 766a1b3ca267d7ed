package worker

import (
	"os"

	"golang.org/x/sys/windows"
)

// protocol takes standard output for the frames and has what asks the system
// for standard output from now on write where standard error does. A C library
// that was initialised before keeps its own descriptor 1: native engines are
// not built for this system yet.
func protocol() (*os.File, error) {
	out := os.Stdout
	if err := windows.SetStdHandle(windows.STD_OUTPUT_HANDLE, windows.Handle(os.Stderr.Fd())); err != nil {
		return nil, err
	}
	os.Stdout = os.Stderr
	return out, nil
}
