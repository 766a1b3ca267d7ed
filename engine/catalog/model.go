package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"fabula/engine"
	"fabula/engine/gguf/header"
	"fabula/engine/gguf/memory"
	"fabula/engine/ladder"
	"fabula/engine/recommended"
)

// extension of the files that are models.
const extension = ".gguf"

// toyBelow is the number of parameters under which a model is for trying the
// tool, not for prose, unless its sidecar says otherwise.
const toyBelow = 300_000_000

// Model is one GGUF file.
type Model struct {
	Name         string   `json:"name"`            // unique: the file's name without .gguf
	Title        string   `json:"title,omitempty"` // as its makers call it
	File         string   `json:"file"`            // path
	Size         int64    `json:"size"`            // bytes
	Architecture string   `json:"architecture,omitempty"`
	Parameters   uint64   `json:"parameters,omitempty"`
	Precision    string   `json:"precision,omitempty"`
	Context      int      `json:"context,omitempty"`   // window it was trained for, tokens
	Languages    []string `json:"languages,omitempty"` // empty: not stated, taken for any
	// Source says where Languages come from: "sidecar", "known" (our own list of
	// families) or "file"; empty with them.
	Source  string   `json:"languages_from,omitempty"`
	Toy     bool     `json:"toy,omitempty"`    // for trying the tool, not for prose
	SHA256  string   `json:"sha256,omitempty"` // empty: not computed yet
	Licence string   `json:"licence,omitempty"`
	Origin  string   `json:"origin,omitempty"`  // where it was fetched, with the revision; of this very file
	Version string   `json:"version,omitempty"` // as the file states it
	Needs   int64    `json:"needs,omitempty"`   // bytes of memory for the usual window
	InUse   bool     `json:"in_use"`
	Why     Why      `json:"why,omitempty"`      // why it cannot serve; empty if it can
	Detail  string   `json:"detail,omitempty"`   // the same in the words of what failed
	WhyArgs []string `json:"why_args,omitempty"` // what the words of Why need
	// Note says how it would serve with what memory is free now, such as with a
	// smaller window; empty: in full, or not at all.
	Note string `json:"note,omitempty"`

	Memory memory.Demand `json:"-"`
	best   []string      // languages that its family was mostly trained on
}

// Info describes the model to a person, before it is open.
func (m Model) Info() engine.Info {
	return engine.Info{
		Kind: engine.GGUF, Name: m.Name, Model: cmp.Or(m.Title, m.Name), Languages: m.Languages, Toy: m.Toy, Context: m.Context, Parameters: m.Parameters,
		Build: engine.Build{BaseHash: m.SHA256, Precision: m.Precision},
	}
}

// Speaks says whether the model is known to speak a language, or says nothing.
// Codes are compared by their first subtag: zh-Hant is spoken by zh.
func (m Model) Speaks(lang string) bool {
	if lang == "" || len(m.Languages) == 0 {
		return true
	}
	return recommended.Has(m.Languages, lang)
}

// file is what was read of a file, as long as its stamps hold.
type file struct {
	stamp, sidecar stamp
	model          Model
}

// scan reads the folder, each file only when it changed, and gives the models
// by name.
func (c *Catalog) scan() ([]Model, error) {
	entries, err := os.ReadDir(c.o.Dir)
	if c.o.Dir == "" || errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("models: %w", err)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var models []Model
	found := map[string]file{}
	for _, e := range entries {
		path := filepath.Join(c.o.Dir, e.Name())
		if strings.HasPrefix(e.Name(), ".") || !isModel(e.Name()) {
			continue
		}
		info, err := os.Stat(path)
		if err != nil || !info.Mode().IsRegular() {
			continue // a folder, a dangling link, gone meanwhile
		}
		f := file{stamp: stampOf(info), sidecar: sidecarStamp(path)}
		if old, ok := c.files[path]; ok && old.stamp == f.stamp && old.sidecar == f.sidecar {
			f = old
		} else {
			f.model = describe(path, info)
		}
		found[path] = f
		models = append(models, f.model)
	}
	c.files = found
	return models, nil
}

func isModel(name string) bool { return strings.EqualFold(filepath.Ext(name), extension) }

// describe reads a file's header and sidecar.
func describe(path string, info os.FileInfo) Model {
	name := filepath.Base(path)
	m := Model{Name: name[:len(name)-len(extension)], File: path, Size: info.Size()}
	h, err := header.Open(path)
	if err == nil {
		err = usable(h)
	}
	if err != nil {
		m.Why, m.Detail = WhyUnreadable, err.Error()
		return m
	}
	m.Title, m.Architecture, m.Licence = h.Name(), h.Architecture(), h.Licence()
	m.Parameters, m.Precision, m.Context = h.Parameters(), h.Precision(), h.Context()
	m.Toy = m.Parameters < toyBelow
	m.Memory, m.Version = memory.Of(h), h.Edition()
	m.Needs = m.Memory.Need(0)
	if f, ok := family(m); ok {
		m.Languages, m.best, m.Source = f.Languages, f.Best, "known"
	} else if m.Languages = h.Languages(); len(m.Languages) > 0 {
		m.Source = "file"
	}
	side, err := readSidecar(path)
	if err != nil {
		m.Detail = err.Error() // it still serves, as if it had none
		return m
	}
	side.apply(&m, stampOf(info))
	return m
}

// usable refuses files that are sound but no whole chat model.
func usable(h *header.Header) error {
	switch {
	case h.Parts() > 1:
		return fmt.Errorf("one of %d parts of a model; join them first", h.Parts())
	case h.Architecture() == "" || len(h.Tensors) == 0 || h.Vocabulary() == 0:
		return fmt.Errorf("no model in it: architecture %q, %d tensors, %d words in its vocabulary",
			h.Architecture(), len(h.Tensors), h.Vocabulary())
	}
	return nil
}

// rank orders models for a language: those for prose first, then by
// recommended.Weight, larger ones first.
func rank(a, b Model, lang string) int {
	if a.Toy != b.Toy {
		if a.Toy {
			return 1
		}
		return -1
	}
	return cmp.Or(cmp.Compare(b.weight(lang), a.weight(lang)), cmp.Compare(b.Size, a.Size), cmp.Compare(a.Name, b.Name))
}

func (m Model) weight(lang string) uint64 { return recommended.Weight(m.Parameters, m.best, lang) }

// squeeze notes what free bytes of memory do to a model that is not open.
func (m *Model) squeeze(free int64) {
	p, err := m.Memory.Plan(0, free)
	if err != nil {
		f := ladder.Loading(m.Name, err)
		m.Why, m.WhyArgs, m.Detail = Why(f.Code), f.Args, err.Error()
		return
	}
	m.Note = p.Note
}
