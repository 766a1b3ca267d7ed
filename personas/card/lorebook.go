package card

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Book is a lorebook of any shape.
type Book struct {
	Name    string
	Scan    int // messages looked back for keys; -1 = not said
	Entries []Entry
	JSON    []byte // as it was found; nil inside a card
}

// Entry is one fact with what brings it up.
type Entry struct {
	Field     string // in the file
	Name      string
	Keys      []string
	Secondary []string
	Logic     int // of the secondary keys: 0 any, 1 not all, 2 not any, 3 all
	Content   string
	Enabled   bool
	Constant  bool
	Regex     bool
	Order     int // lower is earlier in a prompt
	Priority  int // lower is dropped first
	Scan      int // messages looked back; -1 = as the book
	Chance    int // percent
	Case      bool
	Position  string // where a prompt had it, in the words of the file; "" = the usual place
}

// Names of the rules for secondary keys, by SillyTavern's numbers.
var logics = []string{"AND ANY", "NOT ALL", "NOT ANY", "AND ALL"}

// ReadBook reads a lorebook that stands alone: SillyTavern's world file, the V3
// form, or a V2 `character_book` by itself.
func ReadBook(data []byte) (*Book, []Note, error) {
	if len(data) > MaxFile {
		return nil, nil, fmt.Errorf("%w: %d bytes, at most %d are read", ErrFormat, len(data), MaxFile)
	}
	text, ok := asJSON(data)
	if !ok {
		return nil, nil, fmt.Errorf("%w: the file %s", ErrFormat, Looks(data))
	}
	top, notes, err := decode(text)
	if err != nil {
		return nil, nil, err
	}
	f := fields{of: top, notes: &notes}
	if inner, ok := top["data"].(map[string]any); ok {
		f = fields{of: inner, notes: &notes, path: "data."}
	}
	if !hasEntries(f.of) {
		return nil, nil, fmt.Errorf("%w: the JSON has no `entries`", ErrFormat)
	}
	b := readBook(f)
	b.JSON = data
	return b, notes, nil
}

func hasEntries(o map[string]any) bool {
	switch o["entries"].(type) {
	case []any, map[string]any:
		return true
	}
	return false
}

// readBook reads the entries, in the order of the prompt.
func readBook(f fields) *Book {
	b := &Book{Name: f.text("name"), Scan: f.number("scan_depth", -1, 1000, -1)}
	if f.flag("recursive_scanning", false) {
		f.note(Dropped, "recursive_scanning", NoteNoPlace)
	}
	if n := f.number("token_budget", 0, 1<<30, 0); n > 0 {
		f.note(Dropped, "token_budget", NoteNoPlace)
	}
	switch list := f.of["entries"].(type) {
	case []any:
		for i, v := range list {
			b.add(f, fmt.Sprintf("entries[%d]", i), v, readEntry)
		}
	case map[string]any:
		for _, k := range numbered(list) {
			b.add(f, "entries."+k, list[k], readWorldEntry)
		}
	}
	if n := len(b.Entries); n > MaxEntries {
		f.note(Dropped, "entries", NoteTooMany, strconv.Itoa(n), strconv.Itoa(MaxEntries))
		b.Entries = b.Entries[:MaxEntries]
	}
	slices.SortStableFunc(b.Entries, func(x, y Entry) int { return cmp.Compare(x.Order, y.Order) })
	return b
}

func (b *Book) add(f fields, key string, v any, read func(fields) Entry) {
	o, ok := v.(map[string]any)
	if !ok {
		f.note(Dropped, key, NoteType, "object", kind(v))
		return
	}
	e := read(fields{of: o, notes: f.notes, path: f.path + key + "."})
	e.Field = f.path + key
	b.Entries = append(b.Entries, e)
}

// numbered lists the keys of an object by the numbers that they are.
func numbered(o map[string]any) []string {
	keys := make([]string, 0, len(o))
	for k := range o {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int {
		x, errX := strconv.Atoi(a)
		y, errY := strconv.Atoi(b)
		if errX == nil && errY == nil && x != y {
			return cmp.Compare(x, y)
		}
		return strings.Compare(a, b)
	})
	return keys
}

// readEntry reads an entry of a V2 or V3 book; SillyTavern keeps what those
// lack under `extensions`.
func readEntry(f fields) Entry {
	e := Entry{
		Name: cmp.Or(f.text("name"), f.text("comment")), Keys: f.texts("keys"), Content: f.text("content"),
		Enabled: f.flag("enabled", true), Constant: f.flag("constant", false), Regex: f.flag("use_regex", false),
		Order: f.number("insertion_order", -1<<30, 1<<30, 100), Priority: f.number("priority", -1000, 1000, 0),
		Case: f.flag("case_sensitive", false), Scan: -1, Chance: 100,
	}
	if p, is := plain(f.of["position"]); is && p != "" && p != "before_char" {
		e.Position = p
	}
	more := fields{of: map[string]any{}, notes: f.notes, path: f.path + "extensions."}
	if x, ok := f.of["extensions"].(map[string]any); ok {
		more.of = x
	}
	e.Logic = more.number("selectiveLogic", 0, 3, 0)
	e.Scan = more.number("scan_depth", -1, 1000, -1)
	e.Chance = chance(more, "useProbability")
	if n := more.number("position", 0, 100, 0); n > 1 {
		e.Position = "position " + strconv.Itoa(n)
	}
	if f.flag("selective", len(f.texts("secondary_keys")) > 0) {
		e.Secondary = f.texts("secondary_keys")
	}
	return e
}

// readWorldEntry reads an entry of a SillyTavern world file.
func readWorldEntry(f fields) Entry {
	e := Entry{
		Name: f.text("comment"), Keys: f.texts("key"), Content: f.text("content"), Enabled: !f.flag("disable", false),
		Constant: f.flag("constant", false), Order: f.number("order", -1<<30, 1<<30, 100), Logic: f.number("selectiveLogic", 0, 3, 0),
		Scan: f.number("scanDepth", -1, 1000, -1), Case: f.flag("caseSensitive", false), Chance: chance(f, "useProbability"),
	}
	if n := f.number("position", 0, 100, 0); n > 1 {
		e.Position = "position " + strconv.Itoa(n)
	}
	if second := f.texts("keysecondary"); f.flag("selective", len(second) > 0) {
		e.Secondary = second
	}
	return e
}

func chance(f fields, on string) int {
	if !f.flag(on, true) {
		return 100
	}
	return f.number("probability", 0, 100, 100)
}
