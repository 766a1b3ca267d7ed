package card

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"fabula/personas/source/emit"
)

// lore writes the entries of a book that can be written. knower is the only
// persona that knows them; empty = all.
func (d *Draft) lore(b *Book, t translator, o Options, knower string) {
	ids := map[string]bool{}
	for _, id := range o.Has {
		ids[id] = true
	}
	prefix := d.ID
	var entries emit.List
	for _, e := range b.Entries {
		if entry := d.entry(b, e, t, ids, prefix, knower); entry != nil {
			entries = append(entries, entry)
		}
	}
	if len(entries) == 0 {
		return
	}
	name := "lore/" + d.ID + ".yaml"
	d.add(name, emit.File(emit.Object{{Key: "entries", Value: entries}}, "Imported from a lorebook."))
	d.note(Taken, "entries", NoteRead, fmt.Sprintf("%s (%d)", name, len(entries)))
}

func (d *Draft) entry(b *Book, e Entry, t translator, ids map[string]bool, prefix, knower string) emit.Object {
	content, constant, off := d.decorators(e)
	text := t.text(e.Field+".content", content)
	keys := d.keys(e, "keys", e.Keys, t)
	constant = constant || e.Constant
	switch {
	case off || !e.Enabled:
		d.note(Dropped, e.Field, NoteDisabled)
		return nil
	case text == "":
		d.note(Dropped, e.Field, NoteNoText)
		return nil
	case len(keys) == 0 && !constant:
		d.note(Dropped, e.Field, NoteNoKeys)
		return nil
	}
	d.limits(e)
	out := emit.Object{
		{Key: "id", Value: emit.Raw(entryID(prefix, e, ids))},
		{Key: "keys", Value: keys},
		{Key: "secondary", Value: d.secondary(e, t)},
		{Key: "text", Value: text},
	}
	if constant {
		out = append(out, emit.Field{Key: "constant", Value: true})
	}
	if e.Priority != 0 {
		out = append(out, emit.Field{Key: "priority", Value: e.Priority})
	}
	scan := e.Scan
	if scan < 0 {
		scan = b.Scan
	}
	if turns := (scan - 1) / 2; turns > 0 { // a turn is two messages
		out = append(out, emit.Field{Key: "depth", Value: turns})
	}
	if knower != "" {
		out = append(out, emit.Field{Key: "known_to", Value: emit.List{emit.Raw(knower)}})
	}
	return out
}

// regexKey is a key that a script of the other tool would run.
var regexKey = regexp.MustCompile(`^/.+/[a-z]*$`)

func (d *Draft) keys(e Entry, field string, list []string, t translator) emit.List {
	var out emit.List
	for _, k := range list {
		if regexKey.MatchString(strings.TrimSpace(k)) || e.Regex && strings.ContainsAny(k, `\^$.*+?()[]{}|`) {
			d.note(Dropped, e.Field+"."+field, NoteRegex, clip(k))
			continue
		}
		if k = oneLine(t.text(e.Field+"."+field, k)); k != "" {
			out = append(out, k)
		}
	}
	return out
}

// oneLine joins what a keyword cannot hold: it is looked for in a line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// secondary carries the rule that fabula has: one of them must occur too.
func (d *Draft) secondary(e Entry, t translator) emit.List {
	list := d.keys(e, "secondary_keys", e.Secondary, t)
	switch {
	case len(list) == 0:
		return nil
	case e.Logic == 3 && len(list) > 1:
		d.note(Coerced, e.Field, NoteLogic, logics[3])
	case e.Logic == 1 || e.Logic == 2:
		d.note(Dropped, e.Field+".secondary_keys", NoteLogic, logics[e.Logic])
		return nil
	}
	return list
}

// limits notes what an entry had and fabula has not.
func (d *Draft) limits(e Entry) {
	if e.Chance < 100 {
		d.note(Coerced, e.Field, NoteChance, strconv.Itoa(e.Chance))
	}
	if e.Case {
		d.note(Coerced, e.Field, NoteCase)
	}
	if e.Position != "" {
		d.note(Dropped, e.Field, NotePosition, e.Position)
	}
}

// decorators cuts the leading @@ lines of a V3 entry.
func (d *Draft) decorators(e Entry) (content string, constant, off bool) {
	content = strings.TrimLeft(strings.ReplaceAll(e.Content, "\r\n", "\n"), "\n")
	for strings.HasPrefix(content, "@@") {
		line, rest, _ := strings.Cut(content, "\n")
		content = rest
		word, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(line), "@"), " ")
		switch word {
		case "activate", "constant":
			constant = true
		case "dont_activate":
			off = true
		default:
			d.note(Dropped, e.Field+".content", NoteDecorator, clip(line))
		}
	}
	return content, constant, off
}

// entryID makes an id of what an entry is called.
func entryID(prefix string, e Entry, ids map[string]bool) string {
	first := ""
	if len(e.Keys) > 0 {
		first = e.Keys[0]
	}
	stem := prefix
	if s := cmp.Or(slug(e.Name), slug(first)); s != "" {
		stem += "_" + s
	}
	id := stem
	for n := 2; ids[id]; n++ {
		id = stem + "_" + strconv.Itoa(n)
	}
	ids[id] = true
	return id
}
