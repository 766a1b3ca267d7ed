// Command fabula is a terminal workbench for game narrative: write personas and
// plot nodes in YAML, chat with the NPCs, keep every branch, export what plays.
package main

import (
	_ "fabula/tui/bg" // before bubbletea can ask the terminal anything

	"context"
	"os"
	"os/signal"
	"syscall"
)

func main() { os.Exit(run(os.Args[1:])) }

// run is main without os.Exit, so that tests can be the binary.
func run(args []string) int {
	keepPrivate()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	root, sh := newRoot()
	root.SetArgs(args)
	err := root.ExecuteContext(ctx)
	if err != nil {
		sh.lang = askedLanguage(args, sh.lang)
	}
	report(os.Stderr, err, sh.lang)
	return exitCode(err)
}
