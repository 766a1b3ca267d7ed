package export

import (
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"fabula/story"
	"fabula/story/plot"
)

// ErrSecret: a file would still give a secret away.
var ErrSecret = errors.New("a secret is still in it")

// Redactor takes the secrets of a world's personas out of what is exported:
// their texts and what else names them, in every language. Each is replaced by as
// many signs as it has bytes, so that spans and offsets still fit.
type Redactor struct {
	find    *regexp.Regexp
	letters map[string]string // of each text, letters only → the secret
}

// leastLetters is how many letters a text must have to be looked for without
// regard to what stands between them: fewer occur by chance.
const leastLetters = 6

// NewRedactor takes up the secrets of a script.
func NewRedactor(s *plot.Script) *Redactor {
	r := &Redactor{letters: map[string]string{}}
	var all []string
	for _, p := range s.Personas {
		for _, secret := range p.Secrets {
			texts := secret.Text.All()
			for _, a := range secret.Aliases {
				texts = append(texts, a.All()...)
			}
			for _, t := range texts {
				if words := strings.Fields(t); len(words) > 0 {
					for i, w := range words {
						words[i] = pattern(w)
					}
					all = append(all, strings.Join(words, blanks))
					r.letters[lettersOf(t)] = p.ID + "." + secret.ID
				}
			}
		}
	}
	if len(all) > 0 {
		slices.SortFunc(all, func(a, b string) int { return len(b) - len(a) }) // the longest first
		r.find = regexp.MustCompile("(?i)" + strings.Join(all, "|"))
	}
	return r
}

// blanks are what stands between two words, in a text or in a file of any format.
const blanks = `(?:\s|\\[nrt]|&#(?:x[AaDd9]|9|10|13);)+`

// pattern finds a word as it stands, and with its signs written as formats write
// them: behind a backslash, as an escape of JSON, as a reference of XML.
func pattern(word string) string {
	named := map[rune]string{'&': "|&amp;", '<': "|&lt;", '>': "|&gt;", '"': `|&quot;|""`, '\'': "|&apos;|''"}
	var b strings.Builder
	for _, c := range word {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			b.WriteRune(c)
			continue
		}
		fmt.Fprintf(&b, `(?:\\*%s|\\u%04x|&#%d;|&#x%x;%s)`, regexp.QuoteMeta(string(c)), c, c, c, named[c])
	}
	return b.String()
}

// Text masks the secrets in a text.
func (r *Redactor) Text(s string) string {
	if r.find == nil {
		return s
	}
	return r.find.ReplaceAllStringFunc(s, func(found string) string { return strings.Repeat("*", len(found)) })
}

// Input masks what was played; in is left as it is.
func (r *Redactor) Input(in Input) Input {
	in.Branches = slices.Clone(in.Branches)
	for i, b := range in.Branches {
		in.Branches[i].Steps = r.copyOf(reflect.ValueOf(b.Steps)).Interface().([]story.Step)
	}
	in.Beside = r.copyOf(reflect.ValueOf(in.Beside)).Interface().(map[story.ID][]story.Alternative)
	in.Mask = r.Text
	return in
}

// copyOf copies a value deeply, every text in it masked. What has fields of its
// own is kept as it is: times.
func (r *Redactor) copyOf(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(r.Text(v.String()))
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(r.copyOf(v.Elem()))
		}
	case reflect.Slice:
		if !v.IsNil() && v.Type().Elem().Kind() != reflect.Uint8 {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i := range v.Len() {
				out.Index(i).Set(r.copyOf(v.Index(i)))
			}
		}
	case reflect.Map:
		if !v.IsNil() {
			out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
			for _, k := range v.MapKeys() {
				out.SetMapIndex(k, r.copyOf(v.MapIndex(k)))
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if out.Field(i).CanSet() {
				out.Field(i).Set(r.copyOf(v.Field(i)))
			}
		}
	}
	return out
}

// Check gives ErrSecret where a file holds the letters of a secret in their
// order, whatever a format put between them, escapes with letters in them too.
// Texts of few letters are not looked for: they occur by chance.
func (r *Redactor) Check(files []File) error {
	for _, f := range files {
		if found := r.Found([]File{f}); len(found) > 0 {
			return fmt.Errorf("%s: %w: %s; nothing was written", f.Name, ErrSecret, strings.Join(found, ", "))
		}
	}
	return nil
}

// Found lists the secrets that files give away, as "persona.secret".
func (r *Redactor) Found(files []File) []string {
	found := map[string]bool{}
	for _, f := range files {
		all, bare := lettersOf(string(f.Data)), lettersOf(escapes.ReplaceAllString(string(f.Data), ""))
		for letters, secret := range r.letters {
			if len([]rune(letters)) >= leastLetters && (strings.Contains(all, letters) || strings.Contains(bare, letters)) {
				found[secret] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(found))
}

// Files masks the secrets in authored texts that a format took from the world.
func (r *Redactor) Files(files []File) []File {
	files = slices.Clone(files)
	for i, f := range files {
		files[i].Data = []byte(r.Text(string(f.Data)))
	}
	return files
}

// escapes of JSON and XML, whose letters are no text.
var escapes = regexp.MustCompile(`\\u[0-9A-Fa-f]{4}|\\[bfnrt]|&#?[0-9A-Za-z]+;`)

func lettersOf(s string) string {
	return strings.Map(func(c rune) rune {
		if unicode.IsLetter(c) || unicode.IsDigit(c) {
			return unicode.ToLower(c)
		}
		return -1
	}, s)
}
