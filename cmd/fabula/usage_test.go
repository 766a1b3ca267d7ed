package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"fabula/tui/text/lang"
)

var verb = regexp.MustCompile(`%(\[\d\])?[a-z]`)

// Ensure that every refusal of the command line is worded in Chinese too, with
// the same arguments in the same order.
func TestRefusalsAreWordedInBothLanguages(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, f := range files {
		if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
			continue
		}
		for _, format := range refusals(t, f.Name()) {
			seen++
			zh := lang.Usage(format, "zh")
			if zh == format || !slices.Equal(verb.FindAllString(format, -1), verb.FindAllString(zh, -1)) {
				t.Errorf("%s: %q has no Chinese in tui/text/lang/usage.go, or other arguments: %q", f.Name(), format, zh)
			}
		}
	}
	if seen < 40 {
		t.Errorf("only %d refusals were found", seen)
	}
}

// refusals gives the formats that a file hands to usage.
func refusals(t *testing.T, name string) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) == 0 {
			return true
		}
		if f, ok := call.Fun.(*ast.Ident); !ok || f.Name != "usage" {
			return true
		}
		if s, ok := call.Args[0].(*ast.BasicLit); ok {
			text, err := strconv.Unquote(s.Value)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, text)
		}
		return true
	})
	return out
}
