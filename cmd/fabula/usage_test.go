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

// Ensure that every refusal of the command line, and what it tells of what it did,
// is worded in Chinese too, with the same arguments in the same order.
func TestSentencesAreWordedInBothLanguages(t *testing.T) {
	files, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]struct {
		formats func(*testing.T, string) []string
		in      func(format, language string) string
		file    string
		least   int
	}{
		"refusals": {func(t *testing.T, file string) []string { return handed(t, file, "usage", 0) }, lang.Usage, "usage.go", 40},
		"sentences": {func(t *testing.T, file string) []string {
			return slices.Concat(handed(t, file, "printSaid", 2), handed(t, file, "said", 1), handed(t, file, "aside", 1), counted(t, file))
		}, lang.Said, "said.go", 30},
	}
	for kind, k := range kinds {
		seen := 0
		for _, f := range files {
			if !strings.HasSuffix(f.Name(), ".go") || strings.HasSuffix(f.Name(), "_test.go") {
				continue
			}
			for _, format := range k.formats(t, f.Name()) {
				seen++
				zh := k.in(format, "zh")
				if zh == format || !slices.Equal(verb.FindAllString(format, -1), verb.FindAllString(zh, -1)) {
					t.Errorf("%s: %q has no Chinese in tui/text/lang/%s, or other arguments: %q", f.Name(), format, k.file, zh)
				}
			}
		}
		if seen < k.least {
			t.Errorf("only %d %s were found", seen, kind)
		}
	}
}

// handed gives the literals that a file hands to a function at a place.
func handed(t *testing.T, file, function string, at int) []string {
	t.Helper()
	return literals(t, file, func(n ast.Node) ast.Expr {
		call, ok := n.(*ast.CallExpr)
		if !ok || len(call.Args) <= at {
			return nil
		}
		called := call.Fun
		if method, ok := called.(*ast.SelectorExpr); ok {
			called = method.Sel
		}
		if f, ok := called.(*ast.Ident); !ok || f.Name != function {
			return nil
		}
		return call.Args[at]
	})
}

// counted gives the formats of the amounts that a file words.
func counted(t *testing.T, file string) []string {
	t.Helper()
	nouns := literals(t, file, func(n ast.Node) ast.Expr {
		c, ok := n.(*ast.CompositeLit)
		if !ok || len(c.Elts) != 2 {
			return nil
		}
		if f, ok := c.Type.(*ast.Ident); !ok || f.Name != "amount" {
			return nil
		}
		return c.Elts[1]
	})
	for i, n := range nouns {
		nouns[i] = "%d " + n
	}
	return nouns
}

// literals gives the text literals among what a file's nodes give.
func literals(t *testing.T, name string, of func(ast.Node) ast.Expr) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := of(n).(*ast.BasicLit); ok {
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
