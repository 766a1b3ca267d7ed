package xliff_test

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
)

// element is a parsed element; text is a child without a name.
type element struct {
	name     string
	attrs    map[string]string
	text     string
	children []*element
}

func (e *element) all(name string) []*element {
	var out []*element
	for _, c := range e.children {
		if c.name == name {
			out = append(out, c)
		}
	}
	return out
}

// content gives the text with inline elements as [id].
func (e *element) content() string {
	var b strings.Builder
	for _, c := range e.children {
		switch c.name {
		case "":
			b.WriteString(c.text)
		case "cp":
			var r rune
			fmt.Sscanf(c.attrs["hex"], "%x", &r)
			b.WriteRune(r)
		case "ph":
			b.WriteString(c.attrs["equiv"])
		default:
			b.WriteString(c.attrs["equiv-text"])
		}
	}
	return b.String()
}

func parse(data []byte) (*element, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	stack := []*element{{}}
	for {
		token, err := d.Token()
		if err == io.EOF {
			for _, c := range stack[0].children {
				if c.name != "" {
					return c, nil
				}
			}
			return nil, fmt.Errorf("no root")
		} else if err != nil {
			return nil, err
		}
		at := stack[len(stack)-1]
		switch x := token.(type) {
		case xml.StartElement:
			e := &element{name: x.Name.Local, attrs: map[string]string{}}
			for _, a := range x.Attr {
				e.attrs[a.Name.Local] = a.Value
			}
			at.children = append(at.children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			at.children = append(at.children, &element{text: string(x)})
		}
	}
}

// rule says what an element may hold: children in order, each name with how
// often; attributes that must and may be there.
type rule struct {
	children   []string // "unit+", "notes?", "note*", "source"; "#" = text and inline elements
	must, may  []string
	attrShapes map[string]*regexp.Regexp
}

var (
	nmtoken  = regexp.MustCompile(`^[\pL\pN._:-]+$`)
	langCode = regexp.MustCompile(`^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$`)
	hex      = regexp.MustCompile(`^[0-9A-F]{4,6}$`)
	state12  = regexp.MustCompile(`^(new|needs-translation|needs-adaptation|needs-l10n|needs-review-translation|needs-review-adaptation|needs-review-l10n|translated|signed-off|final)$`)
	state20  = regexp.MustCompile(`^(initial|translated|reviewed|final)$`)
)

// The rules of the two versions for what is written here, from the
// specifications of OASIS.
var (
	rules12 = map[string]rule{
		"xliff":      {[]string{"file+"}, []string{"version", "xmlns"}, nil, map[string]*regexp.Regexp{"version": regexp.MustCompile(`^1\.2$`), "xmlns": regexp.MustCompile(`^urn:oasis:names:tc:xliff:document:1\.2$`)}},
		"file":       {[]string{"header?", "body"}, []string{"original", "source-language", "datatype"}, []string{"target-language", "space"}, map[string]*regexp.Regexp{"source-language": langCode, "target-language": langCode}},
		"body":       {[]string{"trans-unit*"}, nil, nil, nil},
		"trans-unit": {[]string{"source", "target?", "note*"}, []string{"id"}, []string{"resname", "space"}, nil},
		"source":     {[]string{"#"}, nil, []string{"lang"}, nil},
		"target":     {[]string{"#"}, nil, []string{"lang", "state"}, map[string]*regexp.Regexp{"state": state12}},
		"note":       {[]string{"#"}, nil, []string{"from", "lang", "priority"}, nil},
		"x":          {nil, []string{"id"}, []string{"equiv-text", "ctype"}, nil},
	}
	rules20 = map[string]rule{
		"xliff":        {[]string{"file+"}, []string{"version", "srcLang", "xmlns"}, []string{"trgLang"}, map[string]*regexp.Regexp{"version": regexp.MustCompile(`^2\.0$`), "srcLang": langCode, "trgLang": langCode, "xmlns": regexp.MustCompile(`^urn:oasis:names:tc:xliff:document:2\.0$`)}},
		"file":         {[]string{"unit+"}, []string{"id"}, []string{"original", "space"}, map[string]*regexp.Regexp{"id": nmtoken}},
		"unit":         {[]string{"notes?", "originalData?", "segment+"}, []string{"id"}, []string{"name"}, map[string]*regexp.Regexp{"id": nmtoken}},
		"notes":        {[]string{"note+"}, nil, nil, nil},
		"note":         {[]string{"#"}, nil, []string{"category", "id"}, nil},
		"originalData": {[]string{"data+"}, nil, nil, nil},
		"data":         {[]string{"#"}, []string{"id"}, nil, map[string]*regexp.Regexp{"id": nmtoken}},
		"segment":      {[]string{"source", "target?"}, nil, []string{"id", "state"}, map[string]*regexp.Regexp{"state": state20}},
		"source":       {[]string{"#"}, nil, nil, nil},
		"target":       {[]string{"#"}, nil, nil, nil},
		"ph":           {nil, []string{"id"}, []string{"dataRef", "equiv", "disp"}, map[string]*regexp.Regexp{"id": nmtoken}},
		"cp":           {nil, []string{"hex"}, nil, map[string]*regexp.Regexp{"hex": hex}},
	}
)

// conforms checks a document against the rules: structure, attributes, unique
// ids, references to data, a target language where there is a target, and
// placeholders that source and target share.
func conforms(data []byte) error {
	root, err := parse(data)
	if err != nil {
		return err
	}
	rules := rules12
	if root.attrs["version"] == "2.0" {
		rules = rules20
	}
	if root.name != "xliff" {
		return fmt.Errorf("the root is %s", root.name)
	}
	if err := follows(root, rules); err != nil {
		return err
	}
	for _, f := range root.all("file") {
		if err := unitsOf(root, f); err != nil {
			return err
		}
	}
	return nil
}

func follows(e *element, rules map[string]rule) error {
	r, known := rules[e.name]
	if !known {
		return fmt.Errorf("element %s", e.name)
	}
	for _, a := range r.must {
		if _, ok := e.attrs[a]; !ok {
			return fmt.Errorf("%s lacks %s", e.name, a)
		}
	}
	for a, v := range e.attrs {
		if !slices.Contains(r.must, a) && !slices.Contains(r.may, a) {
			return fmt.Errorf("%s has %s", e.name, a)
		}
		if shape := r.attrShapes[a]; shape != nil && !shape.MatchString(v) {
			return fmt.Errorf("%s %s=%q", e.name, a, v)
		}
	}
	if err := ordered(e, r.children); err != nil {
		return err
	}
	for _, c := range e.children {
		if c.name != "" {
			if err := follows(c, rules); err != nil {
				return err
			}
		}
	}
	return nil
}

func ordered(e *element, want []string) error {
	mixed := slices.Contains(want, "#")
	var names []string
	for _, c := range e.children {
		switch {
		case c.name == "" && !mixed && strings.TrimSpace(c.text) != "":
			return fmt.Errorf("%s holds text %q", e.name, c.text)
		case c.name == "x" || c.name == "ph" || c.name == "cp":
			if !mixed || e.name != "source" && e.name != "target" {
				return fmt.Errorf("%s holds %s", e.name, c.name)
			}
		case c.name != "":
			names = append(names, c.name)
		}
	}
	for _, w := range want {
		name, often := strings.TrimRight(w, "?*+"), w[len(w)-1:]
		n := 0
		for len(names) > 0 && names[0] == name {
			names, n = names[1:], n+1
		}
		if w == "#" {
			continue
		}
		if n == 0 && often != "?" && often != "*" || n > 1 && often != "*" && often != "+" {
			return fmt.Errorf("%s has %d of %s", e.name, n, w)
		}
	}
	if len(names) > 0 {
		return fmt.Errorf("%s holds %v out of order", e.name, names)
	}
	return nil
}

func unitsOf(root, file *element) error {
	units := append(file.all("unit"), file.all("trans-unit")...)
	for _, b := range file.all("body") {
		units = append(units, b.all("trans-unit")...)
	}
	seen := map[string]bool{}
	for _, u := range units {
		if seen[u.attrs["id"]] {
			return fmt.Errorf("unit %s is there twice", u.attrs["id"])
		}
		seen[u.attrs["id"]] = true
		if err := unitHolds(root, file, u); err != nil {
			return fmt.Errorf("unit %s: %w", u.attrs["id"], err)
		}
	}
	return nil
}

func unitHolds(root, file, u *element) error {
	data := map[string]bool{}
	for _, o := range u.all("originalData") {
		for _, d := range o.all("data") {
			if data[d.attrs["id"]] {
				return fmt.Errorf("data %s is there twice", d.attrs["id"])
			}
			data[d.attrs["id"]] = true
		}
	}
	parts := append([]*element{u}, u.all("segment")...)
	for _, p := range parts {
		for _, name := range []string{"source", "target"} {
			for _, e := range p.all(name) {
				if name == "target" && root.attrs["trgLang"] == "" && file.attrs["target-language"] == "" {
					return fmt.Errorf("a target without its language")
				}
				ids := map[string]bool{}
				for _, c := range append(e.all("ph"), e.all("x")...) {
					if ids[c.attrs["id"]] {
						return fmt.Errorf("placeholder %s is in %s twice", c.attrs["id"], name)
					}
					ids[c.attrs["id"]] = true
					if ref, ok := c.attrs["dataRef"]; ok && !data[ref] {
						return fmt.Errorf("no data %s", ref)
					}
				}
			}
		}
	}
	return nil
}
