package card

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fabula/personas/source"
	"fabula/personas/source/emit"
)

// Options say into what world a card is brought.
type Options struct {
	ID   string   // of the persona; empty = made of the name
	Stem string   // name of the file it came from, where a name gives no id
	Has  []string // ids that personas, nodes and lore of the world have
	Vars []string // variables of the world
}

// Draft is what a card becomes: files below a world's folder, each new.
type Draft struct {
	ID    string
	Files []File
	Notes []Note
}

// File is one file of a draft.
type File struct {
	Name string // below the world's folder, slashes
	Data []byte
}

// Convert makes a persona of a card, lore of its book, and a node in which the
// persona can be met. The card itself lies beside, so that what fabula has no
// place for goes out again with it.
func Convert(c *Card, o Options) Draft {
	d := Draft{}
	c = d.selfless(c)
	d.name(cmp.Or(o.ID, slug(c.Name), slug(o.Stem), "imported"), o.Has)
	t := translator{vars: o.Vars, notes: &d.Notes}
	t.name = translator{vars: o.Vars, notes: new([]Note)}.text("name", c.Called())
	d.persona(c, t)
	if c.Book != nil {
		d.lore(c.Book, t, o, d.ID)
	}
	d.meeting(c, t, o)
	d.add("personas/"+d.ID+".card.json", c.JSON)
	if c.Picture != nil {
		d.add("personas/"+d.ID+".png", c.Picture)
	}
	d.kept(c)
	d.Notes = Sort(d.Notes)
	return d
}

// selfless takes {{char}} out of the names: there it would stand for the name that it
// is part of.
func (d *Draft) selfless(c *Card) *Card {
	out := *c
	for field, name := range map[string]*string{"name": &out.Name, "nickname": &out.Nickname} {
		plain := strings.Join(strings.Fields(ownName.ReplaceAllString(*name, " ")), " ")
		if ownName.MatchString(*name) {
			d.note(Coerced, field, NoteMacro, "{{char}}", "", strconv.Itoa(len(ownName.FindAllString(*name, -1))))
			*name = plain
		}
	}
	return &out
}

var ownName = regexp.MustCompile(`(?i)\{\{\s*char\s*\}\}|<(char|bot)>`)

// ConvertBook makes lore of a lorebook that stands alone; everybody knows it.
func ConvertBook(b *Book, o Options) Draft {
	d := Draft{}
	d.name(cmp.Or(o.ID, slug(b.Name), slug(o.Stem), "lorebook"), o.Has)
	d.lore(b, translator{vars: o.Vars, notes: &d.Notes}, o, "")
	d.Notes = Sort(d.Notes)
	return d
}

// name gives the draft an id that is free.
func (d *Draft) name(asked string, has []string) {
	if d.ID = newID(asked, has); d.ID != asked {
		d.note(Coerced, "name", NoteID, asked, d.ID)
	}
}

func (d *Draft) add(name string, data []byte) { d.Files = append(d.Files, File{name, data}) }

func (d *Draft) note(fate Fate, field, code string, args ...string) {
	d.Notes = append(d.Notes, Note{fate, field, code, args})
}

// took notes where a field went, if it holds anything.
func (d *Draft) took(field, text, to string) string {
	if text != "" {
		d.note(Taken, field, NoteRead, to)
	}
	return text
}

func (d *Draft) persona(c *Card, t translator) {
	samples := d.samples(c, t)
	o := emit.Object{
		{Key: "persona", Value: emit.Raw(d.ID)},
		{Key: "name", Value: cmp.Or(d.took("name", t.text("name", c.Name), "name"), d.ID)},
		{Key: "voice", Value: d.took("personality", t.text("personality", c.Personality), "voice")},
		{Key: "backstory", Value: d.took("description", t.text("description", c.Description), "backstory")},
		{Key: "style_samples", Value: samples},
		{Key: "greeting", Value: d.took("first_mes", t.text("first_mes", c.Greeting), "greeting")},
	}
	d.add("personas/"+d.ID+".yaml", emit.File(o, "Imported from a character card, which lies beside this file.",
		"Add what a card has not: brief, goals, secrets, taboo (fabula schema persona)."))
}

var (
	start   = regexp.MustCompile(`(?i)<START>`)
	speaker = regexp.MustCompile(`^[ \t]*([^:：\n]{1,60}?)[ \t]*[:：][ \t]*`)
)

// samples cuts the example dialogues into exchanges.
func (d *Draft) samples(c *Card, t translator) emit.List {
	var out emit.List
	list, lost := exchangesOf(c.Examples, c.Name, c.Nickname)
	for _, x := range list {
		player, reply := t.text("mes_example", x[0]), t.text("mes_example", x[1])
		if reply != "" {
			out = append(out, emit.Object{{Key: "player", Value: player}, {Key: "reply", Value: reply}})
		}
	}
	if lost > 0 {
		d.note(Dropped, "mes_example", NoteSpeaker, strconv.Itoa(lost))
	}
	if len(out) > 0 {
		d.note(Taken, "mes_example", NoteRead, "style_samples")
	}
	return out
}

// Exchanges cuts example dialogues into what the player says and what the
// character answers, as a card of that name has them.
func Exchanges(examples, name string) [][2]string {
	list, _ := exchangesOf(examples, name, "")
	return list
}

func exchangesOf(examples, name, nickname string) (list [][2]string, lost int) {
	for _, part := range start.Split(strings.ReplaceAll(examples, "\r\n", "\n"), -1) {
		e := exchanges{user: []string{"{{user}}", "<user>", "you", "user"}, char: []string{"{{char}}", "<bot>", "<char>", strings.ToLower(name), strings.ToLower(nickname)}}
		e.read(part)
		list, lost = append(list, e.list...), lost+e.lost
	}
	return list, lost
}

// exchanges reads lines of a dialogue: what the player says and what is
// answered.
type exchanges struct {
	user, char []string
	list       [][2]string
	said       [2]string
	open       int // who speaks: 0 nobody yet, 1 player, 2 character
	lost       int // lines of nobody
}

func (e *exchanges) read(part string) {
	if !e.spoken(part) { // no names: the block is a reply
		if text := strings.TrimSpace(part); text != "" {
			e.list = append(e.list, [2]string{"", text})
		}
		return
	}
	for line := range strings.SplitSeq(part, "\n") {
		who, rest := e.who(line)
		switch {
		case who > 0 && e.open == 2:
			e.end()
			e.open = who
		case who > 0:
			e.open = who
		case e.open == 0:
			if strings.TrimSpace(line) != "" {
				e.lost++
			}
			continue
		}
		e.said[e.open-1] = strings.TrimSpace(e.said[e.open-1] + "\n" + rest)
	}
	e.end()
}

func (e *exchanges) end() {
	if e.said[1] != "" {
		e.list = append(e.list, e.said)
	}
	e.said = [2]string{}
}

func (e *exchanges) spoken(part string) bool {
	for line := range strings.SplitSeq(part, "\n") {
		if who, _ := e.who(line); who > 0 {
			return true
		}
	}
	return false
}

// who gives the speaker of a line and the line without the name.
func (e *exchanges) who(line string) (int, string) {
	m := speaker.FindStringSubmatchIndex(line)
	if m == nil {
		return 0, line
	}
	name := strings.ToLower(strings.ReplaceAll(line[m[2]:m[3]], " ", ""))
	for i, names := range [][]string{e.user, e.char} {
		for _, n := range names {
			if n != "" && name == strings.ReplaceAll(n, " ", "") {
				return i + 1, line[m[1]:]
			}
		}
	}
	return 0, line
}

// meeting writes a node in which the persona can be met at once.
func (d *Draft) meeting(c *Card, t translator, o Options) {
	id := newID("meet_"+d.ID, o.Has)
	node := emit.Object{
		{Key: "node", Value: emit.Raw(id)},
		{Key: "title", Value: t.text("name", c.Name)},
		{Key: "scene", Value: emit.Object{{Key: "scenario", Value: d.took("scenario", t.text("scenario", c.Scenario), "plot/"+id+".yaml")}}},
		{Key: "cast", Value: emit.List{emit.Raw(d.ID)}},
		{Key: "allow", Value: emit.List{allow("unreachable"), allow("unreached"), allow("dead_end")}},
	}
	d.add("plot/"+id+".yaml", emit.File(emit.Object{{Key: "nodes", Value: emit.List{node}}},
		"A place to meet "+d.ID+": fabula say WORLD "+d.ID+" \"Hello\" --node "+id, "Lead an exit here, or cast "+d.ID+" elsewhere and delete this file."))
}

func allow(code string) emit.Object {
	return emit.Object{{Key: "finding", Value: emit.Raw(code)}, {Key: "reason", Value: "imported; no exit leads here yet"}}
}

// kept notes what stays in the card alone.
func (d *Draft) kept(c *Card) {
	for _, f := range []struct{ field, text string }{
		{"system_prompt", c.System}, {"post_history_instructions", c.After}, {"creator", c.Creator}, {"creator_notes", c.CreatorNotes},
		{"character_version", c.CharacterVersion}, {"tags", strings.Join(c.Tags, "")}, {"group_only_greetings", strings.Join(c.GroupGreetings, "")},
	} {
		if f.text != "" {
			d.note(Kept, f.field, NoteNoPlace)
		}
	}
	if n := len(c.Greetings); n > 0 {
		d.note(Kept, "alternate_greetings", NoteKeepsApart, strconv.Itoa(n))
	}
}

// newID makes an id that the world has not.
func newID(stem string, has []string) string {
	taken := map[string]bool{}
	for _, id := range has {
		taken[id] = true
	}
	id := stem
	for n := 2; taken[id]; n++ {
		id = fmt.Sprintf("%s_%d", stem, n)
	}
	return id
}

// slug makes an id of a name; "" where nothing of it can be one.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	const most = 40
	id := strings.TrimLeft(b.String(), "0123456789_")
	id = strings.TrimRight(id[:min(len(id), most)], "_")
	if !source.IsID(id) {
		return ""
	}
	return id
}
