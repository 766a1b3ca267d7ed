package worlds

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"sort"
	"strings"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/golden"
	"fabula/story/playtest"
	"fabula/story/plot"
)

// Codes of the faults that opening a world adds to those of the loaders.
const (
	CodeUnreadable = "unreadable_file" // what the system said; "special" where it is no ordinary file, "dangling" for a link to nothing
	CodeStray      = "stray_file"      // name of a file or folder that is not read, what it was meant to be
	CodeDuplicate  = "duplicate_id"    // kind, id, place of the first
	CodeLanguages  = "no_languages"    // `languages` is empty
)

// Codes lists the fault codes of this package.
func Codes() []string {
	return []string{CodeUnreadable, CodeStray, CodeDuplicate, CodeLanguages}
}

// The folders of a world.
const (
	personaDir  = "personas"
	plotDir     = "plot"
	loreDir     = "lore"
	playtestDir = "playtests"
	labelDir    = "labels"
	goldenDir   = "golden"
)

func folders() []string {
	return []string{personaDir, plotDir, loreDir, playtestDir, labelDir, goldenDir}
}

// reading loads the files of a world; it goes on after every fault.
type reading struct {
	files     fs.FS
	names     []string        // authored files, sorted
	odd       map[string]bool // those that are links, pipes and the like
	contents  map[string]content
	digest    string // over names and contents
	script    *plot.Script
	playtests []*playtest.Playtest
	golden    []*golden.Golden
	faults    []source.Fault
	cut       map[string]bool // folders of files that could not be read to the end
	err       error
}

// content is what a file held when it was read, once.
type content struct {
	data []byte
	err  error
}

// gather reads every authored file and hashes what it found.
func gather(files fs.FS) *reading {
	r := &reading{files: files, contents: map[string]content{}, odd: map[string]bool{}}
	r.list()
	sum := sha256.New()
	for _, name := range r.names {
		data, err := r.read(name)
		r.contents[name] = content{data, err}
		fmt.Fprintf(sum, "%s\x00%d\x00%t\x00", name, len(data), err == nil)
		sum.Write(data)
	}
	r.digest = hex.EncodeToString(sum.Sum(nil))
	return r
}

// load makes a script of what was gathered.
func (r *reading) load() {
	r.script = &plot.Script{}
	for _, name := range r.names {
		r.one(name)
	}
	r.script.Hash = r.digest
	slices.SortStableFunc(r.script.Personas, func(a, b *personas.Persona) int { return strings.Compare(a.ID, b.ID) })
	r.suspect(plot.Compile(r.script)...)
	r.references()
}

// suspect reports what was found wrong across files. Where part of a file is
// missing, a name that seems unknown may well stand in that part, and is not
// reported.
func (r *reading) suspect(faults ...source.Fault) {
	for _, f := range faults {
		if f.Code == plot.CodeNoStart && r.cut[""] {
			continue
		}
		if f.Code != plot.CodeUnknownName || !slices.ContainsFunc(homes(f.Args[0]), func(dir string) bool { return r.cut[dir] }) {
			r.faults = append(r.faults, f)
		}
	}
}

// homes are the folders that declare a kind of name; "" is world.yaml.
func homes(kind string) []string {
	switch kind {
	case "node", "beat", "exit", "line":
		return []string{plotDir}
	case "persona", "secret", "speaker":
		return []string{personaDir}
	case "event":
		return []string{plotDir, personaDir}
	}
	return []string{""}
}

// lost notes that a file could not be read to its end.
func (r *reading) lost(name string) {
	if r.cut == nil {
		r.cut = map[string]bool{}
	}
	r.cut[folder(name)] = true
}

// folder is the top folder of a file; "" for world.yaml.
func folder(name string) string {
	dir, _, found := strings.Cut(name, "/")
	if !found {
		return ""
	}
	return dir
}

func (r *reading) one(name string) {
	found := r.contents[name]
	if found.err != nil {
		r.lost(name)
		r.add(source.Fault{Pos: source.Pos{File: name}, Code: CodeUnreadable, Args: []string{plainReason(found.err)}})
		return
	}
	file := source.File{Name: name, Data: found.data}
	switch folder(name) {
	case personaDir:
		p, faults := personas.Load(file)
		r.script.Personas = append(r.script.Personas, p)
		if p.ID == "" {
			r.lost(name) // whoever names it means this one
		}
		r.add(faults...)
	case plotDir:
		nodes, faults := plot.Load(file)
		r.script.Nodes = append(r.script.Nodes, nodes...)
		if slices.ContainsFunc(nodes, func(n *plot.Node) bool { return n.ID == "" && n.Extends == "" }) {
			r.lost(name)
		}
		r.add(faults...)
	case loreDir:
		lore, faults := personas.LoadLore(file)
		r.script.Lore = append(r.script.Lore, lore...)
		r.add(faults...)
	case playtestDir:
		p, faults := playtest.Load(file)
		r.playtests = append(r.playtests, p)
		r.add(faults...)
	case labelDir:
		labels, faults := plot.LoadLabels(file)
		r.script.Labels = append(r.script.Labels, labels...)
		r.add(faults...)
	case goldenDir:
		g, faults := golden.Load(file)
		r.golden = append(r.golden, g)
		r.add(faults...)
	default:
		script, faults := source.Read(file, manifest())
		script.Personas, script.Nodes, script.Lore, script.Labels = r.script.Personas, r.script.Nodes, r.script.Lore, r.script.Labels
		r.script = &script
		r.add(faults...)
	}
}

func (r *reading) add(faults ...source.Fault) {
	for _, f := range elsewhere(faults) {
		switch f.Code {
		case source.CodeSyntax, source.CodeTab, source.CodeUTF16, source.CodeNotUTF8, source.CodeBadCharacter,
			source.CodeTooLarge, source.CodeTooDeep, source.CodeAliases, source.CodeManyDocuments, source.CodeEmptyFile:
			r.lost(f.Pos.File)
		}
	}
	r.faults = append(r.faults, faults...)
}

// read gives the bytes of a file, of one that is too large a little more than
// the limit, so that it is refused without being read.
func (r *reading) read(name string) ([]byte, error) {
	if err := r.regular(name); err != nil {
		return nil, err
	}
	f, err := r.files.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, source.MaxBytes+1))
}

func plainReason(err error) string {
	if escapes(err) {
		return errOutside.Error()
	}
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err.Error()
	}
	return err.Error()
}

// list finds world.yaml and the authored files below the known folders.
func (r *reading) list() {
	top, err := fs.ReadDir(r.files, ".")
	if err != nil {
		r.err = err
		return
	}
	found := false
	for _, entry := range top {
		switch name := entry.Name(); {
		case manifestName(name) && !found:
			found = true
			r.name(name, entry)
		case slices.Contains(folders(), name):
			r.walk(name)
		case !strings.HasPrefix(name, "."):
			r.stray(name, entry.IsDir())
		}
	}
	if !found {
		r.err = fmt.Errorf("no world.yaml in it: %w", ErrNotFound)
	}
	sort.Strings(r.names)
}

// name notes an authored file.
func (r *reading) name(name string, entry fs.DirEntry) {
	r.names = append(r.names, name)
	r.odd[name] = !entry.Type().IsRegular()
}

// stray reports what an author most likely meant as part of the world: a folder
// with YAML in it whose name is near one of a world's, and a file such as
// plot.yaml beside the folder it belongs into.
func (r *reading) stray(name string, dir bool) {
	meant := ""
	switch {
	case dir && r.holdsYAML(name):
		meant = source.Nearest(name, folders())
	case dir || !authored(name):
	case manifestName(name):
		meant = manifestFile
	default:
		if near := source.Nearest(strings.TrimSuffix(name, path.Ext(name)), folders()); near != "" {
			meant = near + "/" + name
		}
	}
	if meant != "" {
		r.faults = append(r.faults, source.Fault{Pos: source.Pos{File: name}, Code: CodeStray, Args: []string{name, meant}})
	}
}

func (r *reading) holdsYAML(dir string) bool {
	entries, err := fs.ReadDir(r.files, dir)
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return !e.IsDir() && authored(e.Name()) })
}

func (r *reading) walk(dir string) {
	err := fs.WalkDir(r.files, dir, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			r.lost(name)
			r.faults = append(r.faults, source.Fault{Pos: source.Pos{File: name}, Code: CodeUnreadable, Args: []string{plainReason(err)}})
			return fs.SkipDir
		case strings.HasPrefix(path.Base(name), ".") && entry.IsDir():
			return fs.SkipDir
		case !entry.IsDir() && authored(name):
			r.name(name, entry)
		}
		return nil
	})
	if err != nil && r.err == nil {
		r.err = err
	}
}

// authored leaves out what editors and other systems put beside a file.
func authored(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return (ext == ".yaml" || ext == ".yml") && !strings.HasPrefix(path.Base(name), ".")
}

const manifestFile = "world.yaml"

func manifestName(name string) bool { return name == manifestFile || name == "world.yml" }
