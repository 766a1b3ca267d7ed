// Package recommended knows model families and the files of them that are worth
// fetching: which languages they speak, under which terms, and how much memory
// they take. The facts are data, table.json, embedded.
//
// Ids, files, sizes and licences were looked up on the public pages of the hub
// in December 2026; what could not be looked up is named in Unchecked, and comes
// from the makers' announcements. Sizes have three digits. Non-goals: fetching,
// what is installed.
package recommended

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"fabula/engine/gguf/memory"
)

//go:embed table.json
var table []byte

// Table is what is known.
type Table struct {
	Families []Family `json:"families"`
	Models   []Model  `json:"models"`
}

// Family is a line of models whose languages are known better than their files
// tell: many state only the language of their description.
type Family struct {
	Name      string   `json:"name"`
	Words     []string `json:"words"`     // how names of its models begin, in lower case
	Languages []string `json:"languages"` // BCP 47 codes that it speaks
	Best      []string `json:"best"`      // of those, what it was mostly trained on
}

// Terms is how a licence bears on a game that is sold.
type Terms string

// The terms that are told apart.
const (
	Free       Terms = "free"       // any use
	Conditions Terms = "conditions" // a licence of the maker's own, with conditions to accept
	Research   Terms = "research"   // not for commercial use
)

// Model is one file that is worth fetching.
type Model struct {
	Hub        string `json:"hub"`    // owner/repo
	File       string `json:"file"`   // in the repository
	Family     string `json:"family"` // name of a Family
	Parameters uint64 `json:"parameters"`
	Precision  string `json:"precision"`
	Size       int64  `json:"size"` // bytes
	Layers     int    `json:"layers"`
	KVHeads    int    `json:"kv_heads"`
	Head       int    `json:"head"`    // values of one head
	Context    int    `json:"context"` // window it was trained for, tokens
	Licence    string `json:"licence"`
	Terms      Terms  `json:"terms"`
	// Thinks: it reasons in writing before it answers, unless told not to.
	Thinks    bool     `json:"thinks,omitempty"`
	Unchecked []string `json:"unchecked,omitempty"` // of id, file, size, licence, languages

	Languages []string `json:"-"` // of its family
	Best      []string `json:"-"`
}

// Ref is what models pull takes.
func (m Model) Ref() string { return m.Hub + ":" + m.File }

// Demand tells how much memory the model takes.
func (m Model) Demand() memory.Demand {
	cell := int64(m.Layers) * int64(m.KVHeads) * int64(m.Head) * 2 * 2 // a key and a value, 16 bits each
	return memory.Demand{Weights: m.Size, Cell: cell, Trained: m.Context, Layers: m.Layers}
}

// Load reads and checks the table.
func Load() (Table, error) { return Parse(table) }

// Parse reads a table. Unknown keys, families that are not there and figures
// that cannot be are errors.
func Parse(data []byte) (Table, error) {
	var t Table
	d := json.NewDecoder(bytes.NewReader(data))
	d.DisallowUnknownFields()
	if err := d.Decode(&t); err != nil {
		return Table{}, fmt.Errorf("recommended models: %w", err)
	}
	for i := range t.Models {
		m := &t.Models[i]
		at := slices.IndexFunc(t.Families, func(f Family) bool { return f.Name == m.Family })
		if at < 0 {
			return Table{}, fmt.Errorf("recommended models: %s: family %q is not there", m.Hub, m.Family)
		}
		m.Languages, m.Best = t.Families[at].Languages, t.Families[at].Best
		if err := m.check(); err != nil {
			return Table{}, fmt.Errorf("recommended models: %s: %w", m.Hub, err)
		}
	}
	return t, nil
}

func (m Model) check() error {
	switch {
	case !strings.Contains(m.Hub, "/") || !strings.HasSuffix(m.File, ".gguf"):
		return errors.New("it needs an id and the name of a file")
	case m.Parameters == 0 || m.Context <= 0 || m.Layers <= 0 || m.KVHeads <= 0 || m.Head <= 0 || m.Licence == "":
		return errors.New("a figure is missing")
	case m.Size < int64(m.Parameters)/4 || m.Size > int64(m.Parameters)*4:
		return fmt.Errorf("%d bytes for %d parameters", m.Size, m.Parameters)
	case m.Terms != Free && m.Terms != Conditions && m.Terms != Research:
		return fmt.Errorf("terms %q", m.Terms)
	}
	return nil
}

// Family finds the family of a model by the names it goes by.
func (t Table) Family(names ...string) (Family, bool) {
	for _, f := range t.Families {
		for _, w := range f.Words {
			if slices.ContainsFunc(names, func(n string) bool { return begins(n, w) }) {
				return f, true
			}
		}
	}
	return Family{}, false
}

// begins says whether a word of name begins with w; a w of two letters has to be
// the whole word.
func begins(name, w string) bool {
	name = strings.ToLower(name)
	for at := 0; ; {
		i := strings.Index(name[at:], w)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(w)
		whole := len(w) > 2 || end == len(name) || !letter(name[end])
		if (start == 0 || !letter(name[start-1])) && whole {
			return true
		}
		at = end
	}
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' }
