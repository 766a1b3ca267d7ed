package worlds

import (
	"fmt"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/personas/source"
	"fabula/story/golden"
	"fabula/story/playtest"
	"fabula/story/plot"
)

// manifest declares the keys of world.yaml.
func manifest() source.Type[plot.Script] {
	return source.Object("world", "a world: identity, languages, player, state",
		source.Key("world", source.ID(), func(s *plot.Script) *string { return &s.ID }, "id of the world").Required().Example("salt_ferry"),
		source.Key("title", personas.TextType(), func(s *plot.Script) *personas.Text { return &s.Title }, "shown title"),
		source.Key("languages", languages(), func(s *plot.Script) *[]string { return &s.Languages },
			"language codes; the first is what NPCs speak by default").Required().Example([]string{"zh", "en"}),
		source.Key("era", personas.TextType(), func(s *plot.Script) *personas.Text { return &s.Era }, "when it plays"),
		source.Key("player", player(), func(s *plot.Script) *plot.Player { return &s.Player }, "the person's role"),
		source.Key("clock", source.Optional(clock()), func(s *plot.Script) **plot.Clock { return &s.Clock },
			"reads a variable as days, so that memories know their season"),
		source.Key("state", plot.VariablesType(), func(s *plot.Script) *[]*plot.Variable { return &s.Vars },
			"every variable a condition or an effect may name"),
		source.Key("start", source.ID(), func(s *plot.Script) *string { return &s.Start }, "node where the plot begins").Example("landing"),
		source.Key("taboo", personas.TabooType(), func(s *plot.Script) *[]personas.Text { return &s.Taboo }, "said by nobody in this world"),
		source.Key("cues", cuesType(), func(s *plot.Script) *plot.Cues { return &s.Cues }, "stage directions that NPCs may give"),
		source.Key("lint", lint.SettingsType(), func(s *plot.Script) *lint.Settings { return &s.Lint }, "what the rules about replies do"),
		source.Key("sampling", personas.SamplingType(), func(s *plot.Script) *personas.Sampling { return &s.Sampling }, "how engines draw tokens"),
		source.Key("engine", engine(), func(s *plot.Script) *plot.Engine { return &s.Engine }, "engines that suit this world; a machine's configuration outranks it"),
		source.Key("allow", personas.AllowType(), func(s *plot.Script) *[]personas.Allow { return &s.Allow }, "findings accepted in the whole world"),
	).Checked(func(s *plot.Script, v source.Value) { s.StartPos = v.Field("start").Pos() })
}

func languages() source.Type[[]string] {
	return source.List(source.Language()).Checked(func(all *[]string, v source.Value) {
		if len(*all) == 0 && v.Empty() {
			v.Fault(CodeLanguages)
		}
	})
}

func player() source.Type[plot.Player] {
	return source.Object("player", "the person's role",
		source.Key("name", personas.TextType(), func(p *plot.Player) *personas.Text { return &p.Name }, "what {player} becomes"),
		source.Key("brief", personas.TextType(), func(p *plot.Player) *personas.Text { return &p.Brief }, "who the player is, in one line"),
	)
}

func clock() source.Type[plot.Clock] {
	return source.Object("clock", "reads a variable as days; a season has 90",
		source.Key("var", source.ID(), func(c *plot.Clock) *string { return &c.Var }, "an int variable, in days").Required(),
		source.Key("start", source.OneOf("spring", "summer", "autumn", "winter"),
			func(c *plot.Clock) *string { return &c.Start }, "season on day 0").Default("spring"),
	).Checked(func(c *plot.Clock, v source.Value) { c.Pos = v.Field("var").Pos() })
}

func engine() source.Type[plot.Engine] {
	return source.Object("engine", "engines that suit this world",
		source.Key("ladder", source.List(source.Words("engine")), func(e *plot.Engine) *[]string { return &e.Ladder }, "best first").Example([]string{"gguf", "recall"}),
		source.Key("first_token_ms", source.Whole(1, mostMS), func(e *plot.Engine) *int { return &e.FirstTokenMS },
			"a reply without a token after this time comes from the next engine, in milliseconds").Example(1500),
		source.Key("gap_ms", source.Whole(1, mostMS), func(e *plot.Engine) *int { return &e.GapMS },
			"a reply that is silent for this long is ended, in milliseconds").Example(1000))
}

// mostMS is the longest deadline, an hour.
const mostMS = 3_600_000

// Kinds lists the kinds of file that Schema describes.
func Kinds() []string {
	return []string{"world", "persona", "plot", "lore", "playtest", "labels", "golden"}
}

// Schema is the JSON Schema (draft 2020-12) of a kind of file, from the same
// declaration that loads it.
func Schema(kind string) ([]byte, error) {
	switch kind {
	case "world":
		return source.Schema("world.yaml", manifest())
	case "persona":
		return source.Schema("personas/*.yaml", personas.PersonaType())
	case "plot":
		return plot.Schema()
	case "lore":
		return source.Schema("lore/*.yaml", personas.LoreType())
	case "labels":
		return source.Schema("labels/*.yaml", plot.LabelsType())
	case "golden":
		return source.Schema("golden/*.yaml", golden.Type())
	case "playtest":
		return source.Schema("playtests/*.yaml", playtest.Type())
	}
	return nil, fmt.Errorf("schema %s: no such kind of file (there are %v)", kind, Kinds())
}
