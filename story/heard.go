package story

import (
	"fabula/story/plot"
	"fabula/story/prompt"
)

// Heard gives a path as an NPC heard it: what was said while it was in the
// cast, and what it said itself. It is the history that its prompts hold.
func Heard(script *plot.Script, path []Step, npc string) []prompt.Exchange {
	return exchanges(moments(script, path, npc))
}
