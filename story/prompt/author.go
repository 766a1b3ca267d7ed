package prompt

import (
	"errors"
	"fmt"

	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/plot"
)

// author writes the segments of one prompt.
type author struct {
	in   Input
	lang string
	say  phrases
	node *plot.Node // nil outside the plot

	locked *lint.Watch // for the speaker's secrets that must not be told yet
	traced []Traced    // of lore; nil until it is asked for
}

// errNoSpeaker and errNoScript are faults of the caller.
var (
	errNoSpeaker = errors.New("assemble prompt: no speaker")
	errNoScript  = errors.New("assemble prompt: no script")
)

func newAuthor(in Input) (*author, error) {
	switch {
	case in.Script == nil:
		return nil, errNoScript
	case in.Speaker == nil:
		return nil, errNoSpeaker
	}
	lang := in.Language
	if lang == "" {
		lang = in.Speaker.Speaks
	}
	if lang == "" && len(in.Script.Languages) > 0 {
		lang = in.Script.Languages[0]
	}
	return &author{in: in, lang: lang, say: phrasing(lang), node: in.Script.Node(in.State.Node),
		locked: lint.NewWatch(in.Script.Locked(in.Speaker, in.State))}, nil
}

// text gives an authored text in the reply's language, macros filled in.
func (a *author) text(t personas.Text) string {
	return a.in.Script.Expand(t.In(a.lang, a.in.Script.Languages...), a.in.State, a.lang)
}

// texts gives the ones that are not empty.
func (a *author) texts(ts []personas.Text) []string {
	var out []string
	for _, t := range ts {
		if s := a.text(t); s != "" {
			out = append(out, s)
		}
	}
	return out
}

func (a *author) name() string { return a.nameOf(a.in.Speaker) }

func (a *author) nameOf(p *personas.Persona) string {
	if s := a.text(p.Name); s != "" {
		return s
	}
	return p.ID
}

// player is the name of the person's role.
func (a *author) player() string {
	if s := a.text(a.in.Script.Player.Name); s != "" {
		return s
	}
	return "player"
}

func f(format string, args ...any) string { return fmt.Sprintf(format, args...) }
