package main

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"fabula/story/plot"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// Exit codes of every command; they are part of the contract with scripts.
const (
	exitOK          = 0
	exitFailure     = 1
	exitUsage       = 2   // wrong words on the command line; nothing was done
	exitFindings    = 3   // findings at error level, or a world that does not load
	exitNoEngine    = 4   // nothing can answer
	exitLocked      = 11  // another process holds the store
	exitInterrupted = 130 // ctrl+c
)

// exitStatus ends the long help of every command.
const exitStatus = `

EXIT STATUS
  0    ok
  1    failure
  2    usage: unknown words, an absent NPC, a closed exit; nothing was stored
  3    findings at error level, or a world that does not load
  4    no engine can answer
  11   the store is locked by another process
  130  interrupted`

// coded is an error that knows its exit code.
type coded struct {
	code int
	err  error
}

// Error is that of the cause.
func (e coded) Error() string { return e.err.Error() }

// Unwrap gives the cause.
func (e coded) Unwrap() error { return e.err }

// usage makes an error of exit code 2.
func usage(format string, args ...any) error {
	return coded{exitUsage, refusal{format, args}}
}

// refusal is why a command line cannot be followed; report words it in the
// person's language.
type refusal struct {
	format string
	args   []any
}

// Error words it in English.
func (r refusal) Error() string { return r.in("en") }

// in words it in a language; what a flag takes is worded with it.
func (r refusal) in(language string) string {
	args := slices.Clone(r.args)
	for i, a := range args {
		switch a := a.(type) {
		case string:
			args[i] = lang.Usage(a, language)
		case wordable:
			args[i] = a.in(language)
		}
	}
	return fmt.Sprintf(lang.Usage(r.format, language), args...)
}

// errReported ends a command whose findings are already on the screen.
var errReported = errors.New("findings")

// exitCode decides once how the process ends.
func exitCode(err error) int {
	var c coded
	var load *worlds.LoadError
	var set *plot.SetError
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &c):
		return c.code
	case errors.As(err, &load):
		return exitFindings
	case errors.As(err, &set):
		return exitUsage
	case errors.Is(err, context.Canceled):
		return exitInterrupted
	}
	for _, row := range codeRows {
		if errors.Is(err, row.is) {
			return row.code
		}
	}
	return exitFailure
}
