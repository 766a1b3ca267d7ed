package worlds

import (
	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// writtenCues is `cues` as it is written: each cue an id, or an object.
type writtenCues struct {
	emotion, action, environment []writtenCue
	strict                       bool
}

type writtenCue struct {
	id   string
	more plot.CueMore
}

// cuesType reads the stage directions of a world.
func cuesType() source.Type[plot.Cues] {
	return source.As(source.Object("cues", "stage directions that NPCs may give",
		source.Key("emotion", source.List(cueType()), func(c *writtenCues) *[]writtenCue { return &c.emotion }, "feelings shown"),
		source.Key("action", source.List(cueType()), func(c *writtenCues) *[]writtenCue { return &c.action }, "things done"),
		source.Key("environment", source.List(cueType()), func(c *writtenCues) *[]writtenCue { return &c.environment }, "changes around"),
		source.Key("strict", source.Bool(), func(c *writtenCues) *bool { return &c.strict },
			"a model can write no other direction between asterisks").Default(false),
	), writtenCues.cues)
}

func cueType() source.Type[writtenCue] {
	plain := source.As(source.ID(), func(id string) writtenCue { return writtenCue{id: id} })
	full := source.Object("cue", "a stage direction",
		source.Key("cue", source.ID(), func(c *writtenCue) *string { return &c.id }, "id of the cue").Required(),
		source.Key("words", personas.TextsType(), func(c *writtenCue) *[]personas.Text { return &c.more.Words }, "wordings by which it is known, in any language"),
		source.Key("sound", source.ID(), func(c *writtenCue) *string { return &c.more.Sound }, "name of the sound that the game plays"),
		source.Key("light", source.ID(), func(c *writtenCue) *string { return &c.more.Light }, "name of the light that the game sets"),
	)
	return source.Either(plain, full)
}

func (c writtenCues) cues() plot.Cues {
	out := plot.Cues{Strict: c.strict}
	for _, g := range []struct {
		from []writtenCue
		to   *[]string
	}{{c.emotion, &out.Emotion}, {c.action, &out.Action}, {c.environment, &out.Environment}} {
		for _, cue := range g.from {
			*g.to = append(*g.to, cue.id)
			if len(cue.more.Words) > 0 || cue.more.Sound != "" || cue.more.Light != "" {
				if out.More == nil {
					out.More = map[string]plot.CueMore{}
				}
				out.More[cue.id] = cue.more
			}
		}
	}
	return out
}
