package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"fabula/personas/card"
	"fabula/personas/source"
	"fabula/story"
	"fabula/story/chatlog"
	"fabula/story/check"
	"fabula/story/check/space"
	"fabula/tui/text/lang"
	"fabula/worlds"
)

// importFlags are those of `import`.
type importFlags struct {
	world, id string
	names     []string
	dry, json bool
	again     bool // a chat that was imported before too
}

func newImport(sh *shell) *cobra.Command {
	var f importFlags
	c := &cobra.Command{
		Use:   "import FILE… --world WORLD",
		Short: "Bring character cards, lorebooks and SillyTavern chats into a world",
		Long: `Read character cards (PNG, JSON, CHARX; V1 to V3), lorebooks (of a card, V3, or a
SillyTavern world) and SillyTavern chats (.jsonl, swipes and all), and write new
files into the world: a persona, its lore, a node to meet it in. A chat becomes a
branch, its swipes alternatives; chats of one beginning share it. One that was
imported before (the same words, and the same branch where it is an export of
ours) is left out, and named.

What was read, changed, kept in the card and dropped is listed. Either everything
is brought in or nothing; no file that is there is touched. The card stays beside
the persona, and 'export --format card' gives back whatever nobody edited.`,
		Example: "  fabula import seraphina.png --world my_world\n  fabula import mira.json woods.json chats/*.jsonl --world my_world --dry-run\n  fabula import old.jsonl --world my_world --as 'Mira Vale=mira'",
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case len(args) == 0:
				return usage("%s needs FILE; it is missing. See '%[1]s --help'", c.CommandPath())
			case f.world == "":
				return usage("import needs --world, the folder to bring it into ('fabula new DIR' makes one)")
			case f.id != "" && len(args) > 1:
				return usage("--id names one persona; give one file with it")
			case f.id != "" && !source.IsID(f.id):
				return usage("--id %q: an id is small letters, digits and _, a letter first", f.id)
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			i := &importing{flags: f, sh: sh, words: lang.For(sh.lang), out: c.OutOrStdout(), notes: c.ErrOrStderr()}
			return i.run(args)
		},
	}
	c.Flags().StringVar(&f.world, "world", "", "folder of the world to bring it into")
	c.Flags().StringVar(&f.id, "id", "", "id of the persona, instead of one made of its name")
	c.Flags().StringArrayVar(&f.names, "as", nil, "NAME=ID: who a name in a chat is (repeatable)")
	c.Flags().BoolVar(&f.again, "again", false, "bring in a chat once more that is there already")
	c.Flags().BoolVar(&f.dry, "dry-run", false, "say what would be done, and write nothing")
	c.Flags().BoolVar(&f.json, "json", false, "one JSON object a line")
	return c
}

// importing is one run: everything is read, then checked, then written.
type importing struct {
	flags      importFlags
	sh         *shell
	words      *lang.Strings
	out, notes io.Writer

	world *worlds.World
	has   []string
	files []worlds.AddedFile
	read  []imported
	chats []chatFile
	// offered counts the chats that were read, those that are left out too.
	offered int
	met     []string // personas that can be met
}

// imported is one file with what became of it.
type imported struct {
	file, kind, name string // kind: card_v1 to card_v3, lorebook, chat
	wrote            []string
	notes            []card.Note
}

func (i *importing) run(args []string) error {
	var err error
	if i.world, err = worlds.Open(i.flags.world); err != nil {
		return err
	}
	if i.world.Dir == "" {
		return usage("import into %s: %v", i.flags.world, worlds.ErrEmbedded)
	}
	i.has = ids(i.world)
	for _, name := range args {
		if err := i.one(name); err != nil {
			return err
		}
	}
	if err := i.fresh(); err != nil {
		return err
	}
	after, err := i.world.With(i.files)
	if err != nil {
		return fmt.Errorf("what was read does not fit into the world; nothing was written: %w", err)
	}
	talks, err := i.talks(after)
	if err != nil {
		return err
	}
	for _, r := range i.read {
		if err := i.tell(r); err != nil {
			return err
		}
	}
	if err := i.missing(after); err != nil {
		return err
	}
	if i.flags.dry {
		if err := i.counted(); err != nil {
			return err
		}
		if !i.flags.json {
			fmt.Fprintln(i.notes, i.words.Import.Dry)
		}
		return nil
	}
	if err := i.write(talks); err != nil {
		return err
	}
	i.next()
	return i.counted()
}

// write adds the files and stores the chats. The store is taken first, so that
// one in use leaves everything as it was.
func (i *importing) write(talks []story.Talk) (err error) {
	var o *opened
	if len(talks) > 0 {
		if o, err = openWorld(i.flags.world, i.sh, playFlags{engine: "recall"}); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, o.Close()) }()
	}
	undo, err := i.world.Add(i.files)
	if err != nil || o == nil {
		return err
	}
	if err := i.graft(o, talks); err != nil {
		return errors.Join(err, undo())
	}
	return nil
}

// ids are those that new files must not give again.
func ids(w *worlds.World) []string {
	var all []string
	for _, p := range w.Script.Personas {
		all = append(append(all, p.ID), p.Was...)
	}
	for _, n := range w.Script.Nodes {
		all = append(append(all, n.ID), n.Was...)
	}
	for _, l := range w.Script.Lore {
		all = append(all, l.ID)
	}
	for _, dir := range []string{"personas", "lore", "plot"} {
		found, _ := os.ReadDir(filepath.Join(w.Dir, dir)) // a stem that a file has is taken
		for _, file := range found {
			stem, _, _ := strings.Cut(file.Name(), ".")
			all = append(all, stem)
		}
	}
	return all
}

// one reads a file of any kind.
func (i *importing) one(name string) error {
	data, err := readBounded(name)
	if err != nil {
		return coded{exitUsage, err}
	}
	stem := strings.TrimSuffix(filepath.Base(name), filepath.Ext(name))
	o := card.Options{ID: i.flags.id, Stem: stem, Has: i.has}
	for _, v := range i.world.Script.Vars {
		o.Vars = append(o.Vars, v.ID)
	}
	if chatlog.Is(data) {
		return i.chat(name, data)
	}
	c, notes, err := card.Read(data)
	if err == nil {
		if id := i.had(c); id != "" && i.flags.id == "" {
			return usage("%s is in the world already, as personas/%s.yaml; --id NAME brings it in once more", name, id)
		}
		d := card.Convert(c, o)
		i.met = append(i.met, d.ID)
		i.take(imported{file: name, kind: "card_" + c.Version, name: c.Name}, d, notes)
		return nil
	}
	if b, more, lerr := card.ReadBook(data); lerr == nil {
		i.take(imported{file: name, kind: "lorebook", name: b.Name}, card.ConvertBook(b, o), more)
		return nil
	}
	return coded{exitUsage, fmt.Errorf("%s: %w; nothing was written", name, err)}
}

// had gives the persona that was imported from the same card.
func (i *importing) had(c *card.Card) string {
	for id, has := range i.world.Cards() {
		if bytes.Equal(has.JSON, c.JSON) {
			return id
		}
	}
	return ""
}

// readBounded reads an ordinary file that is not larger than any card.
func readBounded(name string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no ordinary file", name)
	case info.Size() > card.MaxFile:
		return nil, fmt.Errorf("%s has %d bytes; at most %d are read", name, info.Size(), card.MaxFile)
	}
	return os.ReadFile(name)
}

func (i *importing) take(r imported, d card.Draft, notes []card.Note) {
	r.notes = card.Sort(append(notes, d.Notes...))
	for _, f := range d.Files {
		i.files = append(i.files, worlds.AddedFile(f))
		r.wrote = append(r.wrote, f.Name)
		stem, _, _ := strings.Cut(filepath.Base(f.Name), ".")
		i.has = append(i.has, stem)
	}
	i.read = append(i.read, r)
}

// missing tells what `check` would say of the new files.
func (i *importing) missing(after *worlds.World) error {
	const states = 20_000
	ck := &checking{world: after, words: i.words, json: i.flags.json, limits: space.Limits{States: states}}
	for _, f := range check.Examine(after.Script, ck.limits).Findings {
		if slices.ContainsFunc(i.files, func(n worlds.AddedFile) bool { return n.Name == f.Pos.File }) {
			ck.list = append(ck.list, ck.worded(f))
		}
	}
	return ck.print(i.out)
}

// importedFile and importedNote are objects of `import --json`.
type importedFile struct {
	Event  string   `json:"event"` // file
	File   string   `json:"file"`
	Kind   string   `json:"kind"` // card_v1, card_v2, card_v3, lorebook, chat
	Name   string   `json:"name"`
	Writes []string `json:"writes"`
	Dry    bool     `json:"dry_run,omitempty"`
}

type importedNote struct {
	Event string `json:"event"` // note
	File  string `json:"file"`
	card.Note
	What string `json:"what"`
}

func (i *importing) tell(r imported) error {
	if i.flags.json {
		return errors.Join(writeJSON(i.out, importedFile{"file", r.file, r.kind, r.name, append([]string{}, r.wrote...), i.flags.dry}), i.tellJSON(r))
	}
	fmt.Fprintf(i.out, "%s: %s %s\n", printable(r.file), i.words.Import.Kinds[r.kind], printable(r.name))
	format := i.words.Import.Wrote
	if i.flags.dry {
		format = i.words.Import.Would
	}
	for _, name := range r.wrote {
		fmt.Fprintf(i.out, "  "+format+"\n", name)
	}
	for _, fate := range []card.Fate{card.Taken, card.Coerced, card.Kept, card.Dropped} {
		i.tellFate(r, fate)
	}
	if len(r.wrote) == 0 && len(r.notes) > 0 && r.kind == "lorebook" {
		fmt.Fprintf(i.out, "  "+i.words.Import.Empty+"\n", printable(r.file))
	}
	return nil
}

func (i *importing) tellJSON(r imported) error {
	for _, n := range r.notes {
		if err := writeJSON(i.out, importedNote{"note", r.file, n, i.words.Note(n.Code, n.Args)}); err != nil {
			return err
		}
	}
	return nil
}

// alike are notes that say the same of several places.
type alike struct {
	note   card.Note
	fields []string
	times  int // how often a macro was filled in
}

// mostFields is how many places are named; --json names all.
const mostFields = 4

// tellFate tells of one fate: what is alike in many places once, with how many.
func (i *importing) tellFate(r imported, fate card.Fate) {
	var groups []*alike
	for _, n := range r.notes {
		if n.Fate != fate {
			continue
		}
		times := 0
		if n.Code == card.NoteMacro {
			times, _ = strconv.Atoi(n.Args[2])
		}
		at := slices.IndexFunc(groups, func(g *alike) bool {
			return g.note.Code == n.Code && (times > 0 && slices.Equal(g.note.Args[:2], n.Args[:2]) || slices.Equal(g.note.Args, n.Args))
		})
		if at < 0 {
			at, groups = len(groups), append(groups, &alike{note: n})
		}
		groups[at].fields = append(groups[at].fields, n.Field)
		groups[at].times += times
	}
	for _, g := range groups {
		i.tellAlike(g)
	}
}

func (i *importing) tellAlike(g *alike) {
	args, more := g.note.Args, ""
	where := strings.Join(g.fields[:min(len(g.fields), mostFields)], ", ")
	if g.times > 0 {
		args = []string{args[0], args[1], strconv.Itoa(g.times)}
	}
	if where != "" {
		where += ": "
	}
	if n := len(g.fields) - mostFields; n > 0 {
		more = " " + fmt.Sprintf(i.words.Import.Same, n)
	}
	fmt.Fprintf(i.out, "  %s: %s%s%s\n", i.words.Import.Fates[string(g.note.Fate)], printable(where), printable(i.words.Note(g.note.Code, args)), more)
}

// next says how to go on.
func (i *importing) next() {
	if i.flags.json {
		return
	}
	for _, id := range i.met {
		fmt.Fprintf(i.notes, i.words.Import.Meet+"\n", fmt.Sprintf("fabula say %s %s \"Hello\" --node meet_%s", quoted(i.flags.world), id, id))
	}
}
