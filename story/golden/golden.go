// Package golden holds what people say of replies, as authored in golden/*.yaml:
// golden replies, which an NPC must give the like of again after an edit or with
// another engine, and labels, by which a judge is measured.
//
// Non-goals: asking anybody again (story/golden/rerun), judging (story/lab/judge).
package golden

import (
	"fabula/personas/source"
)

// Golden is one file.
type Golden struct {
	Replies []Reply
	Labels  []Label
	Pos     source.Pos
}

// Reply is a reply that somebody starred, with where it was given and what another
// one in its place has to hold.
type Reply struct {
	ID       string
	NPC      string
	Language string // empty = the world's first
	Node     string // empty = the world's start
	State    []Setting
	Before   []Exchange // the last turns before it
	Say      string     // what the player says
	Reply    string     // what was starred
	// MustKnow are words or facts of which each has to be in the reply, one of the
	// wordings that bars divide; MustNot those of which none may be.
	MustKnow, MustNot []string
	// Distance is the most that the voice may be from the persona's sample lines, in
	// standard deviations; 0 = any.
	Distance float64
	Allow    []string // codes of rules that may hit
	Pos      source.Pos
}

// Setting gives a variable its value.
type Setting struct {
	Var, Value string // as typed
	Pos        source.Pos
}

// Exchange is a turn before the starred one.
type Exchange struct {
	Say   string
	By    string // who answered; empty = the NPC
	Reply string
	Pos   source.Pos
}

// Label is what a person says of a reply: the flaws that it has, none or more.
type Label struct {
	NPC      string
	Language string
	Say      string
	Reply    string
	Flaws    []string
	By       string // who labelled it
	Pos      source.Pos
}

// Flaw is something that can be wrong with a reply.
type Flaw struct {
	Code     string `json:"code"`
	Severity int    `json:"severity"` // 1 (a blemish) to 5 (breaks the character)
}

// The codes of flaws: a closed list, so that judgements can be compared.
const (
	OutOfVoice    = "out_of_voice"
	Modern        = "modern"
	MachineTalk   = "machine_talk"
	TraitFlip     = "trait_flip"
	AgreesEasily  = "agrees_easily"
	Lectures      = "lectures"
	NamesFeelings = "names_feelings"
	KnowsTooMuch  = "knows_too_much"
	IgnoresPlayer = "ignores_player"
	ActsForPlayer = "acts_for_player"
)

// Flaws lists all of them, the gravest first.
func Flaws() []Flaw {
	return []Flaw{{MachineTalk, 5}, {KnowsTooMuch, 5}, {Modern, 4}, {TraitFlip, 4}, {OutOfVoice, 3}, {ActsForPlayer, 3},
		{IgnoresPlayer, 3}, {AgreesEasily, 2}, {Lectures, 2}, {NamesFeelings, 1}}
}

// FlawCodes lists the codes of the flaws.
func FlawCodes() []string {
	var out []string
	for _, f := range Flaws() {
		out = append(out, f.Code)
	}
	return out
}

// Load reads one file. All its faults are reported; who knows the script checks
// what it names.
func Load(file source.File) (*Golden, []source.Fault) {
	g, faults := source.Read(file, Type())
	return &g, faults
}

// Type declares the keys of a golden file.
func Type() source.Type[Golden] {
	return source.Object("golden", "golden replies, and what people say of replies",
		source.Key("replies", source.List(reply()), func(g *Golden) *[]Reply { return &g.Replies }, "replies of which the like must come again"),
		source.Key("labels", source.List(label()), func(g *Golden) *[]Label { return &g.Labels }, "replies with the flaws that a person sees in them; `fabula judge` is measured by them"),
	).Placed(func(g *Golden) *source.Pos { return &g.Pos })
}

func reply() source.Type[Reply] {
	settings := source.As(source.Map(source.ID(), source.Any()), func(entries []source.Entry[string, source.Scalar]) []Setting {
		all := make([]Setting, len(entries))
		for i, e := range entries {
			all[i] = Setting{e.Key, e.Value.Text, e.Pos}
		}
		return all
	})
	return source.Object("golden reply", "a starred reply, and what another one in its place has to hold",
		source.Key("id", source.ID(), func(r *Reply) *string { return &r.ID }, "id of the golden reply").Required(),
		source.Key("npc", source.ID(), func(r *Reply) *string { return &r.NPC }, "who says it").Required(),
		source.Key("language", source.Language(), func(r *Reply) *string { return &r.Language }, "language of the playthrough; the world's first where not written"),
		source.Key("node", source.ID(), func(r *Reply) *string { return &r.Node }, "where; the world's start where not written"),
		source.Key("state", settings, func(r *Reply) *[]Setting { return &r.State }, "variables and their values"),
		source.Key("before", source.List(exchange()), func(r *Reply) *[]Exchange { return &r.Before }, "what was said before it, oldest first"),
		source.Key("say", source.Words("line"), func(r *Reply) *string { return &r.Say }, "what the player says").Required(),
		source.Key("reply", source.Words("line"), func(r *Reply) *string { return &r.Reply }, "what was starred; it is shown beside what comes now").Required(),
		source.Key("must_know", source.List(source.Words("line")), func(r *Reply) *[]string { return &r.MustKnow },
			"words of which each has to be in the reply; | divides wordings of which one is enough").Example([]string{"twelve | dozen"}),
		source.Key("must_not_know", source.List(source.Words("line")), func(r *Reply) *[]string { return &r.MustNot }, "words of which none may be in the reply"),
		source.Key("distance", source.Number(0, 10), func(r *Reply) *float64 { return &r.Distance },
			"how far the voice may be from the persona's sample lines, in standard deviations; 0 = any").Default(2),
		source.Key("allow", source.List(source.ID()), func(r *Reply) *[]string { return &r.Allow }, "codes of rules that may hit (fabula lint --rules)"),
	).Placed(func(r *Reply) *source.Pos { return &r.Pos })
}

func exchange() source.Type[Exchange] {
	return source.Object("exchange", "a turn before",
		source.Key("say", source.Words("line"), func(e *Exchange) *string { return &e.Say }, "what the player said"),
		source.Key("by", source.ID(), func(e *Exchange) *string { return &e.By }, "who answered; the NPC where not written"),
		source.Key("reply", source.Words("line"), func(e *Exchange) *string { return &e.Reply }, "what was answered").Required(),
	).Placed(func(e *Exchange) *source.Pos { return &e.Pos })
}

func label() source.Type[Label] {
	return source.Object("label", "what a person says of a reply",
		source.Key("npc", source.ID(), func(l *Label) *string { return &l.NPC }, "who says it").Required(),
		source.Key("language", source.Language(), func(l *Label) *string { return &l.Language }, "language of the reply; the world's first where not written"),
		source.Key("say", source.Words("line"), func(l *Label) *string { return &l.Say }, "what the player says"),
		source.Key("reply", source.Words("line"), func(l *Label) *string { return &l.Reply }, "what is answered").Required(),
		source.Key("flaws", source.List(source.OneOf(FlawCodes()...)), func(l *Label) *[]string { return &l.Flaws }, "flaws that it has; none where the list is empty"),
		source.Key("by", source.Words("word"), func(l *Label) *string { return &l.By }, "who says so"),
	).Placed(func(l *Label) *source.Pos { return &l.Pos })
}
