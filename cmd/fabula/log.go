package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"gopkg.in/natefinch/lumberjack.v2"
)

// openLog opens the rotated log file. Prompts and transcripts never enter it.
// A log that cannot be written is no reason not to work: notes gets a line.
func openLog(notes io.Writer) (*slog.Logger, io.Closer) {
	if err := os.MkdirAll(stateDir(), 0o700); err != nil {
		fmt.Fprintf(notes, "fabula: going on without a log: %s\n", printable(err.Error()))
		return slog.New(slog.DiscardHandler), io.NopCloser(nil)
	}
	out := &lumberjack.Logger{Filename: logFile(), MaxSize: 5, MaxBackups: 3} // MB
	return slog.New(slog.NewTextHandler(out, nil)), out
}

// nativeMost is how large the log of native engines may get before a new one
// is begun, in bytes; one old one is kept.
const nativeMost = 4 << 20

// openNativeLog opens what a worker prints to. nil: nowhere.
func openNativeLog(log *slog.Logger) *os.File {
	if info, err := os.Stat(nativeLog()); err == nil && info.Size() > nativeMost {
		_ = os.Rename(nativeLog(), nativeLog()+".old") // else it grows on
	}
	f, err := os.OpenFile(nativeLog(), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		log.Warn("no log of native engines", "error", err)
		return nil
	}
	return f
}

func newLog(sh *shell) *cobra.Command {
	var follow, native bool
	var lines int
	c := &cobra.Command{
		Use:     "log",
		Short:   "Print what happened: engines, faults, stores (no prompt text)",
		Example: "  fabula log\n  fabula log -f\n  fabula log --native",
		Args:    atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			file := logFile()
			if native {
				file = nativeLog()
			}
			f, err := os.Open(file)
			if errors.Is(err, fs.ErrNotExist) {
				printSaid(c.ErrOrStderr(), sh.lang, "nothing was logged yet; the log will be %s", file)
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
	c.Flags().BoolVar(&native, "native", false, "what llama.cpp and other native engines print")
	c.Flags().BoolVarP(&follow, "follow", "f", false, "wait for more")
	c.Flags().IntVarP(&lines, "lines", "n", 50, "how many of the last lines")
	return c
}

// tail copies the last n lines of r, made safe for a terminal: native engines
// write to the log what they find in a model file.
func tail(r io.Reader, w io.Writer, n int) error {
	data, err := io.ReadAll(r) // rotation keeps it small
	if err != nil {
		return fmt.Errorf("read log: %w", err)
	}
	lines := slices.Collect(strings.Lines(string(data)))
	_, err = io.WriteString(w, printable(strings.Join(lines[max(0, len(lines)-max(n, 0)):], "")))
	return err
}

// followFile copies what is appended to f until ctx ends.
func followFile(ctx context.Context, f *os.File, w io.Writer) error {
	tick := time.NewTicker(300 * time.Millisecond)
	defer tick.Stop()
	for safe := (&wholeLines{to: w}); ; {
		if _, err := io.Copy(safe, f); err != nil {
			return fmt.Errorf("follow log: %w", err)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-tick.C:
		}
	}
}

// wholeLines passes on whole lines, made safe for a terminal.
type wholeLines struct {
	to   io.Writer
	held []byte
}

// Write keeps a line that has no end yet.
func (l *wholeLines) Write(p []byte) (int, error) {
	l.held = append(l.held, p...)
	end := bytes.LastIndexByte(l.held, '\n') + 1
	_, err := io.WriteString(l.to, printable(string(l.held[:end])))
	l.held = l.held[end:]
	return len(p), err
}
