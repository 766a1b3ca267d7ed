package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"
)

// openLog opens the rotated log file. Prompts and transcripts never enter it.
func openLog() (*slog.Logger, io.Closer, error) {
	if err := os.MkdirAll(stateDir(), 0o755); err != nil {
		return nil, nil, fmt.Errorf("open log: %w", err)
	}
	out := &lumberjack.Logger{Filename: logFile(), MaxSize: 5, MaxBackups: 3} // MB
	return slog.New(slog.NewTextHandler(out, nil)), out, nil
}

func newLog(*shell) *cobra.Command {
	var follow bool
	var lines int
	c := &cobra.Command{
		Use:     "log",
		Short:   "Print what happened: engines, faults, stores (no prompt text)",
		Example: "  fabula log\n  fabula log -f",
		Args:    atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			f, err := os.Open(logFile())
			if errors.Is(err, fs.ErrNotExist) {
				fmt.Fprintf(c.ErrOrStderr(), "nothing was logged yet; the log will be %s\n", logFile())
				return nil
			}
			if err != nil {
				return fmt.Errorf("open log: %w", err)
			}
			defer f.Close()
			if err := tail(f, c.OutOrStdout(), lines); err != nil || !follow {
				return err
			}
			return followFile(c.Context(), f, c.OutOrStdout())
		},
	}
	c.Flags().BoolVarP(&follow, "follow", "f", false, "wait for more")
	c.Flags().IntVarP(&lines, "lines", "n", 50, "how many of the last lines")
	return c
}

// tail copies the last n lines of r.
func tail(r io.Reader, w io.Writer, n int) error {
	var last []string
	s := bufio.NewScanner(r)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		if last = append(last, s.Text()); len(last) > n {
			last = last[1:]
		}
	}
	for _, line := range last {
		fmt.Fprintln(w, line)
	}
	return s.Err()
}

// followFile copies what is appended to f until ctx ends.
func followFile(ctx context.Context, f *os.File, w io.Writer) error {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := io.Copy(w, f); err != nil {
			return fmt.Errorf("follow log: %w", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}
