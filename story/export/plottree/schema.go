package plottree

import (
	"encoding/json"
	"fmt"
	"reflect"

	"github.com/invopop/jsonschema"

	"fabula/story/plot"
)

// Schema gives the JSON Schema of the document, made from the Go types.
func Schema() ([]byte, error) {
	r := jsonschema.Reflector{Anonymous: true, Mapper: mapType}
	s := r.Reflect(&Document{})
	s.Title = Format
	s.Description = "The plot tree that fabula exports for a game build."
	text, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("plottree schema: %w", err)
	}
	return text, nil
}

// mapType gives the schemas that reflection cannot see: a state value is a
// JSON scalar, a condition's tree a list that starts with its operation.
func mapType(t reflect.Type) *jsonschema.Schema {
	switch t {
	case reflect.TypeFor[plot.Value]():
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{{Type: "boolean"}, {Type: "integer"}, {Type: "string"}}}
	case reflect.TypeFor[json.RawMessage]():
		return &jsonschema.Schema{
			Type: "array", PrefixItems: []*jsonschema.Schema{{Type: "string"}},
			Description: `["var",x], ["lit",v], ["list",…], ["call",f,…], [op,a,b] or ["not",a]`,
		}
	}
	return nil
}
