package hub

import (
	"fmt"
	"strings"
)

// Ref is a model as a person names it.
type Ref struct {
	Repo     string // owner/repo
	Revision string // branch, tag or commit; "" = main
	File     string // name of a file or a precision such as Q4_K_M; "" = the usual one
}

// Parse reads owner/repo[@revision][:file or precision].
func Parse(text string) (Ref, error) {
	rest, file, _ := strings.Cut(text, ":")
	repo, revision, _ := strings.Cut(rest, "@")
	owner, name, ok := strings.Cut(repo, "/")
	if !ok || !word(owner) || !word(name) || revision != "" && !word(revision) || strings.ContainsAny(file, "\\?#:\x00") {
		return Ref{}, fmt.Errorf("%q is %w", text, ErrRef)
	}
	return Ref{Repo: repo, Revision: revision, File: file}, nil
}

func (r Ref) revision() string {
	if r.Revision == "" {
		return "main"
	}
	return r.Revision
}

// word says whether a part of an id is one that a hub gives.
func word(s string) bool {
	if s == "" || len(s) > 96 || s == "." || s == ".." {
		return false
	}
	for _, r := range s {
		if r != '-' && r != '_' && r != '.' && (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z') {
			return false
		}
	}
	return true
}
