package main_test

import (
	"encoding/json"
	"io"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// arrows says what each package may import of ours: the first row whose from
// is a prefix of the package decides. A trailing / in to allows the subtree.
var arrows = []struct {
	from string
	to   []string
}{
	{"engine/safefile", nil}, // a leaf that everybody may use
	{"engine", []string{"engine", "engine/"}},
	{"personas/source", nil},
	{"personas", []string{"personas", "personas/"}},
	{"story/plot", []string{"personas", "personas/"}},
	{"story/memory", []string{"engine/terms"}},
	{"story/check", []string{"story/check/", "story/plot", "personas", "personas/"}},
	{"story/cues", []string{"story/plot", "personas", "personas/lint", "engine"}},
	{"story/prompt", []string{"story/plot", "story/cues", "personas", "personas/", "engine"}},
	{"story/playtest/play", []string{"story", "story/plot", "story/prompt", "story/playtest", "story/playtest/", "personas", "personas/", "engine"}},
	{"story/playtest/players", []string{"story", "story/plot", "personas", "engine"}}, // its tests import worlds
	{"story/playtest", []string{"story", "story/plot", "personas", "personas/source"}},
	{"story/golden/rerun", []string{"story", "story/plot", "story/golden", "personas", "personas/", "engine"}},
	{"story/golden", []string{"personas", "personas/"}},
	{"story/store", []string{"story", "story/plot", "story/prompt", "story/memory", "personas", "personas/", "engine"}},
	{"story/export/played", []string{"worlds", "story", "story/export", "story/export/flow", "story/plot", "story/store", "personas/lint", "engine", "engine/recall"}}, // imported by tests only
	{"story/export", []string{"story", "story/plot", "story/prompt", "story/cues", "story/playtest/play", "story/export/", "personas", "personas/", "engine", "engine/latency"}},
	{"story/coverage", []string{"story", "story/plot"}},
	{"story/versions", []string{"story", "story/prompt", "engine"}},
	{"story/compare", []string{"story", "story/plot", "story/prompt", "personas/lint", "engine/latency"}},
	{"story/search", []string{"story", "story/plot", "personas/fold"}}, // its tests import the store
	{"story/promote/proof", []string{"worlds", "story/check", "story/check/space", "personas/lint"}},
	{"story/promote", []string{"story", "story/plot", "story/export", "personas", "personas/"}},
	{"story/lab", []string{"story", "story/plot", "story/prompt", "story/memory", "story/compare", "story/golden", "story/lab/", "personas", "personas/", "engine", "engine/score", "engine/latency"}},
	{"story/voice", []string{"story", "story/plot", "personas", "personas/"}},
	{"story", []string{"story/plot", "story/prompt", "story/memory", "story/cues", "personas", "personas/", "engine", "engine/latency", "engine/score", "engine/grounded"}},
	{"worlds", []string{"story/plot", "story/playtest", "story/golden", "personas", "personas/"}},
	{"tui/bg", nil},
	{"tui/text", []string{"tui/text"}},
	{"tui/term", []string{"tui/text"}},
	{"tui/style", []string{"tui/text"}},
	{"tui/diagram", []string{"tui/text"}},
	{"tui/widget", []string{"tui/text", "tui/text/", "tui/style", "tui/widget", "tui/widget/"}},
	{"tui", []string{"tui/", "worlds", "story", "story/", "personas", "personas/", "engine", "engine/latency"}},
	{"cmd", []string{"tui", "tui/", "worlds", "story", "story/", "personas", "personas/", "engine", "engine/"}},
}

// alone names the modules that one place only may touch.
var alone = map[string][]string{
	"gopkg.in/yaml.v3":                        {"personas/source"},
	"go.etcd.io/bbolt":                        {"story/store"},
	"github.com/expr-lang/expr":               {"story/plot"},
	"github.com/charmbracelet/bubbletea":      {"tui"},
	"github.com/charmbracelet/lipgloss":       {"tui"},
	"github.com/nikolalohinski/gonja/v2":      {"engine/chat"},
	"C":                                       {"engine/gguf", "engine/tensorrt"},
	"github.com/HdrHistogram/hdrhistogram-go": {"engine/latency"},
	"gonum.org/v1/plot":                       {"engine/bench/picture", "story/lab/drift/picture"},
	"github.com/prometheus/client_golang":     {"engine/metrics"},
	"github.com/openai/openai-go/v3":          {"engine/remote"},
	"github.com/zalando/go-keyring":           {"engine/remote"},
}

type listed struct {
	ImportPath string
	Imports    []string
}

// listPackages asks the go command, with the native tag so that cgo shows.
func listPackages(t *testing.T) []listed {
	t.Helper()
	out, err := exec.Command("go", "list", "-e", "-tags", "llama", "-json=ImportPath,Imports", "fabula/...").Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	var all []listed
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p listed
		if err := dec.Decode(&p); err == io.EOF {
			return all
		} else if err != nil {
			t.Fatalf("go list: %v", err)
		}
		all = append(all, p)
	}
}

func TestImportsFollowTheArrows(t *testing.T) {
	for _, p := range listPackages(t) {
		from := strings.TrimPrefix(p.ImportPath, "fabula/")
		for _, imported := range p.Imports {
			if to, ours := strings.CutPrefix(imported, "fabula/"); ours {
				if !allowed(from, to) {
					t.Errorf("%s imports %s: against the arrows of arrows_test.go", from, to)
				}
			}
			for module, owners := range alone {
				if within(imported, module) && !slices.ContainsFunc(owners, func(o string) bool { return within(from, o) }) {
					t.Errorf("%s imports %s: only %v may", from, imported, owners)
				}
			}
		}
	}
}

func TestScreensDoNotKnowEachOther(t *testing.T) {
	for _, p := range listPackages(t) {
		from := strings.TrimPrefix(p.ImportPath, "fabula/")
		for _, imported := range p.Imports {
			if strings.HasPrefix(from, "tui/screen/") && strings.HasPrefix(imported, "fabula/tui/screen/") {
				t.Errorf("%s imports %s: a screen must not know another", from, imported)
			}
		}
	}
}

func allowed(from, to string) bool {
	if to == "engine/safefile" {
		return true
	}
	for _, row := range arrows {
		if !within(from, row.from) {
			continue
		}
		if within(to, row.from) && from != row.from {
			return true // inside one subtree of the same row
		}
		return slices.ContainsFunc(row.to, func(a string) bool {
			if sub, ok := strings.CutSuffix(a, "/"); ok {
				return strings.HasPrefix(to, sub+"/")
			}
			return to == a
		})
	}
	return false
}

func within(path, prefix string) bool {
	return path == prefix || strings.HasPrefix(path, prefix+"/")
}
