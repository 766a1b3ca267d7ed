package prompt

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"fabula/engine"
	"fabula/personas"
)

// stable writes what does not change from turn to turn: rules, persona,
// unconditional samples, constant lore.
func (a *author) stable() []item {
	items := []item{
		{Segment: a.system(Rules, "rules", a.rules())},
	}
	if s := a.persona(); s != "" {
		items = append(items, item{Segment: a.system(Persona, personaFile(a.in.Speaker), s)})
	}
	items = append(items, a.stableSamples()...)
	return append(items, a.guarded(a.lore(engine.System, a.constant()))...)
}

func (a *author) system(k Kind, source, text string) Segment {
	return Segment{Kind: k, Source: source, Role: engine.System, Text: text}
}

func personaFile(p *personas.Persona) string {
	if p.Pos.File != "" {
		return p.Pos.File
	}
	return "personas/" + p.ID + ".yaml"
}

// rules says who speaks with whom and how. Taboos are part of it, so they can
// never be dropped.
func (a *author) rules() string {
	s := a.in.Script
	var b strings.Builder
	b.WriteString(pair(a.say.you, a.name(), a.text(a.in.Speaker.Brief)))
	if t := a.text(s.Title); t != "" {
		b.WriteString(f(a.say.tale, bare(t)))
	}
	if t := a.text(s.Era); t != "" {
		b.WriteString(f(a.say.era, bare(t)))
	}
	b.WriteString(pair(a.say.with, a.player(), a.text(s.Player.Brief)))
	who := strings.TrimSpace(b.String())
	b.Reset()
	b.WriteString(who + "\n" + a.say.stay + a.say.answer)
	if n := a.in.Speaker.Words; n > 0 {
		b.WriteString(f(a.say.limit, strconv.Itoa(n)))
	}
	b.WriteString(sentence(a.say.stop) + f(a.say.only, a.name()) + a.cues())
	if taboo := append(a.texts(s.Taboo), a.texts(a.in.Speaker.Taboo)...); len(taboo) > 0 {
		b.WriteString(f(a.say.taboo, strings.Join(slices.Compact(taboo), a.say.list)))
	}
	return strings.TrimSpace(b.String())
}

// pair fills a sentence "A, B." and leaves ", B" out where B is empty.
func pair(format, first, second string) string {
	if second = bare(second); second != "" {
		return f(format, first, second)
	}
	head, tail, _ := strings.Cut(format, "%s")
	_, end, _ := strings.Cut(tail, "%s")
	return head + first + end
}

// sentence is a full stop with the blank that follows it in its script.
func sentence(stop string) string {
	if stop == "." {
		return ". "
	}
	return stop
}

func (a *author) cues() string {
	c := a.in.Script.Cues
	var known []string
	for _, id := range slices.Concat(c.Emotion, c.Action) {
		known = append(known, "*"+id+"*")
	}
	if len(known) == 0 {
		return a.say.noCues
	}
	return f(a.say.cues, strings.Join(known, a.say.list))
}

// persona tells the speaker who it is.
func (a *author) persona() string {
	p := a.in.Speaker
	var lines []string
	add := func(format, text string) {
		if text = strings.TrimSpace(text); text != "" {
			lines = append(lines, f(format, text))
		}
	}
	add(a.say.voice, a.text(p.Voice))
	add(a.say.traits, strings.Join(a.texts(p.Traits), a.say.list))
	add(a.say.past, a.text(p.Backstory))
	add(a.say.self, strings.Join(a.selfWords(), a.say.list))
	return strings.Join(append(lines, a.addresses()...), "\n")
}

// selfWords are the words for "I" in the reply's language. Authors list those
// of all languages plainly, so the script tells them apart.
func (a *author) selfWords() []string {
	var out []string
	for _, t := range a.in.Speaker.Self {
		if s, ok := wording(t, a.lang); ok && s != "" && strings.ContainsFunc(s, wide) == a.say.wide {
			out = append(out, s)
		}
	}
	return out
}

// addresses says what the speaker calls others, in order of their ids.
func (a *author) addresses() []string {
	var out []string
	to := make([]string, 0, len(a.in.Speaker.Address))
	for id := range a.in.Speaker.Address {
		to = append(to, id)
	}
	slices.Sort(to)
	for _, id := range to {
		name := id
		if id == "player" {
			name = a.player()
		} else if p := a.in.Script.Persona(id); p != nil {
			name = a.nameOf(p)
		}
		if word := a.text(a.in.Speaker.Address[id]); word != "" {
			out = append(out, f(a.say.calls, name, word))
		}
	}
	return out
}

// stableSamples writes the exchanges that hold in every state; the last in
// the file are dropped first.
func (a *author) stableSamples() []item {
	var out []item
	for i, s := range a.in.Speaker.Samples {
		if s.When.Empty() {
			out = append(out, a.sampleItem(i, item{drop: stableSample, heading: a.say.samples, rank: i}, engine.System))
		}
	}
	return a.guarded(out)
}

// sampleItem fills in the text of sample i.
func (a *author) sampleItem(i int, it item, role engine.Role) item {
	s := a.in.Speaker.Samples[i]
	it.Segment = Segment{Kind: Sample, Source: sampleID(a.in.Speaker.ID, i), Role: role, Text: a.sample(s)}
	return it
}

func (a *author) sample(s personas.Sample) string {
	reply := f(a.say.named, a.name(), a.text(s.Reply))
	if player := a.text(s.Player); player != "" {
		return f(a.say.named, a.player(), player) + "\n" + reply
	}
	return reply
}

func sampleID(persona string, i int) string { return fmt.Sprintf("%s.sample.%d", persona, i+1) }

// byPriority puts the most important lore first; equals keep file order.
func byPriority(ls []*personas.Lore) {
	slices.SortStableFunc(ls, func(x, y *personas.Lore) int { return cmp.Compare(y.Priority, x.Priority) })
}
