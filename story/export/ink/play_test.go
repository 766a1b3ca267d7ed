//go:build npm

package ink_test

import (
	"strings"
	"testing"

	"fabula/story/export/ink"
	"fabula/story/export/npm"
	"fabula/story/export/played"
)

// inkjs compiles stories without a warning, and plays them.
var inkjs = played.Script{Print: ink.Print, Play: func(t *testing.T, stories []string, plays []played.Play) []played.Reading {
	return npm.Play(t, "testdata/play.js", stories, plays)
}}

// Every recorded branch of the demo world plays in inkjs, word for word.
func TestRecordedBranchesPlay(t *testing.T) { inkjs.Branches(t) }

// 2,000 hostile texts are read as they are, as lines and as choices.
func TestHostileTextsPlay(t *testing.T) { inkjs.Hostile(t, strings.Clone) }

// The plot plays as our own engine plays it.
func TestPlotPlaysAsHere(t *testing.T) { inkjs.Walks(t) }
