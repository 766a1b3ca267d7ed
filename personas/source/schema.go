package source

import "encoding/json"

// schemas collects the objects that a schema names more than once.
type schemas struct{ defs object }

// define names a schema and refers to it.
func (s *schemas) define(name string, make func() object) object {
	if _, known := s.defs[name]; !known {
		s.defs[name] = object{} // an object may hold itself
		s.defs[name] = make()
	}
	return object{"$ref": "#/$defs/" + name}
}

// Schema writes the JSON Schema (draft 2020-12) of a file of type t. It comes
// from the same declaration that Read decodes with. Same type, same bytes.
func Schema[V any](title string, t Type[V]) ([]byte, error) {
	s := &schemas{defs: object{}}
	root := object{"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title}
	for name, part := range t.schema(s) {
		root[name] = part
	}
	if len(s.defs) > 0 {
		root["$defs"] = s.defs
	}
	out, err := json.MarshalIndent(root, "", "  ")
	return append(out, '\n'), err
}
