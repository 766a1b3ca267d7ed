package wording

import (
	"errors"
	"fmt"
	"strings"

	"fabula/story"
	"fabula/story/plot"
	"fabula/tui/text/lang"
)

// Refused words why the state cannot be set as a writer asks, in the language of
// the interface; other errors are given as they are.
func Refused(err error, t *lang.Strings) error {
	var set *plot.SetError
	var node *story.NodeError
	switch {
	case errors.As(err, &set):
		what, todo := lang.Fault(set.Fault.Code, set.Fault.Args, t.Code)
		return worded{fmt.Sprintf(t.Chat.Refused, what, todo), err}
	case errors.As(err, &node):
		return worded{fmt.Sprintf(t.Chat.UnknownNode, node.Node, strings.Join(node.Nodes, ", ")), err}
	}
	return err
}
