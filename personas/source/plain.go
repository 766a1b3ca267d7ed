package source

import (
	"encoding/json"
	"fmt"
	"strconv"

	"gopkg.in/yaml.v3"
)

// Plain gives a file as the plain values that JSON has (numbers as
// json.Number), the way a schema checker sees it: no key is known, no fault but
// one of syntax.
func Plain(file File) (any, error) {
	root, doc := parse(file)
	if root == nil || doc.cut > 0 {
		return nil, fmt.Errorf("read %s: %v", file.Name, doc.report())
	}
	return plainValue(root), nil
}

func plainValue(n *yaml.Node) any {
	switch n.Kind {
	case yaml.AliasNode:
		return plainValue(n.Alias)
	case yaml.MappingNode:
		out := object{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			out[n.Content[i].Value] = plainValue(n.Content[i+1])
		}
		return out
	case yaml.SequenceNode:
		out := make([]any, len(n.Content))
		for i, c := range n.Content {
			out[i] = plainValue(c)
		}
		return out
	}
	return plainScalar(n)
}

func plainScalar(n *yaml.Node) any {
	switch n.Tag {
	case "!!null":
		return nil
	case "!!bool":
		b, _ := strconv.ParseBool(n.Value)
		return b
	case "!!int", "!!float":
		if number := json.Number(n.Value); json.Valid([]byte(n.Value)) {
			return number
		}
	}
	return n.Value
}
