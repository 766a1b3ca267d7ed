package chat

import (
	"embed"
	"strings"
)

//go:embed forms
var forms embed.FS

// family names a form of ours and the text by which its models' templates are
// known.
type family struct{ name, mark string }

func families() []family {
	return []family{
		{"chatml", "<|im_start|>"},
		{"llama3", "<|start_header_id|>"},
		{"gemma", "<start_of_turn>"},
		{"mistral", "[INST]"},
		{"phi3", "<|assistant|>"},
	}
}

// formFor gives our form for the family that a template belongs to.
func formFor(src string) (string, bool) {
	for _, f := range families() {
		if strings.Contains(src, f.mark) {
			return form(f.name), true
		}
	}
	return "", false
}

func form(name string) string {
	text, err := forms.ReadFile("forms/" + name + ".jinja")
	if err != nil {
		return "" // an unknown name; the empty template then fails its probe
	}
	return string(text)
}
