package card

import (
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// fields reads the members of a JSON object, and notes what is not of the type
// that the specification asks for.
type fields struct {
	of    map[string]any
	notes *[]Note
	path  string // in front of every field's name, with its dot
}

func (f fields) note(fate Fate, key, code string, args ...string) {
	*f.notes = append(*f.notes, Note{fate, f.path + key, code, args})
}

// kind names a JSON type.
func kind(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case string:
		return "string"
	case json.Number:
		return "number"
	case bool:
		return "boolean"
	case []any:
		return "array"
	}
	return "object"
}

// text reads a string; a number or a boolean is taken as it is written.
func (f fields) text(key string) string {
	v, there := f.of[key]
	if !there {
		return ""
	}
	s, ok := plain(v)
	if _, is := v.(string); !is {
		f.note(Coerced, key, NoteType, "string", kind(v))
	}
	if !ok {
		return ""
	}
	return s
}

// plain gives a scalar as text.
func plain(v any) (string, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return v.String(), true
	case bool:
		return strconv.FormatBool(v), true
	}
	return "", false
}

// texts reads an array of strings; one string counts as an array of one.
func (f fields) texts(key string) []string {
	v, there := f.of[key]
	if !there || v == nil {
		return nil
	}
	list, ok := v.([]any)
	if !ok {
		f.note(Coerced, key, NoteType, "array", kind(v))
		if s, fine := plain(v); fine && s != "" {
			return []string{s}
		}
		return nil
	}
	var out []string
	for i, item := range list {
		s, fine := plain(item)
		if _, is := item.(string); !is {
			f.note(Coerced, fmt.Sprintf("%s[%d]", key, i), NoteType, "string", kind(item))
		}
		if fine {
			out = append(out, s)
		}
	}
	return out
}

// flag reads a boolean; numbers and the words of one count.
func (f fields) flag(key string, otherwise bool) bool {
	v, there := f.of[key]
	if !there || v == nil {
		return otherwise
	}
	if b, ok := v.(bool); ok {
		return b
	}
	f.note(Coerced, key, NoteType, "boolean", kind(v))
	if s, ok := plain(v); ok {
		switch strings.ToLower(s) {
		case "true", "1", "yes":
			return true
		case "false", "0", "no", "":
			return false
		}
	}
	return otherwise
}

// number reads a whole number within bounds.
func (f fields) number(key string, low, high, otherwise int) int {
	v, there := f.of[key]
	if !there || v == nil {
		return otherwise
	}
	s, _ := plain(v)
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) {
		f.note(Coerced, key, NoteType, "number", kind(v))
		return otherwise
	}
	n := int(min(max(math.Trunc(x), float64(low)), float64(high)))
	if float64(n) != x {
		f.note(Coerced, key, NoteRange, s, strconv.Itoa(n))
	}
	return n
}
