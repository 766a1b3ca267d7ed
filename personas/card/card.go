// Package card reads what people bring from other tools, and makes a persona
// and lore of it: character cards (V1, V2, V3 as JSON, in a PNG or as CHARX) and
// lorebooks in their three shapes.
//
// A card is read leniently, and everything that was changed or has no place is
// noted: a Note is a code with arguments, worded by cmd. Parsers are bounded:
// no length that a file declares is believed. Sources: character card
// specifications V1, V2 (malfoyslastname) and V3 (kwaroran).
//
// Non-goals: writing files, pictures and sounds of a CHARX, running macros.
package card

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// Limits of what is read.
const (
	MaxFile    = 64 << 20 // bytes of any file
	MaxJSON    = 16 << 20 // bytes of a card or lorebook
	MaxEntries = 10_000   // of a lorebook
	MaxFiles   = 4_096    // in a CHARX
)

// ErrFormat is wrapped where a file is not what can be read; the text says what
// it seems to be.
var ErrFormat = errors.New("not a character card or lorebook")

// Card is a character card of any version.
type Card struct {
	Version string // "v1", "v2", "v3"
	Name, Nickname, Description, Personality, Scenario, Greeting,
	Examples, System, After, Creator, CreatorNotes, CharacterVersion string
	Greetings, GroupGreetings, Tags []string
	Book                            *Book
	JSON                            []byte // as it was found
	Picture                         []byte // the PNG without the card; nil where there was none
}

// Called is the name that {{char}} stands for.
func (c *Card) Called() string {
	if c.Nickname != "" {
		return c.Nickname
	}
	return c.Name
}

// Read reads a character card from a file of any of its three forms.
func Read(data []byte) (*Card, []Note, error) {
	switch {
	case len(data) > MaxFile:
		return nil, nil, fmt.Errorf("%w: %d bytes, at most %d are read", ErrFormat, len(data), MaxFile)
	case isPNG(data):
		return readPNG(data)
	case isZip(data):
		return readCHARX(data)
	}
	if text, ok := asJSON(data); ok {
		return readJSON(text)
	}
	return nil, nil, fmt.Errorf("%w: the file %s", ErrFormat, Looks(data))
}

// asJSON gives data without a byte order mark, if it begins an object.
func asJSON(data []byte) ([]byte, bool) {
	text := bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF"))
	return text, strings.HasPrefix(strings.TrimSpace(string(text[:min(len(text), 512)])), "{")
}

// readJSON reads a card of JSON.
func readJSON(data []byte) (*Card, []Note, error) {
	top, notes, err := decode(data)
	if err != nil {
		return nil, nil, err
	}
	modern(top)
	f := fields{of: top, notes: &notes}
	c := &Card{Version: version(top), JSON: data}
	if inner, ok := top["data"].(map[string]any); ok && c.Version != "v1" {
		f = fields{of: inner, notes: &notes}
	} else if c.Version != "v1" {
		c.Version = "v1"
		notes = append(notes, Note{Coerced, "data", NoteNoData, nil})
	}
	c.fill(f)
	if strings.TrimSpace(c.Name) == "" {
		return nil, nil, fmt.Errorf("%w: it has no `name`", ErrFormat)
	}
	return c, notes, nil
}

// decode reads one JSON object.
func decode(data []byte) (map[string]any, []Note, error) {
	if len(data) > MaxJSON {
		return nil, nil, fmt.Errorf("%w: %d bytes of JSON, at most %d are read", ErrFormat, len(data), MaxJSON)
	}
	var notes []Note
	if !utf8.Valid(data) {
		notes = append(notes, Note{Coerced, "", NoteBytes, nil})
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var top map[string]any
	if err := d.Decode(&top); err != nil {
		return nil, nil, fmt.Errorf("%w: broken JSON at byte %d: %v", ErrFormat, d.InputOffset(), err)
	}
	if top == nil {
		return nil, nil, fmt.Errorf("%w: the JSON is null", ErrFormat)
	}
	return top, notes, nil
}

// old are the names that the fields of V1 had in the first programs.
var old = map[string]string{"char_name": "name", "char_persona": "description", "world_scenario": "scenario",
	"char_greeting": "first_mes", "example_dialogue": "mes_example"}

// modern gives such fields the names they have now, where those are not there.
func modern(top map[string]any) {
	for from, to := range old {
		v, has := top[from]
		if now, is := top[to].(string); has && (!is || now == "") {
			top[to] = v
		}
	}
}

func version(top map[string]any) string {
	spec, _ := top["spec"].(string)
	switch {
	case strings.HasPrefix(spec, "chara_card_v2"):
		return "v2"
	case strings.HasPrefix(spec, "chara_card_v"): // V3, and newer ones, which are not to be refused
		return "v3"
	}
	if _, ok := top["data"].(map[string]any); ok {
		return "v2"
	}
	return "v1"
}

func (c *Card) fill(f fields) {
	for key, into := range map[string]*string{
		"name": &c.Name, "nickname": &c.Nickname, "description": &c.Description, "personality": &c.Personality,
		"scenario": &c.Scenario, "first_mes": &c.Greeting, "mes_example": &c.Examples, "system_prompt": &c.System,
		"post_history_instructions": &c.After, "creator": &c.Creator, "creator_notes": &c.CreatorNotes,
		"character_version": &c.CharacterVersion,
	} {
		*into = f.text(key)
	}
	c.Greetings = f.texts("alternate_greetings")
	c.GroupGreetings = f.texts("group_only_greetings")
	c.Tags = f.texts("tags")
	if book, ok := f.of["character_book"].(map[string]any); ok {
		c.Book = readBook(fields{of: book, notes: f.notes, path: "character_book."})
	}
}

// Data gives the fields of the card as they were found: the `data` of V2 and
// V3, the top of V1. Numbers are json.Number.
func (c *Card) Data() map[string]any {
	top, _, err := decode(bytes.TrimPrefix(c.JSON, []byte("\xEF\xBB\xBF")))
	if err != nil {
		return map[string]any{}
	}
	if inner, ok := top["data"].(map[string]any); ok && c.Version != "v1" {
		return inner
	}
	modern(top)
	out := map[string]any{}
	for _, key := range []string{"name", "description", "personality", "scenario", "first_mes", "mes_example"} {
		if s, ok := top[key].(string); ok {
			out[key] = s
		}
	}
	if x, ok := top["extensions"]; ok {
		out["extensions"] = x
	}
	return out
}
