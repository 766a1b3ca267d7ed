package hub

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// description is what the hub tells of a repository, as far as it is read.
type description struct {
	SHA  string `json:"sha"` // commit
	Card struct {
		Licence string `json:"license"`
	} `json:"cardData"`
	Siblings []blob `json:"siblings"`
}

// blob is one file of a repository.
type blob struct {
	Path string `json:"rfilename"`
	Size int64  `json:"size"`
	LFS  *struct {
		Size   int64  `json:"size"`
		SHA256 string `json:"sha256"`
	} `json:"lfs"`
}

// usual is the precision that is taken when none is asked for: the smallest one
// that is commonly held to cost little quality.
const usual = "Q4_K_M"

// bits are other words for precisions, by what people ask for.
var bits = map[string]string{"INT8": "Q8_0", "FP16": "F16", "Q4_K": usual, "Q5_K": "Q5_K_M"}

// partOf matches the names of models that are split over files.
var partOf = regexp.MustCompile(`-\d{5}-of-\d{5}$`)

// choose finds the one file that is meant: by its name, by a precision that its
// name ends in, or the usual precision, or the only one there is.
func (d description) choose(want string) (blob, error) {
	all := slices.DeleteFunc(slices.Clone(d.Siblings), func(b blob) bool { return !b.model() })
	for _, b := range all {
		if want != "" && (strings.EqualFold(b.Path, want) || strings.EqualFold(path.Base(b.Path), want)) {
			return b, b.whole()
		}
	}
	if want == "" && len(all) == 1 {
		return all[0], all[0].whole()
	}
	precision := want
	if want == "" {
		precision = usual
	}
	if other, known := bits[strings.ToUpper(precision)]; known {
		precision = other
	}
	found := slices.DeleteFunc(slices.Clone(all), func(b blob) bool { return !b.stored(precision) })
	switch {
	case len(all) == 0:
		return blob{}, fmt.Errorf("%w: it holds no GGUF file", ErrChoice)
	case len(found) == 0:
		return blob{}, fmt.Errorf("%w: none is %s; there are %s", ErrChoice, precision, names(all))
	case len(found) > 1 && found[0].whole() == nil:
		return blob{}, fmt.Errorf("%w: %s are %s", ErrChoice, names(found), precision)
	}
	return found[0], found[0].whole()
}

// model says whether a file is a language model: not what projects pictures
// into one.
func (b blob) model() bool {
	name := strings.ToLower(path.Base(b.Path))
	return strings.HasSuffix(name, ".gguf") && !strings.HasPrefix(name, "mmproj")
}

// stem is the name without extension and number of part.
func (b blob) stem() string {
	name := path.Base(b.Path)
	return partOf.ReplaceAllString(name[:len(name)-len(".gguf")], "")
}

// stored says whether the name ends in a precision.
func (b blob) stored(precision string) bool {
	stem, want := strings.ToUpper(b.stem()), strings.ToUpper(precision)
	before, ok := strings.CutSuffix(stem, want)
	return ok && (before == "" || strings.ContainsAny(before[len(before)-1:], "-._"))
}

// whole refuses one part of several.
func (b blob) whole() error {
	name := path.Base(b.Path)
	if partOf.MatchString(name[:len(name)-len(".gguf")]) {
		return fmt.Errorf("%w: %s is one part of several, which cannot be fetched; choose a smaller precision or another repository", ErrChoice, b.Path)
	}
	return nil
}

func names(list []blob) string {
	var out []string
	for _, b := range list {
		out = append(out, b.Path)
	}
	return strings.Join(out, ", ")
}
