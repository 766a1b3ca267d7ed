package personas

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
	"unicode"

	"fabula/personas/source"
)

// Codes of the faults that loading personas and lore adds to those of source.
const (
	CodeDuplicateID  = "duplicate_id"      // kind ("secret", "lore entry"), id, place of the first
	CodeUnboundTaboo = "unbound_taboo"     // text: nothing in it that a reply could contain
	CodeLoreWithout  = "lore_without_keys" // id: neither keys nor `constant: true`
)

// Codes lists the fault codes of this package.
func Codes() []string {
	return []string{CodeDuplicateID, CodeUnboundTaboo, CodeLoreWithout}
}

// Load reads one persona. All faults of the file are reported; with any of
// them the persona must not be used, since a taboo or a secret may be missing
// from it. It is given even so, as far as it goes, to resolve references.
func Load(file source.File) (*Persona, []source.Fault) {
	p, faults := source.Read(file, PersonaType())
	p.Hash = Version(file.Data)
	if p.Pos.File == "" {
		p.Pos.File = file.Name
	}
	return &p, faults
}

// Version is the hash that identifies the wording of a persona: SHA-256 over
// the bytes of its file, in hex.
func Version(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// PersonaType declares the keys of a persona file.
func PersonaType() source.Type[Persona] {
	return source.Object("persona", "one NPC",
		source.Key("persona", source.ID(), func(p *Persona) *string { return &p.ID }, "id of the persona").Required().Example("adu"),
		source.Key("was", WasType(), func(p *Persona) *[]string { return &p.Was }, "earlier ids"),
		source.Key("name", TextType(), func(p *Persona) *Text { return &p.Name }, "name that the player sees").Required(),
		source.Key("brief", TextType(), func(p *Persona) *Text { return &p.Brief }, "who this is, in one line"),
		source.Key("voice", TextType(), func(p *Persona) *Text { return &p.Voice }, "how this persona talks"),
		source.Key("traits", TextsType(), func(p *Persona) *[]Text { return &p.Traits }, "traits of character"),
		source.Key("backstory", TextType(), func(p *Persona) *Text { return &p.Backstory }, "what lies behind"),
		source.Key("goals", conditionals("goal"), func(p *Persona) *[]Conditional { return &p.Goals }, "what this persona wants"),
		source.Key("knows", conditionals("fact"), func(p *Persona) *[]Conditional { return &p.Knows }, "what this persona may tell"),
		source.Key("secrets", secrets(), func(p *Persona) *[]Secret { return &p.Secrets }, "kept out of the prompt until unlocked"),
		source.Key("taboo", TabooType(), func(p *Persona) *[]Text { return &p.Taboo }, "never said, in any inflection or look-alike"),
		source.Key("self", TextsType(), func(p *Persona) *[]Text { return &p.Self }, `words for "I"; others are findings`),
		source.Key("address", addresses(), func(p *Persona) *map[string]Text { return &p.Address }, "what this persona calls the player or another persona"),
		source.Key("style_samples", source.List(sample()), func(p *Persona) *[]Sample { return &p.Samples }, "exchanges in this persona's voice"),
		source.Key("limits", limits(), func(p *Persona) *int { return &p.Words }, "limits of a reply"),
		source.Key("greeting", TextType(), func(p *Persona) *Text { return &p.Greeting }, "said at first meeting where no line is"),
		source.Key("sampling", SamplingType(), func(p *Persona) *Sampling { return &p.Sampling }, "overrides the world's sampling"),
		source.Key("speaks", source.Language(), func(p *Persona) *string { return &p.Speaks }, "language, if not the playthrough's"),
		source.Key("allow", AllowType(), func(p *Persona) *[]Allow { return &p.Allow }, "findings accepted here"),
	).Placed(func(p *Persona) *source.Pos { return &p.Pos })
}

// conditionals reads a list of texts, each plain or with a `when`.
func conditionals(name string) source.Type[[]Conditional] {
	plain := source.As(TextType(), func(t Text) Conditional { return Conditional{Text: t} })
	full := source.Object(name, "a text that holds only at times",
		source.Key("text", TextType(), func(c *Conditional) *Text { return &c.Text }, "the text").Required(),
		source.Key("when", source.Condition(), func(c *Conditional) *source.Cond { return &c.When }, "only while this holds"),
	)
	return source.List(source.Either(plain, full))
}

func secrets() source.Type[[]Secret] {
	one := source.Object("secret", "what must not be told before its time",
		source.Key("id", source.ID(), func(s *Secret) *string { return &s.ID }, "id of the secret").Required(),
		source.Key("was", WasType(), func(s *Secret) *[]string { return &s.Was }, "earlier ids"),
		source.Key("text", TextType(), func(s *Secret) *Text { return &s.Text }, "the secret").Required(),
		source.Key("unlock", source.Condition(), func(s *Secret) *source.Cond { return &s.Unlock },
			"from when on it may be told; `false` keeps it for ever").Required(),
		source.Key("aliases", TextsType(), func(s *Secret) *[]Text { return &s.Aliases }, "other wordings that give it away"),
		source.Key("cover", TextType(), func(s *Secret) *Text { return &s.Cover }, "what is said instead while it is locked"),
	).Placed(func(s *Secret) *source.Pos { return &s.Pos })
	return source.List(one).Checked(func(all *[]Secret, v source.Value) {
		unique(v, "secret", *all, func(s Secret) (string, source.Pos) { return s.ID, s.Pos })
	})
}

// unique reports an id that a list gives twice, at its second place.
func unique[T any](v source.Value, kind string, all []T, of func(T) (string, source.Pos)) {
	first := map[string]source.Pos{}
	for _, item := range all {
		id, at := of(item)
		if was, twice := first[id]; twice {
			v.FaultAt(at, CodeDuplicateID, kind, id, was.File+":"+strconv.Itoa(was.Line))
		} else if id != "" {
			first[id] = at
		}
	}
}

// TabooType reads words that are never said. A word that no reply could
// contain, such as a lone dash, would guard nothing, and is refused.
func TabooType() source.Type[[]Text] {
	return TextsType().Checked(func(all *[]Text, v source.Value) {
		for _, t := range *all {
			for _, word := range t.All() {
				if !strings.ContainsFunc(word, binds) {
					v.FaultAt(t.Pos, CodeUnboundTaboo, word)
				}
			}
		}
	})
}

func binds(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsSymbol(r) }

func addresses() source.Type[map[string]Text] {
	return source.As(source.Map(source.ID(), TextType()), func(entries []source.Entry[string, Text]) map[string]Text {
		by := make(map[string]Text, len(entries))
		for _, e := range entries {
			e.Value.Pos = e.Pos // the name is what can be wrong
			by[e.Key] = e.Value
		}
		return by
	})
}

func sample() source.Type[Sample] {
	return source.Object("sample", "an exchange: few-shot, recall line, lint reference, calibration",
		source.Key("player", TextType(), func(s *Sample) *Text { return &s.Player }, "what the player says"),
		source.Key("reply", TextType(), func(s *Sample) *Text { return &s.Reply }, "what the persona answers").Required(),
		source.Key("when", source.Condition(), func(s *Sample) *source.Cond { return &s.When }, "only while this holds"),
	).Placed(func(s *Sample) *source.Pos { return &s.Pos })
}

func limits() source.Type[int] {
	return source.Object("limits", "limits of a reply",
		source.Key("words", source.Whole(1, 10_000), func(n *int) *int { return n }, "words, or CJK characters"))
}
