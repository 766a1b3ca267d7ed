package worlds_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/adrg/xdg"
	"github.com/rogpeppe/go-internal/txtar"

	"fabula/personas/source"
	"fabula/worlds"
)

// small is a world as txtar.
const small = `
-- world.yaml --
world: small
title: {zh: 小, en: Small}
languages: [zh, en]
state:
  day: {type: int, min: 0, max: 9, default: 0}
start: here
-- personas/adu.yaml --
persona: adu
name: Adu
-- personas/bo.yml --
persona: bo
name: Bo
-- plot/act1.yaml --
nodes:
  - node: here
    cast: [adu]
    exits:
      - {exit: waits, stay: true, choice: Wait, effects: [day += 1]}
      - {to: there}
-- plot/act2.yaml --
nodes:
  - node: there
    ending: true
-- lore/facts.yaml --
entries:
  - {id: river, keys: [river], text: It is wide.}
-- playtests/walk.yaml --
playtest: walk
start: {node: here, state: {day: 3}}
script:
  - choose: waits
  - expect: {state: day == 4, choices: [there]}
-- .fabula/fabula.yaml --
not: read
-- personas/.adu.yaml.swp --
not read
-- notes.txt --
not read
`

// tree turns txtar into a file system.
func tree(text string) fstest.MapFS {
	files := fstest.MapFS{}
	for _, f := range txtar.Parse([]byte(text)).Files {
		files[f.Name] = &fstest.MapFile{Data: f.Data}
	}
	return files
}

// told gives faults one a line, those of playtests too.
func told(w *worlds.World, err error) string {
	bad := &worlds.LoadError{}
	if w != nil && len(w.Faults) > 0 {
		bad.Faults = w.Faults
	} else if !errors.As(err, &bad) {
		return fmt.Sprint(err)
	}
	var lines []string
	for _, f := range bad.Faults {
		lines = append(lines, f.Pos.String()+" "+f.Code+" "+strings.Join(f.Args, "|"))
	}
	return strings.Join(lines, "\n")
}

func TestOpenFS(t *testing.T) {
	w, err := worlds.OpenFS(tree(small), "small")
	if err != nil {
		t.Fatal(err)
	}
	s := w.Script
	got := fmt.Sprintln(w.Name, s.Title.In("en"), s.Languages, s.Vars[0].ID, s.Start, len(s.Personas), s.Personas[1].ID,
		len(s.Nodes), s.Nodes[1].ID, s.Lore[0].ID, w.Playtests[0].ID, len(s.Hash), s.Hash == w.Hash)
	if want := "small Small [zh en] day here 2 bo 2 there river walk 64 true\n"; got != want {
		t.Errorf("got %swant %s", got, want)
	}
}

// Ensure that what spans files is checked, at its place.
func TestOpenFSFaults(t *testing.T) {
	for _, c := range []struct{ name, more, want string }{
		{"persona in two files", "-- personas/adu2.yaml --\npersona: adu\nname: Other\n", "personas/adu2.yaml:1:1 duplicate_id persona|adu|personas/adu.yaml:1"},
		{"lore in two files", "-- lore/more.yaml --\nentries:\n  - {id: river, keys: [x], text: y}\n", "lore/more.yaml:2:5 duplicate_id lore entry|river|lore/facts.yaml:2"},
		{"playtest in two files", "-- playtests/z.yaml --\nplaytest: walk\nscript: []\n", "playtests/z.yaml:1:1 duplicate_id playtest|walk|playtests/walk.yaml:1"},
		{"names in a playtest", "-- playtests/z.yaml --\nplaytest: z\nstart: {node: her, state: {days: 1}}\nscript:\n  - {say: x, to: ado}\n  - choose: wait\n  - expect: {beat: here.x, node: ther, state: day = 3, prompt: {npc: bob}}\n",
			`playtests/z.yaml:2:8 unknown_name node|her|here
playtests/z.yaml:2:28 unknown_name variable|days|day
playtests/z.yaml:4:5 unknown_name persona|ado|adu
playtests/z.yaml:5:5 unknown_name exit|wait|waits
playtests/z.yaml:6:13 unknown_name beat|here.x|
playtests/z.yaml:6:13 unknown_name node|ther|there
playtests/z.yaml:6:13 unknown_name persona|bob|bo
playtests/z.yaml:6:51 expr_operator =|==`},
		{"misnamed folder", "-- Persona/x.yaml --\npersona: x\n", "Persona stray_file Persona|personas"},
		{"folder of something else", "-- core/x.txt --\nx\n-- export/x.yaml --\nx\n", "<nil>"},
		{"file beside its folder", "-- plot.yaml --\nnodes: []\n-- taxes.yaml --\nx\n", "plot.yaml stray_file plot.yaml|plot/plot.yaml"},
		{"two manifests", "-- world.yml --\nworld: x\n", "world.yml stray_file world.yml|world.yaml"},
		{"empty persona (R60)", "-- personas/adu.yaml --\n", "personas/adu.yaml:1:1 empty_file "},
		{"keys of other files", "-- personas/adu.yaml --\npersona: adu\nname: Adu\nanchors: []\nstate: {}\n-- lore/facts.yaml --\nbackstory: x\nentries: []\n",
			"lore/facts.yaml:1:1 misplaced_key backstory|lore|persona|personas/*.yaml\npersonas/adu.yaml:3:1 misplaced_key anchors|persona|node|plot/*.yaml\npersonas/adu.yaml:4:1 misplaced_key state|persona|world|world.yaml"},
		{"mistyped id", "-- personas/adu.yaml --\npresona: adu\nname: Adu\n", "personas/adu.yaml:1:1 unknown_key presona|persona|persona"},
		{"unknown node is told", "-- plot/act3.yaml --\nnodes:\n  - node: far\n    exits: [{to: ther}]\n", "plot/act3.yaml:3:18 unknown_name node|ther|there"},
		{"a cut file is not blamed on others", "-- plot/act2.yaml --\nnodes:\n  - node: there\n    title: a: b\n", "plot/act2.yaml:3:5 syntax colon|title: a: b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			w, err := worlds.OpenFS(tree(small+c.more), "small")
			if got := told(w, err); got != c.want {
				t.Errorf("got\n%s\nwant\n%s", got, c.want)
			}
		})
	}
}

// Ensure that a world loads with a faulty playtest, without that one, and with the
// others.
func TestFaultyPlaytest(t *testing.T) {
	w, err := worlds.OpenFS(tree(small+"-- playtests/z.yaml --\nplaytest: z\nscript: soon\n"), "small")
	if err != nil || len(w.Playtests) != 1 || w.Playtests[0].ID != "walk" || len(w.Faults) != 1 || w.Faults[0].Pos.File != "playtests/z.yaml" {
		t.Fatalf("%+v, %v", w, err)
	}
}

// CASES R05: thirty files of which one is wrong, then one with five faults.
func TestR05OneOfThirty(t *testing.T) {
	var b strings.Builder
	b.WriteString(small)
	for i := range 30 {
		fmt.Fprintf(&b, "-- personas/p%02d.yaml --\npersona: p%d\nname: P\n", i, i)
		if i == 17 {
			b.WriteString("limits: {words: seventy}\n")
		}
	}
	w, err := worlds.OpenFS(tree(b.String()), "small")
	if got := told(w, err); got != "personas/p17.yaml:3:17 wrong_type limits.words|whole number|text|seventy" {
		t.Errorf("got %s", got)
	}
}

func TestTooLargeAndUnreadable(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, small)
	put(t, filepath.Join(dir, "lore", "big.yaml"), strings.Repeat("# x\n", source.MaxBytes/4+1))
	if err := os.Symlink("nowhere.yaml", filepath.Join(dir, "lore", "gone.yaml")); err != nil {
		t.Fatal(err)
	}
	w, err := worlds.Open(dir)
	want := "lore/big.yaml too_large 4\nlore/gone.yaml unreadable_file dangling"
	if got := told(w, err); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func write(t *testing.T, dir, text string) {
	t.Helper()
	for _, f := range txtar.Parse([]byte(text)).Files {
		put(t, filepath.Join(dir, f.Name), string(f.Data))
	}
}

func put(t *testing.T, name, data string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(data), 0o644); err != nil {
		t.Fatal(err)
	}
}

// Ensure that a folder wins over an embedded name, and that both say where
// they keep their state.
func TestOpen(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, small)
	for _, ref := range []string{dir, filepath.Join(dir, "world.yaml")} {
		w, err := worlds.Open(ref)
		if err != nil {
			t.Fatal(err)
		}
		if w.Embedded || w.StateDir() != filepath.Join(dir, ".fabula") {
			t.Errorf("%s: embedded %v, state in %s", ref, w.Embedded, w.StateDir())
		}
	}
	t.Chdir(dir)
	write(t, filepath.Join(dir, "fox_lantern"), small)
	w, err := worlds.Open("fox_lantern")
	if err != nil || w.Embedded || w.Name != "small" {
		t.Errorf("the folder must win: %v %v", w, err)
	}
	for ref, part := range map[string]string{
		"fox_lanten": "did you mean fox_lantern?", "notes.txt": "a file, not a folder", "personas": "no world.yaml", "void": "built in (fox_lantern, broken)",
	} {
		if _, err := worlds.Open(ref); !errors.Is(err, worlds.ErrNotFound) || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: got %v, want %q in it", ref, err, part)
		}
	}
}

// Ensure that a world which does not load is found even so, with the place of
// its store: a designer is about to mend it.
func TestFindBroken(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "world.yaml"), []byte("world: [\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, ref := range []string{dir, filepath.Join(dir, "world.yaml")} {
		at, err := worlds.Find(ref)
		if err != nil || at.Dir != dir || at.StateDir() != filepath.Join(dir, ".fabula") {
			t.Errorf("%s: %+v, %v", ref, at, err)
		}
	}
	t.Chdir(t.TempDir())
	if at, err := worlds.Find("broken"); err != nil || at.Dir != "" || filepath.Base(at.StateDir()) != "broken" {
		t.Errorf("embedded: %+v, %v", at, err)
	}
}

// Ensure that the demo and the templates load without a fault, from inside the
// program and from a folder, and are one and the same.
func TestEmbedded(t *testing.T) {
	t.Setenv("XDG_DATA_HOME", filepath.Join(t.TempDir(), "data"))
	xdg.Reload()
	t.Chdir(t.TempDir())
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(xdg.DataHome, "fabula", "worlds", "fox_lantern"); !w.Embedded || w.StateDir() != want {
		t.Errorf("embedded %v, state in %s, want %s", w.Embedded, w.StateDir(), want)
	}
	if _, changed, err := w.Reload(); changed || err != nil {
		t.Errorf("an embedded world changed: %v %v", changed, err)
	}
}

func TestReload(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, small)
	w, err := worlds.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	adu := filepath.Join(dir, "personas", "adu.yaml")
	steps := []struct {
		name, data string
		changed    bool
		brief      string
		broken     bool
	}{
		{"same bytes", "persona: adu\nname: Adu\n", false, "", false},
		{"edited", "persona: adu\nname: Adu\nbrief: new\n", true, "new", false},
		{"broken", "persona: adu\nnam: Adu\n", true, "new", true},
		{"half a file", "", true, "new", true},
		{"good again", "persona: adu\nname: Adu\nbrief: newer\n", true, "newer", false},
	}
	for _, s := range steps {
		put(t, adu, s.data)
		next, changed, err := w.Reload()
		var bad *worlds.LoadError
		if changed != s.changed || errors.As(err, &bad) != s.broken || next.Script.Personas[0].Brief.Plain != s.brief {
			t.Fatalf("%s: changed %v, %v, brief %q", s.name, changed, err, next.Script.Personas[0].Brief.Plain)
		}
		if next.Dir != dir {
			t.Fatalf("%s: folder %q", s.name, next.Dir)
		}
		w = next
	}
	put(t, filepath.Join(dir, ".fabula", "x.yaml"), "generated: 1\n")
	if _, changed, err := w.Reload(); changed || err != nil {
		t.Errorf("generated files are not authored: %v %v", changed, err)
	}
	if err := os.Remove(filepath.Join(dir, "personas", "bo.yml")); err != nil {
		t.Fatal(err)
	}
	if next, changed, err := w.Reload(); !changed || err != nil || len(next.Script.Personas) != 1 {
		t.Errorf("a file was removed: %v %v", changed, err)
	}
	if err := os.Remove(filepath.Join(dir, "world.yaml")); err != nil {
		t.Fatal(err)
	}
	if last, _, err := w.Reload(); !errors.Is(err, worlds.ErrNotFound) || last != w {
		t.Errorf("world.yaml was removed: %v", err)
	}
}

// Ensure that every file is read once: what was hashed is what was loaded, also
// while an editor saves.
func TestReadOnce(t *testing.T) {
	files := counting{tree(small), map[string]int{}}
	w, err := worlds.OpenFS(files, "small")
	if err != nil {
		t.Fatal(err)
	}
	for name, n := range files.opened {
		if strings.HasSuffix(name, "ml") && n != 1 {
			t.Errorf("%s was opened %d times", name, n)
		}
	}
	if files.opened["world.yaml"] != 1 || w.Hash != w.Script.Hash {
		t.Errorf("opened %v, hashes %s and %s", files.opened, w.Hash, w.Script.Hash)
	}
}

// counting counts what is opened.
type counting struct {
	fs.FS
	opened map[string]int
}

func (c counting) Open(name string) (fs.File, error) {
	c.opened[name]++
	return c.FS.Open(name)
}

// FuzzOpen puts any bytes in the place of each file of a world.
func FuzzOpen(f *testing.F) {
	for _, file := range txtar.Parse([]byte(small)).Files {
		f.Add(file.Name, file.Data)
	}
	f.Fuzz(func(t *testing.T, name string, data []byte) {
		files := tree(small)
		if len(data) > 4096 || !fs.ValidPath(name) || files[name] == nil {
			return
		}
		files[name] = &fstest.MapFile{Data: data}
		w, err := worlds.OpenFS(files, "small")
		var bad *worlds.LoadError
		switch {
		case err == nil && (w.Script.ID == "" || w.Script.Node(w.Script.Start) == nil):
			t.Fatalf("loaded without id or start: %+v", w.Script)
		case err != nil && (!errors.As(err, &bad) || len(bad.Faults) == 0):
			t.Fatalf("an error without a fault: %v", err)
		}
	})
}
