// Package card writes each persona as a character card, in each language of the
// world:
//
//	card/ID.LANG.v2.json  card/ID.LANG.v3.json
//	card/ID.LANG.png      both in one picture, as `chara` and `ccv3`
//
// A persona that was imported goes out with everything its card held: fields
// that nobody touched are those of the card to the letter, with their macros;
// unknown fields and extensions stay. What fabula has and a card has not
// (secrets, conditions, taboo words) is left out and counted under
// extensions.fabula: a card has no lock.
//
// Non-goals: CHARX, pictures of an author.
package card

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"fabula/personas"
	cards "fabula/personas/card"
	"fabula/personas/source"
	"fabula/story/export"
	"fabula/story/export/table"
)

// Files gives the cards of all personas.
func Files(in export.Input) ([]export.File, error) {
	var out []export.File
	for _, p := range in.Script.Personas {
		origin := newWriter(in, p) // what it came from is the same in every language
		for _, lang := range in.Script.Languages {
			w := *origin
			w.lang = lang
			files, err := w.files()
			if err != nil {
				return nil, fmt.Errorf("card of %s: %w", p.ID, err)
			}
			out = append(out, files...)
		}
	}
	return out, nil
}

// writer writes the cards of one persona in one language.
type writer struct {
	in   export.Input
	p    *personas.Persona
	lang string
	base map[string]any // data of the card it came from
	was  *personas.Persona
	lore []*personas.Lore // as it was imported
	err  error
}

func newWriter(in export.Input, p *personas.Persona) *writer {
	w := &writer{in: in, p: p, base: map[string]any{}}
	w.remember(in.Cards[p.ID].JSON)
	return w
}

// remember reads the card that a persona came from, and what import made of it.
func (w *writer) remember(data []byte) {
	c, _, err := cards.Read(data)
	if err != nil {
		return // a card that cannot be read any more has nothing to say
	}
	var vars []string
	for _, v := range w.in.Script.Vars {
		vars = append(vars, v.ID)
	}
	for _, f := range cards.Convert(c, cards.Options{ID: w.p.ID, Vars: vars}).Files {
		switch {
		case strings.HasPrefix(f.Name, "personas/") && strings.HasSuffix(f.Name, ".yaml"):
			w.was, _ = personas.Load(source.File{Name: f.Name, Data: f.Data})
		case strings.HasPrefix(f.Name, "lore/"):
			w.lore, _ = personas.LoadLore(source.File{Name: f.Name, Data: f.Data})
		}
	}
	w.base = c.Data()
}

func (w *writer) files() ([]export.File, error) {
	v2, v3 := w.card("2.0"), w.card("3.0")
	if w.err != nil {
		return nil, w.err
	}
	picture := w.in.Cards[w.p.ID].Picture
	if picture == nil {
		picture = blank(w.p.ID)
	}
	if mask := w.in.Mask; mask != nil {
		v2, v3 = []byte(mask(string(v2))), []byte(mask(string(v3)))
	}
	png, err := cards.Embed(picture, compact(v2), compact(v3))
	if err != nil {
		return nil, err
	}
	name := "card/" + w.p.ID + "." + w.lang
	return []export.File{{Name: name + ".v2.json", Data: v2}, {Name: name + ".v3.json", Data: v3}, {Name: name + ".png", Data: png}}, nil
}

func compact(data []byte) []byte {
	var out bytes.Buffer
	if json.Compact(&out, data) != nil {
		return data
	}
	return out.Bytes()
}

// v3Only are the fields that a V2 card does not know.
var v3Only = []string{"group_only_greetings", "assets", "nickname", "creator_notes_multilingual", "source", "creation_date", "modification_date"}

// card gives one version of the card as indented JSON.
func (w *writer) card(version string) []byte {
	data := map[string]any{}
	for k, v := range w.base {
		data[k] = v
	}
	for _, k := range []string{"system_prompt", "post_history_instructions", "creator", "creator_notes", "character_version", "scenario"} {
		if _, ok := data[k].(string); !ok {
			data[k] = ""
		}
	}
	for _, k := range []string{"alternate_greetings", "tags", "group_only_greetings"} {
		data[k] = texts(data[k])
	}
	w.fields(data)
	if book := w.book(version); book != nil {
		data["character_book"] = book
	} else {
		delete(data, "character_book")
	}
	data["extensions"] = w.extensions()
	if version == "2.0" {
		for _, k := range v3Only {
			delete(data, k)
		}
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(map[string]any{"spec": "chara_card_v" + version[:1], "spec_version": version, "data": data}); err != nil && w.err == nil {
		w.err = err
	}
	return out.Bytes()
}

// texts gives the strings of a list; no card may hold null.
func texts(v any) []string {
	out := []string{}
	list, _ := v.([]any)
	for _, item := range list {
		if s, ok := item.(string); ok {
			out = append(out, s)
		}
	}
	return out
}

// fields sets what a person can have changed since the import; what nobody
// touched stays to the letter.
func (w *writer) fields(data map[string]any) {
	for _, f := range []struct {
		key string
		of  func(*personas.Persona) string
	}{
		{"name", w.name}, {"description", w.description}, {"personality", w.personality}, {"first_mes", w.greeting}, {"mes_example", w.examples},
	} {
		now := f.of(w.p)
		if old, ok := data[f.key].(string); ok && w.was != nil && f.of(w.was) == now {
			data[f.key] = old
			continue
		}
		data[f.key] = now
	}
}

func (w *writer) name(p *personas.Persona) string { return w.text(p, "name", p.Name) }

func (w *writer) greeting(p *personas.Persona) string { return w.text(p, "greeting", p.Greeting) }

func (w *writer) description(p *personas.Persona) string {
	parts := []string{w.text(p, "brief", p.Brief), w.text(p, "backstory", p.Backstory)}
	for _, c := range append(append([]personas.Conditional{}, p.Goals...), p.Knows...) {
		if c.When.Empty() {
			parts = append(parts, w.text(p, "goals and knows", c.Text))
		}
	}
	return joined(parts, "\n")
}

func (w *writer) personality(p *personas.Persona) string {
	var traits []string
	for _, t := range p.Traits {
		traits = append(traits, w.text(p, "traits", t))
	}
	return joined([]string{joined(traits, ", "), w.text(p, "voice", p.Voice)}, "\n")
}

func joined(parts []string, by string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, by)
}

// examples writes the samples that always hold as dialogues.
func (w *writer) examples(p *personas.Persona) string {
	var b strings.Builder
	for i, s := range p.Samples {
		if !s.When.Empty() {
			continue
		}
		player, reply := w.text(p, "style_samples", s.Player), w.text(p, "style_samples", s.Reply)
		one := "{{char}}: " + reply + "\n"
		if player != "" {
			one = "{{user}}: " + player + "\n" + one
		}
		if got := cards.Exchanges(one, w.name(p)); len(got) != 1 || got[0] != [2]string{strings.TrimSpace(player), strings.TrimSpace(reply)} {
			w.refuse(fmt.Sprintf("style sample %d of %s holds <START> or a line that begins with a speaker's name, which a card reads as its own", i+1, p.ID))
		}
		b.WriteString("<START>\n" + one)
	}
	return b.String()
}

func (w *writer) refuse(what string) {
	if w.err == nil {
		w.err = fmt.Errorf("%s: %w", what, export.ErrCannotCarry)
	}
}

// text gives an authored text as a card has it: {player} is {{user}}, a
// variable stands with the value it starts with.
func (w *writer) text(p *personas.Persona, field string, t personas.Text) string {
	text := strings.TrimSpace(t.In(w.lang, w.in.Script.Languages...))
	low := strings.ToLower(text)
	for _, macro := range []string{"{{char}}", "{{user}}", "<user>", "<bot>", "<char>"} {
		if strings.Contains(low, macro) {
			w.refuse(fmt.Sprintf("%s of %s holds %s, which a card fills in", field, p.ID, macro))
		}
	}
	var b strings.Builder
	for _, piece := range table.Pieces(w.in.Script, table.Row{}, text) {
		switch {
		case !piece.Placeholder:
			b.WriteString(piece.Text)
		case piece.Text == "{player}":
			b.WriteString("{{user}}")
		default:
			b.WriteString(w.in.Script.Expand(piece.Text, w.in.Script.Initial(), w.lang))
		}
	}
	return b.String()
}

// extensions keeps those of the card, and says what was left out.
func (w *writer) extensions() map[string]any {
	out := map[string]any{}
	if old, ok := w.base["extensions"].(map[string]any); ok {
		for k, v := range old {
			out[k] = v
		}
	}
	left := map[string]int{}
	for what, n := range map[string]int{"secrets": len(w.p.Secrets), "taboo": len(w.p.Taboo), "conditional": w.conditional()} {
		if n > 0 {
			left[what] = n
		}
	}
	out["fabula"] = map[string]any{"world": w.in.Script.ID, "persona": w.p.ID, "version": w.p.Hash, "language": w.lang, "left_out": left}
	return out
}

func (w *writer) conditional() int {
	n := 0
	for _, c := range append(append([]personas.Conditional{}, w.p.Goals...), w.p.Knows...) {
		if !c.When.Empty() {
			n++
		}
	}
	for _, s := range w.p.Samples {
		if !s.When.Empty() {
			n++
		}
	}
	return n
}
