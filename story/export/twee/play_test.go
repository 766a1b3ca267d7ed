//go:build npm

package twee_test

import (
	"strings"
	"testing"

	"fabula/story/export/npm"
	"fabula/story/export/played"
	"fabula/story/export/twee"
)

// extwee parses stories; the passages are then played as SugarCube does, as far
// as fabula writes them.
var extwee = played.Script{Print: twee.Print, Play: func(t *testing.T, stories []string, plays []played.Play) []played.Reading {
	return npm.Play(t, "testdata/play.mjs", stories, plays)
}}

// Every recorded branch of the demo world can be walked, word for word.
func TestRecordedBranchesPlay(t *testing.T) { extwee.Branches(t) }

// 2,000 hostile texts are read as they are, as lines and as links.
func TestHostileTextsPlay(t *testing.T) { extwee.Hostile(t, strings.Clone) }

// The plot plays as our own engine plays it.
func TestPlotPlaysAsHere(t *testing.T) { extwee.Walks(t) }
