// Package worlds opens worlds: folders of authored text, or worlds that are
// built into the program.
//
//	world.yaml  personas/*.yaml  plot/*.yaml  lore/*.yaml  playtests/*.yaml  labels/*.yaml  golden/*.yaml
//
// A world loads whole or not at all, but for its playtests, which the story does
// not need: a *LoadError lists every fault of every
// file. Non-goals: playing (story), the store (story/store), writing an
// author's files; only New creates some.
package worlds

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/adrg/xdg"

	"fabula/personas/source"
	"fabula/story/golden"
	"fabula/story/playtest"
	"fabula/story/plot"
)

// ErrNotFound is wrapped where neither a folder nor an embedded world has the
// name that was given.
var ErrNotFound = errors.New("no such world")

// World is a loaded world.
type World struct {
	Name      string // id of an embedded world, else that of world.yaml
	Dir       string // folder as it was given; empty when embedded
	Embedded  bool
	Script    *plot.Script
	Playtests []*playtest.Playtest // by file; those of Faults are not among them
	Faults    []source.Fault       // of files of playtests alone: nothing but these needs them
	Golden    []*golden.Golden     // by file
	Hash      string               // SHA-256 over names and bytes of all authored files, hex

	files fs.FS
}

// LoadError lists what is wrong with a world that does not load, sorted by
// file and line.
type LoadError struct {
	World  string
	Faults []source.Fault
}

// Error lists the faults, one a line, by code. For a person, tui/text/lang
// words them.
func (e *LoadError) Error() string {
	var b strings.Builder
	fmt.Fprintf(&b, "load world %s: %d faults", e.World, len(e.Faults))
	for _, f := range e.Faults {
		fmt.Fprintf(&b, "\n%s %s %s", f.Pos, f.Code, strings.Join(f.Args, " "))
	}
	return b.String()
}

//go:embed fox_lantern broken templates
var embedded embed.FS

// Embedded lists the worlds that are built in: the demo, and one in which
// every load fault occurs.
func Embedded() []string { return []string{"fox_lantern", "broken"} }

// MissingError says that there is no such world.
type MissingError struct {
	Ref   string
	There []string // built in
	Near  string   // one of them that may have been meant, or empty
}

// Error names the worlds that are built in.
func (e *MissingError) Error() string {
	words := fmt.Sprintf("open world %s: %v; neither a folder nor built in (%s)", e.Ref, ErrNotFound, strings.Join(e.There, ", "))
	if e.Near != "" {
		words += "; did you mean " + e.Near + "?"
	}
	return words
}

// Unwrap gives ErrNotFound.
func (e *MissingError) Unwrap() error { return ErrNotFound }

// Place is where a world lies, whether it loads or not.
type Place struct {
	Name string // as the world was asked for
	Dir  string // folder as it was given; empty when embedded
}

// Find looks up a world without loading it: a folder (or its world.yaml) if
// that path exists, else an embedded world of that name. The error wraps
// ErrNotFound where there is no such world.
func Find(ref string) (Place, error) {
	info, err := os.Stat(ref)
	switch {
	case err == nil && !info.IsDir() && manifestName(filepath.Base(ref)):
		return Place{Name: filepath.Dir(ref), Dir: filepath.Dir(ref)}, nil
	case err == nil && !info.IsDir():
		return Place{}, fmt.Errorf("open world %s: a file, not a folder: %w", ref, ErrNotFound)
	case err == nil:
		return Place{Name: ref, Dir: ref}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return Place{}, fmt.Errorf("open world %s: %w", ref, err)
	case !slices.Contains(Embedded(), ref):
		return Place{}, &MissingError{Ref: ref, There: Embedded(), Near: source.Nearest(filepath.Base(ref), Embedded())}
	}
	return Place{Name: ref}, nil
}

// idLine finds the id in a manifest that may be faulty elsewhere.
var idLine = regexp.MustCompile(`(?m)^world:[ \t]*["']?([\pL\pN_-]+)`)

// Authored reports whether there is a manifest, and gives the id that it names;
// the id is empty where it cannot be read. The rest of the world may be faulty.
func (p Place) Authored() (id string, ok bool) {
	data, err := p.ReadFile(manifestFile)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = p.ReadFile("world.yml")
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "", false
	}
	if m := idLine.FindSubmatch(data); m != nil {
		id = string(m[1])
	}
	return id, true
}

// ReadFile reads an authored file by its path within the world.
func (p Place) ReadFile(name string) ([]byte, error) {
	if p.Dir != "" {
		return fs.ReadFile(within(p.Dir), name)
	}
	return embedded.ReadFile(path.Join(p.Name, name))
}

// Open finds a world and loads it. The error is a *LoadError where files are
// faulty, and wraps ErrNotFound where there is no such world.
func Open(ref string) (*World, error) {
	at, err := Find(ref)
	if err != nil {
		return nil, err
	}
	if at.Dir != "" {
		w, err := OpenFS(within(at.Dir), at.Name)
		if w != nil {
			w.Dir = at.Dir
		}
		return w, err
	}
	files, err := fs.Sub(embedded, at.Name)
	if err != nil {
		return nil, fmt.Errorf("open world %s: %w", ref, err)
	}
	w, err := OpenFS(files, at.Name)
	if w != nil {
		w.Name, w.Embedded = at.Name, true
	}
	return w, err
}

// OpenFS loads a world from any file system; name is used in errors, and as
// the world's name where world.yaml gives none.
func OpenFS(files fs.FS, name string) (*World, error) { return gather(files).world(name) }

// world loads what was gathered.
func (r *reading) world(name string) (*World, error) {
	if r.err != nil {
		return nil, fmt.Errorf("open world %s: %w", name, r.err)
	}
	r.load()
	faults := source.Sort(r.faults)
	if slices.ContainsFunc(faults, func(f source.Fault) bool { return folder(f.Pos.File) != playtestDir }) {
		return nil, &LoadError{World: name, Faults: faults}
	}
	r.playtests = slices.DeleteFunc(r.playtests, func(p *playtest.Playtest) bool {
		return slices.ContainsFunc(faults, func(f source.Fault) bool { return f.Pos.File == p.Pos.File })
	})
	return &World{Name: r.script.ID, Script: r.script, Playtests: r.playtests, Golden: r.golden, Faults: faults, Hash: r.digest, files: r.files}, nil
}

// Reload loads the world again from where it came. It reports false, and gives
// w itself, when no authored byte changed. On an error w is given too: what
// was good stays in use.
func (w *World) Reload() (*World, bool, error) {
	r := gather(w.files)
	if r.err == nil && r.digest == w.Hash {
		return w, false, nil
	}
	name := w.Dir
	if name == "" {
		name = w.Name
	}
	next, err := r.world(name)
	if err != nil {
		return w, true, err
	}
	next.Dir, next.Embedded = w.Dir, w.Embedded
	if w.Embedded {
		next.Name = w.Name
	}
	return next, true, nil
}

// StateDir is the folder for what fabula generates: store, logs, caches.
// Nothing is created.
func (w *World) StateDir() string { return Place{Name: w.Name, Dir: w.Dir}.StateDir() }

// stateFolder is where what fabula generates for a world lies, in its folder.
const stateFolder = ".fabula"

// StateDir is the folder for what fabula generates: store, logs, caches.
// Nothing is created.
func (p Place) StateDir() string {
	if p.Dir != "" {
		return filepath.Join(p.Dir, stateFolder)
	}
	return filepath.Join(xdg.DataHome, "fabula", "worlds", p.Name)
}
