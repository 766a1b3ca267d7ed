package wording_test

import (
	"errors"
	"io"
	"testing"

	"fabula/personas/source"
	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/text/lang"
	"fabula/tui/wording"
)

// Ensure that no code of a fault is shown, in either language, and that an error
// stays what it is.
func TestRefusedIsWorded(t *testing.T) {
	unknown := &plot.SetError{Fault: source.Fault{Code: plot.CodeUnknownName, Args: []string{"variable", "nope", ""}}}
	outside := &plot.SetError{Fault: source.Fault{Code: plot.CodeSetValue, Args: []string{"trust", "abc", "0..2"}}}
	nowhere := &story.NodeError{Node: "moon", Nodes: []string{"hall", "yard"}}
	for _, c := range []struct {
		err    error
		en, zh string
	}{
		{unknown, `unknown variable "nope": declare it, or correct the name`, "没有“nope”这个变量：先声明它，或改正名字"},
		{outside, `trust cannot be "abc": it takes 0..2`, "trust 不能是“abc”：可取 0..2"},
		{nowhere, `no node "moon" in this world; there are: hall, yard`, "这个世界没有“moon”这个节点；有：hall, yard"},
		{io.EOF, "EOF", "EOF"},
	} {
		for code, want := range map[string]string{"en": c.en, "zh": c.zh} {
			got := wording.Refused(c.err, lang.For(code))
			if got.Error() != want || !errors.Is(got, c.err) {
				t.Errorf("%s: %q, want %q", code, got, want)
			}
		}
	}
}
