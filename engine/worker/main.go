package worker

import (
	"fmt"
	"os"
)

// Main is the body of the child's command. It keeps the protocol apart from
// whatever native code prints: what was standard output carries frames, and
// standard output then leads where standard error does, to the log. It returns
// the exit status.
func Main(open Open) int {
	out, err := protocol()
	if err != nil {
		fmt.Fprintf(os.Stderr, "worker: standard output: %v\n", err)
		return 1
	}
	if err := Serve(os.Stdin, out, open); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}
