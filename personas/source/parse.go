package source

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"
)

// document is one file while it is read.
type document struct {
	file   string
	lines  []string
	cut    int // line of a syntax error: what lies above was still read; 0 = whole
	faults []Fault
}

func (d *document) fault(p Pos, code string, args ...string) {
	d.faults = append(d.faults, Fault{Pos: p, Code: code, Args: args})
}

// report gives the faults in order. Above a syntax error only those count that
// the cut cannot have caused.
func (d *document) report() []Fault {
	if d.cut > 0 {
		kept := d.faults[:0]
		for _, f := range d.faults {
			if f.Code == CodeSyntax || f.Code == CodeTab || d.sound(f) {
				kept = append(kept, f)
			}
		}
		d.faults = kept
	}
	return Sort(d.faults)
}

// sound reports a fault that would stand even if the file ended at the cut. A
// value on the last line may have been cut in two.
func (d *document) sound(f Fault) bool {
	switch f.Code {
	case CodeUnknownKey, CodeMisplacedKey, CodeDuplicateKey, CodeFlowText, CodeTag, CodeLanguage:
		return f.Pos.Line < d.cut
	case CodeCommentAfterText, CodeOutOfRange, CodeUnknownWord, CodeBadID, CodeEmptyText:
		return f.Pos.Line < d.cut-1
	case CodeWrongType:
		return f.Pos.Line < d.cut-1 && f.Args[3] != ""
	}
	return false
}

// parse gives the root of the file, nil when nothing can be read.
func parse(file File) (*yaml.Node, *document) {
	doc := &document{file: file.Name}
	text, ok := plainText(doc, file.Data)
	if !ok {
		return nil, doc
	}
	doc.lines = strings.Split(text, "\n")
	root, second, err := compose(text)
	if err != nil {
		root = doc.recover(err)
	}
	if second > 0 {
		doc.fault(Pos{doc.file, second, 1}, CodeManyDocuments)
	}
	if err == nil && root == nil {
		doc.fault(Pos{doc.file, 1, 1}, CodeEmptyFile)
	}
	if root == nil || !doc.limits(root) {
		return nil, doc
	}
	return root, doc
}

// compose parses text. The second value is the line of a second document.
func compose(text string) (root *yaml.Node, second int, err error) {
	defer func() {
		if r := recover(); r != nil { // the library panics on some inputs
			err = fmt.Errorf("yaml: %v", r)
		}
	}()
	decoder := yaml.NewDecoder(bytes.NewReader([]byte(text)))
	var first, next yaml.Node
	if err := decoder.Decode(&first); err != nil {
		if errors.Is(err, io.EOF) {
			return nil, 0, nil
		}
		return nil, 0, err
	}
	switch err := decoder.Decode(&next); {
	case err == nil:
		second = max(next.Line, 1)
	case !errors.Is(err, io.EOF):
		return nil, 0, err
	}
	root = first.Content[0]
	if root.Kind == yaml.ScalarNode && root.Tag == "!!null" && root.Value == "" && root.Style == 0 {
		return nil, second, nil
	}
	return root, second, nil
}

// recover reports the syntax error at its true place, and reads what lies
// above it, so that its faults are told in the same run.
func (d *document) recover(err error) *yaml.Node {
	line := d.errorLine(err)
	if at, why, found := d.slip(line); found {
		line = at.Line
		d.fault(at, CodeSyntax, why, clip(strings.TrimSpace(d.lines[line-1])))
	} else {
		d.reportSyntax(line, err.Error())
	}
	d.cut = line
	d.flows(line)
	root, _, err := compose(strings.Join(d.lines[:line-1], "\n"))
	if err != nil {
		return nil
	}
	return root
}

func (d *document) reportSyntax(line int, message string) {
	text := d.lines[line-1]
	lead := text[:len(text)-len(strings.TrimLeft(text, " \t"))]
	at := Pos{d.file, line, len(lead) + 1}
	why := reason(message)
	if i := strings.IndexByte(text, '\t'); i >= 0 && (i < len(lead) || why == ReasonCharacter) {
		d.fault(Pos{d.file, line, len([]rune(text[:i])) + 1}, CodeTab)
		return
	}
	if tag := tagIn(text); tag != "" {
		d.fault(at, CodeSyntax, ReasonTag, tag)
		return
	}
	if col, open := openQuote(text); open {
		d.fault(Pos{d.file, line, col}, CodeSyntax, ReasonQuote, clip(strings.TrimSpace(text)))
		return
	}
	if before, _, found := strings.Cut(text, "{"); found || strings.Contains(message, "',' or '}'") {
		d.fault(Pos{d.file, line, len([]rune(before)) + 1}, CodeSyntax, ReasonFlow, clip(strings.TrimSpace(text)))
		return
	}
	d.fault(at, CodeSyntax, why, clip(strings.TrimSpace(text)))
}

// tagIn finds a value that starts with "!", as in `when: !done && paid`.
func tagIn(line string) string {
	for _, lead := range []string{": !", "- !"} {
		if _, rest, found := strings.Cut(line, lead); found {
			word, _, _ := strings.Cut(rest, " ")
			return "!" + word
		}
	}
	return ""
}

func reason(message string) string {
	for _, known := range []struct{ part, reason string }{
		{"mapping values are not allowed", ReasonColon},
		{"could not find expected ':'", ReasonNoColon},
		{"did not find expected key", ReasonIndent},
		{"expected '-' indicator", ReasonDash},
		{"block sequence entries", ReasonDash},
		{"',' or ']'", ReasonBracket},
		{"node content", ReasonBracket},
		{"unexpected end of stream", ReasonQuote},
		{"cannot start any token", ReasonCharacter},
		{"directive", ReasonCharacter},
		{"unexpected non-alphabetical", ReasonCharacter},
		{"alphabetic or numeric", ReasonAnchor},
		{"unknown anchor", ReasonAnchor},
		{"escape", ReasonEscape},
	} {
		if strings.Contains(message, known.part) {
			return known.reason
		}
	}
	return ReasonOther
}

// errorLine finds the line at which parsing truly fails. The library names the
// line where the construct began, may count one low, or names none; so the
// longest beginning of the file that parses is looked for.
func (d *document) errorLine(err error) int {
	n := len(d.lines)
	good, bad := 0, n // lines[:good] parses, lines[:bad] does not
	if said := saidLine(err); said > 2 && said-2 < n && d.parses(said-2) {
		good = said - 2
	}
	for bad-good > 1 {
		mid := (good + bad) / 2
		if d.parses(mid) {
			good = mid
			continue
		}
		if later := d.laterParse(mid, bad); later > 0 {
			good = later // mid only cut a list or a quote in two
			continue
		}
		bad = mid
	}
	return good + 1 + d.inner(good)
}

// laterParse looks a little further for a beginning that parses.
func (d *document) laterParse(from, bad int) int {
	reach := 40
	if n := len(d.lines); n > 5000 {
		reach = 8
	}
	for i := from + 1; i < bad && i <= from+reach; i++ {
		if d.parses(i) {
			return i
		}
	}
	return 0
}

// inner says how many lines below the first the error lies, when a construct
// of many lines begins at lines[start]: parsed from there on, the library has
// no construct line other than 0 and names the line of the problem.
func (d *document) inner(start int) int {
	_, _, err := compose(strings.Join(d.lines[start:], "\n"))
	if err == nil {
		return 0
	}
	line := saidLine(err)
	message := err.Error()
	if strings.Contains(message, "end of stream") || strings.Contains(message, "indicator") || strings.Contains(message, "expected key") {
		return 0
	}
	if !strings.Contains(message, "',' or") && !strings.Contains(message, "node content") && line > 0 {
		line-- // a scanner error, already counted from 1
	}
	if start+line >= len(d.lines) || indent(d.lines[start+line]) <= indent(d.lines[start]) {
		return 0 // never closed: the place to look at is where it opens
	}
	return line
}

// indent counts leading blanks.
func indent(line string) int { return len(line) - len(strings.TrimLeft(line, " \t")) }

func (d *document) parses(lines int) bool {
	_, _, err := compose(strings.Join(d.lines[:lines], "\n"))
	return err == nil
}

func saidLine(err error) int {
	_, rest, found := strings.Cut(err.Error(), "line ")
	if !found {
		return 0
	}
	digits, _, _ := strings.Cut(rest, ":")
	n, _ := strconv.Atoi(digits)
	return n
}

// limits refuses nesting and aliases that explode, before anything walks them.
func (d *document) limits(root *yaml.Node) bool {
	m := measure{sizes: map[*yaml.Node]size{}, named: map[*yaml.Node]bool{}}
	total := m.size(root)
	d.anchors(m)
	at := Pos{d.file, root.Line, root.Column}
	switch {
	case total.nodes > m.own*MaxExpansion:
		d.fault(at, CodeAliases, strconv.Itoa(MaxExpansion))
	case total.depth > MaxNesting:
		d.fault(at, CodeTooDeep, strconv.Itoa(MaxNesting))
	default:
		return true
	}
	return false
}

// anchors reports a text such as `&home again`, of which YAML takes the first
// word for a name. An anchor that some alias names is meant as one.
func (d *document) anchors(m measure) {
	for n := range m.sizes {
		if n.Anchor != "" && !m.named[n] {
			d.fault(Pos{d.file, n.Line, n.Column}, CodeSyntax, ReasonAnchor, clip("&"+n.Anchor+" "+n.Value))
		}
	}
}

type size struct{ nodes, depth int }

// measure counts nodes with aliases expanded; each node is walked once.
type measure struct {
	own   int
	sizes map[*yaml.Node]size
	named map[*yaml.Node]bool // by an alias
}

const endless = 1 << 40

func (m *measure) size(n *yaml.Node) size {
	if s, ok := m.sizes[n]; ok {
		return s
	}
	m.own++
	m.sizes[n] = size{nodes: endless} // until it is known: an alias of itself
	total := size{nodes: 1}
	children := n.Content
	if n.Kind == yaml.AliasNode {
		total, children = size{}, []*yaml.Node{n.Alias}
		m.named[n.Alias] = true
	}
	for _, c := range children {
		s := m.size(c)
		total.nodes = min(endless, total.nodes+s.nodes)
		total.depth = max(total.depth, s.depth)
	}
	if n.Kind == yaml.MappingNode || n.Kind == yaml.SequenceNode {
		total.depth++
	}
	m.sizes[n] = total
	return total
}
