package personas

import "fabula/personas/source"

// The types below are shared by every loader of fabula: what an author may
// write where a text, a sampling or an `allow` is expected.

// TextType reads a text: a string, or a map from language code to string.
func TextType() source.Type[Text] { return source.As(source.Text(), wrap) }

// TextsType reads a list of texts, or a map from language code to a list.
func TextsType() source.Type[[]Text] { return source.As(source.Texts(), wrapAll) }

// KeywordsType reads words that are looked for in what is said.
func KeywordsType() source.Type[[]Text] { return source.As(source.Keywords(), wrapAll) }

// GroupsType reads keywords: each item is a text, or a list of texts of which
// one is enough.
func GroupsType() source.Type[[][]Text] {
	return source.As(source.Groups(), func(raw [][]source.RawText) [][]Text {
		groups := make([][]Text, len(raw))
		for i, g := range raw {
			groups[i] = wrapAll(g)
		}
		return groups
	})
}

func wrap(raw source.RawText) Text { return Text(raw) }

func wrapAll(raw []source.RawText) []Text {
	texts := make([]Text, len(raw))
	for i, t := range raw {
		texts[i] = wrap(t)
	}
	return texts
}

// SamplingType reads the knobs of an engine's sampler.
func SamplingType() source.Type[Sampling] {
	return source.Object("sampling", "how the engine draws tokens",
		source.Key("temperature", source.Optional(source.Number(0, 5)),
			func(s *Sampling) **float64 { return &s.Temperature }, "0 always takes the likeliest token").Example(0.7),
		source.Key("top_k", source.Optional(source.Whole(0, 1_000_000)),
			func(s *Sampling) **int { return &s.TopK }, "only the K likeliest tokens; 0 = all"),
		source.Key("top_p", source.Optional(source.Number(0, 1)),
			func(s *Sampling) **float64 { return &s.TopP }, "only the likeliest tokens that add up to this"),
		source.Key("min_p", source.Optional(source.Number(0, 1)),
			func(s *Sampling) **float64 { return &s.MinP }, "only tokens at least this likely, against the likeliest"),
		source.Key("repeat_penalty", source.Optional(source.Number(0.1, 10)),
			func(s *Sampling) **float64 { return &s.RepeatPenalty }, "above 1 discourages repetition"),
		source.Key("max_tokens", source.Optional(source.Whole(1, 100_000)),
			func(s *Sampling) **int { return &s.MaxTokens }, "longest reply, in tokens").Example(160),
	)
}

// AllowType reads `allow`: findings that the author accepts, with the reason.
func AllowType() source.Type[[]Allow] {
	return source.List(source.Object("allow", "a finding that is accepted here",
		source.Key("finding", source.ID(), func(a *Allow) *string { return &a.Finding }, "code of the finding").Required(),
		source.Key("reason", source.Words("text"), func(a *Allow) *string { return &a.Reason }, "why it is right here").Required(),
	).Placed(func(a *Allow) *source.Pos { return &a.Pos }))
}

// WasType reads `was`: ids that a renamed thing had before.
func WasType() source.Type[[]string] { return source.List(source.ID()) }
