package chat_test

import (
	"testing"

	"fabula/engine"
	"fabula/engine/chat"
)

// Templates with conditionals in brackets, which the template library does not
// parse by itself.
func TestInlineConditionals(t *testing.T) {
	tests := map[string]struct{ src, want string }{
		"in parentheses": {"{% for m in messages %}{{ ('Q:' if m.role == 'user' else 'A:') + m.content }}{% endfor %}", "Q:{hi}"},
		"chained":        {"{% for m in messages %}{{ ('S' if m.role == 'system' else 'Q' if m.role == 'user' else 'A') + m.content }}{% endfor %}", "Q{hi}"},
		"nested":         {"{% for m in messages %}{{ (('a' if m.role == 'user' else 'b') if true else 'c') ~ m.content }}{% endfor %}", "a{hi}"},
		"without else":   {"{% for m in messages %}{{ ('Q' if m.role == 'user') ~ m.content ~ ('x' if false) }}{% endfor %}", "Q{hi}"},
		"argument":       {"{% macro p(a, b) %}{{ a ~ b }}{% endmacro %}{% for m in messages %}{{ p('u' if m.role == 'user' else 'o', b=m.content if true else '') }}{% endfor %}", "u{hi}"},
		"in a list":      {"{% for m in messages %}{{ ['u' if m.role == 'user' else 'o', ','][0] ~ m.content }}{% endfor %}", "u{hi}"},
		"looks alike":    {"{% for m in messages %}{{ ('if a else b, )' if m.role == 'user' else \"it's\") ~ m.content }}{# (a if b else c) #} (a if b else c)}{% endfor %}", "if a else b, ){hi} (a if b else c)}"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			tpl, err := chat.New(test.src, "", "")
			if err != nil {
				t.Fatal(err)
			}
			pieces, err := tpl.Render([]engine.Message{say(u, "hi")})
			if err != nil || picture(pieces) != test.want {
				t.Errorf("%q (%v), want %q", picture(pieces), err, test.want)
			}
		})
	}
}
