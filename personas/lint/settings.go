package lint

import (
	"slices"

	"fabula/personas/source"
)

// Mode says what a world makes of a rule.
type Mode string

// The modes of a rule. Report is what a world has that says nothing.
const (
	Off        Mode = "off"
	Report     Mode = "report"
	Regenerate Mode = "regenerate" // ask for another reply, then stop
	StopReply  Mode = "stop"       // end the reply before the hit
)

// Settings are what a world wants of the rules.
type Settings struct {
	Year  *int // in which it plays; nil = as its era says
	modes [mostRules]Mode
}

// mostRules bounds how many rules there are.
const mostRules = 32

// Set changes the mode of a rule; a code that is none changes nothing.
func (s *Settings) Set(code string, m Mode) {
	if i := slices.Index(Codes(), code); i >= 0 {
		s.modes[i] = m
	}
}

// Mode gives the mode of a rule.
func (s Settings) Mode(code string) Mode {
	if i := slices.Index(Codes(), code); i >= 0 && s.modes[i] != "" {
		return s.modes[i]
	}
	return Report
}

// Off lists the rules that are switched off.
func (s Settings) Off() []string { return s.with(Off) }

// Blocking lists the rules that end a reply.
func (s Settings) Blocking() []string { return append(s.with(Regenerate), s.with(StopReply)...) }

func (s Settings) with(m Mode) []string {
	var out []string
	for i, code := range Codes() {
		if s.modes[i] == m {
			out = append(out, code)
		}
	}
	return out
}

// SettingsType reads `lint` of world.yaml: the year, and for each rule what is
// made of it. Only a rule that may block can be told to.
func SettingsType() source.Type[Settings] {
	fields := []source.Field[Settings]{
		source.Key("year", source.Optional(source.Whole(-5000, 9999)), func(s *Settings) **int { return &s.Year },
			"year in which the world plays, for anachronisms and slang; without it, what `era` says").Example(1279),
	}
	for i, code := range Codes() {
		fields = append(fields, source.Key(code, modeType(code), func(s *Settings) *Mode { return &s.modes[i] }, "what is made of a hit of this rule").Default(Report))
	}
	return source.Object("lint", "what the rules about replies do", fields...)
}

func modeType(code string) source.Type[Mode] {
	modes := []string{string(Off), string(Report)}
	if MayBlock(code) {
		modes = append(modes, string(Regenerate), string(StopReply))
	}
	return source.As(source.OneOf(modes...), func(word string) Mode { return Mode(word) })
}
