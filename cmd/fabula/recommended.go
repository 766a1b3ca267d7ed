package main

import (
	"fmt"
	"io"
	"strings"

	"fabula/engine/catalog"
	"fabula/engine/gguf/memory"
	"fabula/engine/recommended"
)

// advice is one object of `models list --recommended --json`.
type advice struct {
	Event string `json:"event"`
	Ref   string `json:"ref"` // what models pull takes
	recommended.Model
	Languages []string `json:"languages"`
	Needs     int64    `json:"needs"`          // bytes of memory for the usual window
	Free      int64    `json:"free,omitempty"` // bytes free now; absent = unknown
	Fits      bool     `json:"fits"`
	Slow      bool     `json:"slow,omitempty"`  // estimated: below reading speed on this processor
	First     bool     `json:"first,omitempty"` // the one to begin with on this machine
	Installed bool     `json:"installed"`
}

// listRecommended prints the models worth fetching for a language ("" = any),
// the most useful first, with what they need and what is free.
func listRecommended(w io.Writer, cat *catalog.Catalog, speak string, asJSON bool) error {
	list, err := advised(cat, speak)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return usage("no recommended model speaks %q; --speak takes a code such as en or zh", speak)
	}
	for _, a := range list {
		if asJSON {
			err = writeJSON(w, a)
		} else {
			_, err = fmt.Fprintln(w, a.words())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func advised(cat *catalog.Catalog, speak string) ([]advice, error) {
	table, err := recommended.Load()
	if err != nil {
		return nil, err
	}
	installed, err := cat.List()
	if err != nil {
		return nil, err
	}
	on := here(cat)
	first, _ := table.Fitting(speak, on)
	var list []advice
	for _, m := range table.For(speak) {
		a := advice{
			Event: "recommended", Ref: m.Ref(), Model: m, Languages: m.Languages,
			Needs: m.Demand().Need(0), Free: on.Free, Fits: m.Fits(on), Slow: m.Slow(on), First: m.Ref() == first.Ref(),
		}
		for _, there := range installed {
			a.Installed = a.Installed || strings.EqualFold(there.Name+".gguf", m.File)
		}
		list = append(list, a)
	}
	return list, nil
}

// words of the terms, for people.
var termsWords = map[recommended.Terms]string{
	recommended.Free: "any use", recommended.Conditions: "own conditions", recommended.Research: "no commercial use",
}

func (a advice) words() string {
	mark := "fits  "
	if !a.Fits {
		mark = "short "
	}
	room := "needs " + memory.Size(a.Needs)
	if a.Free > 0 {
		room += ", " + memory.Size(a.Free) + " free"
	}
	parts := []string{
		mark + fmt.Sprintf("%4.1fB %s %5.2f GB", float64(a.Parameters)/1e9, a.Precision, float64(a.Size)/1e9),
		room, a.Licence + " (" + termsWords[a.Terms] + ")", strings.Join(a.Languages, " "), fmt.Sprintf("window %d", a.Context),
	}
	if a.Slow {
		parts = append(parts, "slow on this processor")
	}
	if a.Thinks {
		parts = append(parts, "thinks in writing first")
	}
	if len(a.Unchecked) > 0 {
		parts = append(parts, "not looked up: "+strings.Join(a.Unchecked, ", "))
	}
	if a.Installed {
		parts = append(parts, "installed")
	}
	line := strings.Join(parts, "  ") + "\n      fabula models pull " + a.Ref
	if a.First {
		line += "   ← begin with this one"
	}
	return line
}
