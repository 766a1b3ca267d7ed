package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/lab/vote"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/tui/text"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
	"fabula/worlds"
)

// codeRows say which sentinel ends with which exit code; the first match wins.
var codeRows = []struct {
	is   error
	code int
}{
	{errReported, exitFindings},
	{store.ErrLocked, exitLocked},
	{worlds.ErrTemplate, exitUsage},
	{story.ErrAbsent, exitUsage},
	{story.ErrClosed, exitUsage},
	{story.ErrNotFound, exitUsage},
	{story.ErrAmbiguous, exitUsage},
	{story.ErrNothing, exitUsage},
	{story.ErrMisfit, exitUsage},
	{story.ErrVanished, exitUsage},
	{catalog.ErrUnknown, exitUsage},
	{story.ErrNoEngine, exitNoEngine},
	{engine.ErrUnavailable, exitNoEngine},
	{engine.ErrIncompatible, exitNoEngine},
}

// report prints why a command failed: faults one a line, in language, else one
// sentence.
func report(w io.Writer, err error, language string) {
	var load *worlds.LoadError
	var gone *story.VanishedError
	var set *plot.SetError
	var config *configFault
	var no refusal
	var ballot *vote.Fault
	switch {
	case err == nil, errors.Is(err, errReported):
	case errors.As(err, &set):
		what, todo := lang.Fault(set.Fault.Code, set.Fault.Args, language)
		fmt.Fprintf(w, "fabula: --set: %s\n    %s\n", printable(what), printable(todo))
	case errors.As(err, &gone):
		fmt.Fprintf(w, "fabula: %s: --node %s\n", printable(err.Error()), gone.Start)
	case errors.As(err, &load):
		printFaults(w, load.Faults, language)
		fmt.Fprintf(w, "fabula: "+lang.For(language).Frame.NotLoaded+"\n", len(load.Faults))
	case errors.As(err, &config):
		printFaults(w, config.faults, language)
		fmt.Fprintf(w, "fabula: %s\n", printable(config.Error()))
	case errors.As(err, &no):
		fmt.Fprintf(w, "fabula: %s\n", printable(strings.Replace(err.Error(), no.Error(), no.in(language), 1)))
	case errors.As(err, &ballot):
		fmt.Fprintf(w, "fabula: %s\n", printable(wording.VoteFault(ballot, lang.For(language))))
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(w, "fabula: %s\n", lang.For(language).Frame.Interrupted)
	default:
		fmt.Fprintf(w, "fabula: %s\n", printable(wordsOf(err, language)))
	}
}

// wordsOf words an error in a language as far as it can be.
func wordsOf(err error, language string) string {
	var cast *story.CastError
	var missing *worlds.MissingError
	var inner error
	words := ""
	switch comma := lang.Said(", ", language); {
	case errors.As(err, &cast):
		inner, words = cast, said(language, absent(cast), cast.Asked, strings.Join(cast.There, comma))
	case errors.As(err, &missing):
		inner, words = missing, said(language, noWorld, missing.Ref, strings.Join(missing.There, comma))
		if missing.Near != "" {
			words += said(language, "; did you mean %s?", missing.Near)
		}
	}
	if inner == nil || !strings.HasPrefix(language, "zh") {
		return err.Error()
	}
	return strings.Replace(err.Error(), inner.Error(), words, 1)
}

// noWorld is what worlds.MissingError says, without what may have been meant.
const noWorld = "open world %s: no such world; neither a folder nor built in (%s)"

// absent is the format of what a story.CastError says.
func absent(e *story.CastError) string {
	if e.Known {
		return "%s is not here; here: %s"
	}
	return "no NPC %q in this world; here: %s"
}

// printFaults prints file:line:col, what is wrong, and what to do.
func printFaults(w io.Writer, faults []source.Fault, language string) {
	for _, f := range faults {
		what, todo := lang.Fault(f.Code, f.Args, language)
		printOne(w, f.Pos, what, todo)
	}
}

func printOne(w io.Writer, at source.Pos, what, todo string) {
	fmt.Fprintf(w, "%s: %s\n", at, printable(what))
	if todo != "" {
		fmt.Fprintf(w, "    %s\n", printable(todo))
	}
}

// printable makes a text safe for a terminal: escape sequences, control and
// bidi characters become visible.
func printable(s string) string { return text.Sanitise(s) }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	if strings.HasSuffix(what, "ch") {
		what += "e"
	}
	if stem, ok := strings.CutSuffix(what, "ply"); ok {
		what = stem + "plie"
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// counts is a one-line summary of what a world holds.
func counts(s *plot.Script, language string) string {
	exits, lines := 0, 0
	for _, n := range s.Nodes {
		exits += len(n.Exits)
		lines += len(n.Lines)
	}
	return amounts(language, amount{len(s.Personas), "persona"}, amount{len(s.Nodes), "node"}, amount{exits, "exit"},
		amount{lines, "line"}, amount{len(s.Vars), "variable"})
}
