package playtest

import (
	"math"

	"fabula/personas"
	"fabula/personas/source"
)

// CodeStep is the fault of a step that says, chooses, expects and lets play
// nothing, or more than one of them. It has no arguments.
const CodeStep = "playtest_step"

// Codes lists the fault codes that this package adds to those of source.
func Codes() []string { return []string{CodeStep} }

// Load reads one playtest. All faults of the file are reported. References to
// nodes, beats and exits are checked by who knows the script.
func Load(file source.File) (*Playtest, []source.Fault) {
	p, faults := source.Read(file, Type())
	return &p, faults
}

// Type declares the keys of a playtest file.
func Type() source.Type[Playtest] {
	return source.Object("playtest", "a scripted playtest",
		source.Key("playtest", source.ID(), func(p *Playtest) *string { return &p.ID }, "id of the playtest").Required(),
		source.Key("was", personas.WasType(), func(p *Playtest) *[]string { return &p.Was }, "earlier ids"),
		source.Key("start", start(), func(p *Playtest) *Start { return &p.Start }, "where it begins"),
		source.Key("seed", source.Optional(seed()), func(p *Playtest) **uint64 { return &p.Seed }, "seed of the engine").Example(7),
		source.Key("script", source.List(step()), func(p *Playtest) *[]Step { return &p.Script }, "what happens, in order").Required(),
	).Placed(func(p *Playtest) *source.Pos { return &p.Pos })
}

func seed() source.Type[uint64] {
	return source.As(source.Whole(0, math.MaxInt), func(n int) uint64 { return uint64(n) })
}

func start() source.Type[Start] {
	settings := source.As(source.Map(source.ID(), source.Any()), func(entries []source.Entry[string, source.Scalar]) []Setting {
		all := make([]Setting, len(entries))
		for i, e := range entries {
			all[i] = Setting{Var: e.Key, Value: e.Value.Text, Pos: e.Pos}
		}
		return all
	})
	return source.Object("start", "where a playtest begins",
		source.Key("node", source.ID(), func(s *Start) *string { return &s.Node }, "node; the world's start where not written"),
		source.Key("state", settings, func(s *Start) *[]Setting { return &s.State }, "variables and their values"),
		source.Key("memory", source.List(memory()), func(s *Start) *[]Memory { return &s.Memory }, "what NPCs remember from before"),
	).Placed(func(s *Start) *source.Pos { return &s.Pos })
}

func memory() source.Type[Memory] {
	plain := source.As(personas.TextType(), func(t personas.Text) Memory { return Memory{Text: t} })
	return source.Either(plain, source.Object("memory", "what some NPCs remember",
		source.Key("by", source.List(source.ID()), func(m *Memory) *[]string { return &m.By }, "who; everybody where not written"),
		source.Key("text", personas.TextType(), func(m *Memory) *personas.Text { return &m.Text }, "what").Required(),
	))
}

func step() source.Type[Step] {
	return source.Object("step", "one step of the script",
		source.Key("say", personas.TextType(), func(s *Step) *personas.Text { return &s.Say }, "what the player says"),
		source.Key("to", source.ID(), func(s *Step) *string { return &s.To }, "whom the player addresses"),
		source.Key("choose", source.ID(), func(s *Step) *string { return &s.Choose }, "exit that the player takes"),
		source.Key("expect", source.Optional(expect()), func(s *Step) **Expect { return &s.Expect }, "what must hold now"),
		source.Key("players", source.Optional(players()), func(s *Step) **Players { return &s.Players }, "a simulated player plays on"),
	).Placed(func(s *Step) *source.Pos { return &s.Pos }).Checked(func(_ *Step, v source.Value) {
		acts := 0
		for _, some := range []bool{v.Has("say") || v.Has("choose"), v.Has("expect"), v.Has("players")} {
			if some {
				acts++
			}
		}
		if acts != 1 {
			v.Fault(CodeStep)
		}
	})
}

func expect() source.Type[Expect] {
	return source.Object("expect", "what must hold after the step before",
		source.Key("node", source.ID(), func(e *Expect) *string { return &e.Node }, "the player is in this node"),
		source.Key("beat", source.Ref(), func(e *Expect) *string { return &e.Beat }, "this beat fired").Example("landing.gives_herbs"),
		source.Key("exit", source.Ref(), func(e *Expect) *string { return &e.Exit }, "this exit was taken").Example("landing.to_shop"),
		source.Key("state", source.Condition(), func(e *Expect) *source.Cond { return &e.State }, "this condition holds"),
		source.Key("choices", source.List(source.ID()), func(e *Expect) *[]string { return &e.Choices }, "these exits are open"),
		source.Key("ended", source.Optional(source.Bool()), func(e *Expect) **bool { return &e.Ended }, "an ending was reached, or not"),
		source.Key("prompt", source.Optional(prompt()), func(e *Expect) **Prompt { return &e.Prompt }, "what the prompt holds; needs no engine"),
		source.Key("reply", source.Optional(reply()), func(e *Expect) **Reply { return &e.Reply }, "what the reply is like"),
		source.Key("first_token_ms", source.Whole(1, 3_600_000), func(e *Expect) *int { return &e.FirstTokenMS }, "most milliseconds to the first token"),
	).Placed(func(e *Expect) *source.Pos { return &e.Pos })
}

func prompt() source.Type[Prompt] {
	return source.Object("prompt", "what the prompt of an NPC must hold",
		source.Key("npc", source.ID(), func(p *Prompt) *string { return &p.NPC }, "whose prompt").Required(),
		source.Key("has", personas.TextsType(), func(p *Prompt) *[]personas.Text { return &p.Has }, "each of these is in it"),
		source.Key("lacks", personas.TextsType(), func(p *Prompt) *[]personas.Text { return &p.Lacks }, "none of these is in it"),
	)
}

func reply() source.Type[Reply] {
	return source.Object("reply", "what the reply must be like",
		source.Key("matches", personas.TextsType(), func(r *Reply) *[]personas.Text { return &r.Matches }, "each of these is in it"),
		source.Key("not_matches", personas.TextsType(), func(r *Reply) *[]personas.Text { return &r.NotMatches }, "none of these is in it"),
		source.Key("max_words", source.Whole(1, 100_000), func(r *Reply) *int { return &r.MaxWords }, "words, or CJK characters"),
		source.Key("no_taboo", source.Bool(), func(r *Reply) *bool { return &r.NoTaboo }, "no taboo word").Default(false),
	)
}

func players() source.Type[Players] {
	return source.Object("players", "a simulated player",
		source.Key("kind", source.ID(), func(p *Players) *string { return &p.Kind }, "which one").Required().Example("contrarian"),
		source.Key("turns", source.Whole(1, 1000), func(p *Players) *int { return &p.Turns }, "how many turns").Default(6),
	)
}
