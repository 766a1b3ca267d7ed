package yarn_test

import (
	"fmt"
	"maps"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"fabula/story/export/played"
)

// project is Yarn source as this reader understands it: the rules of the
// version 3 grammar for what fabula writes, and nothing more lenient.
type project struct {
	nodes map[string][]string // title → body lines
	vars  map[string]any
	ids   map[string]bool
}

var (
	title   = regexp.MustCompile(`^title: ([A-Za-z_][A-Za-z0-9_]*)$`)
	header  = regexp.MustCompile(`^[a-z_0-9]+: .*$`)
	declare = regexp.MustCompile(`^<<declare \$(\w+) = (.*)>>( //.*)?$`)
	set     = regexp.MustCompile(`^<<set \$(\w+) to (.*)>>$`)
	jump    = regexp.MustCompile(`^<<jump (\w+)>>$`)
	ifs     = regexp.MustCompile(`^<<if (.*)>>$`)
)

// read checks a whole file: headers, titles, every line, every jump.
func read(text string) (*project, error) {
	p := &project{nodes: map[string][]string{}, vars: map[string]any{}, ids: map[string]bool{}}
	name, body := "", false
	for n, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		fail := func(why string) error { return fmt.Errorf("line %d: %s: %q", n+1, why, line) }
		switch {
		case !body && name == "" && strings.HasPrefix(line, "//"):
		case !body && title.MatchString(line):
			if name = title.FindStringSubmatch(line)[1]; p.nodes[name] != nil {
				return nil, fail("a second node of this title")
			}
			p.nodes[name] = []string{}
		case !body && line == "---" && name != "":
			body = true
		case !body && name != "" && header.MatchString(line) && !strings.Contains(line, "//"):
		case !body:
			return nil, fail("no header")
		case line == "===":
			name, body = "", false
		default:
			p.nodes[name] = append(p.nodes[name], line)
			if err := p.line(strings.TrimLeft(line, " ")); err != nil {
				return nil, fail(err.Error())
			}
		}
	}
	if name != "" {
		return nil, fmt.Errorf("node %s does not end", name)
	}
	for name, body := range p.nodes {
		for _, line := range body {
			if m := jump.FindStringSubmatch(strings.TrimSpace(line)); m != nil && p.nodes[m[1]] == nil {
				return nil, fmt.Errorf("node %s jumps to %s", name, m[1])
			}
		}
	}
	return p, nil
}

// line checks one line of a body, and notes declarations and line ids.
func (p *project) line(s string) error {
	switch {
	case strings.HasPrefix(s, "//"), jump.MatchString(s), s == "<<endif>>", s == "<<stop>>":
		return nil
	case declare.MatchString(s):
		m := declare.FindStringSubmatch(s)
		v, err := eval(m[2], nil)
		p.vars[m[1]] = v
		return err
	case set.MatchString(s), ifs.MatchString(s):
		m := append(set.FindStringSubmatch(s), ifs.FindStringSubmatch(s)...)
		_, err := eval(m[len(m)-1], p.vars)
		return err
	}
	l, err := parse(s, p.vars)
	if err != nil {
		return err
	}
	if l.when != "" && !l.option {
		return fmt.Errorf("a condition on a line")
	}
	if id := l.tags["line"]; id != "" && p.ids[id] {
		return fmt.Errorf("a second line %s", id)
	} else if id != "" {
		p.ids[id] = true
	}
	return nil
}

// spoken is a line or an option.
type spoken struct {
	option     bool
	name, text string
	when       string
	tags       map[string]string
}

// parse reads a line by the lexer's rules: what must be escaped, and what a
// backslash may stand before.
func parse(s string, vars map[string]any) (spoken, error) {
	l := spoken{tags: map[string]string{}}
	if strings.HasPrefix(s, "-> ") {
		l.option, s = true, s[3:]
	} else if strings.HasPrefix(s, "->") || strings.HasPrefix(s, "=>") || strings.HasPrefix(s, "===") {
		return l, fmt.Errorf("it reads as an arrow or the end of a node")
	}
	var text strings.Builder
	named := l.option
	for i := 0; i < len(s); i++ {
		rest := s[i:]
		switch {
		case s[i] == '\\':
			if i++; i == len(s) || !strings.ContainsRune(`\{}<>#/[]:`, rune(s[i])) {
				return l, fmt.Errorf("a backslash before something else")
			}
			text.WriteByte(s[i])
		case s[i] == '{':
			end := strings.IndexByte(rest, '}')
			if end < 0 {
				return l, fmt.Errorf("an open brace")
			}
			v, err := eval(rest[1:end], vars)
			if err != nil {
				return l, err
			}
			fmt.Fprint(&text, v)
			i += end
		case strings.HasPrefix(rest, "<<if "):
			end := strings.Index(rest, ">>")
			if end < 0 {
				return l, fmt.Errorf("an open command")
			}
			l.when = rest[5:end]
			if _, err := eval(l.when, vars); err != nil {
				return l, err
			}
			i += end + 1
		case strings.HasPrefix(rest, "<<"), strings.HasPrefix(rest, "//"), strings.ContainsRune("[]}", rune(s[i])):
			return l, fmt.Errorf("markup that is not escaped: %q", rest)
		case s[i] == '#':
			for _, tag := range strings.Fields(rest) {
				key, value, ok := strings.Cut(strings.TrimPrefix(tag, "#"), ":")
				if !ok || !strings.HasPrefix(tag, "#") || strings.ContainsAny(value, "#$<") {
					return l, fmt.Errorf("hashtag %q", tag)
				}
				l.tags[key] = value
			}
			i = len(s)
		case s[i] == ':' && !named:
			l.name, named = strings.TrimSpace(text.String()), true
			text.Reset()
		default:
			text.WriteByte(s[i])
		}
	}
	l.text = strings.Trim(text.String(), " \t")
	return l, nil
}

func (l spoken) shown() string {
	if l.name != "" {
		return l.name + ": " + l.text
	}
	return l.text
}

// play runs the project as Yarn's machine does.
func (p *project) play(one played.Play) (out played.Reading) {
	out.Lines, out.Vars = []string{}, maps.Clone(p.vars)
	at := one.Start
	if at == "" {
		at = "Start"
	}
	choices := one.Choices
	for at != "" {
		body, open := p.nodes[at], []bool{true}
		at = ""
		var offered []spoken
		var to []string
		for i := 0; i < len(body) && at == ""; i++ {
			s := strings.TrimLeft(body[i], " ")
			on := !strings.Contains(fmt.Sprint(open), "false")
			m := ifs.FindStringSubmatch(s)
			switch {
			case m != nil:
				v, _ := eval(m[1], out.Vars)
				open = append(open, on && v == true)
			case s == "<<endif>>":
				open = open[:len(open)-1]
			case !on || strings.HasPrefix(s, "//") || declare.MatchString(s):
			case set.MatchString(s):
				m := set.FindStringSubmatch(s)
				out.Vars[m[1]], _ = eval(m[2], out.Vars)
			case jump.MatchString(s):
				at = jump.FindStringSubmatch(s)[1]
			case s == "<<stop>>" && len(offered) == 0:
				return out
			case s == "<<stop>>":
			default:
				l, _ := parse(s, out.Vars)
				if !l.option {
					out.Lines = append(out.Lines, l.shown())
					continue
				}
				i++ // the jump below the option
				if v, _ := eval(l.when, out.Vars); l.when == "" || v == true {
					offered, to = append(offered, l), append(to, jump.FindStringSubmatch(strings.TrimSpace(body[i]))[1])
				}
			}
		}
		if at != "" || len(choices) == 0 {
			continue
		}
		n := -1
		var texts []string
		for i, l := range offered {
			texts = append(texts, l.text)
			if choices[0].ID == "" && i == choices[0].N || choices[0].ID != "" && l.tags["choice"] == choices[0].ID {
				n = i
			}
		}
		out.Offered = append(out.Offered, texts)
		if n < 0 {
			out.Error = fmt.Sprintf("no option %+v among %q", choices[0], texts)
			return out
		}
		at, choices = to[n], choices[1:]
	}
	return out
}

// eval computes an expression of Yarn: or, and, comparisons, + and -, not,
// brackets, variables, numbers, strings, true and false.
func eval(src string, vars map[string]any) (v any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("expression %q: %v", src, r)
		}
	}()
	e := &expression{words: tokens(src), vars: vars}
	v = e.or()
	if e.at != len(e.words) {
		panic("something is left over")
	}
	return v, nil
}

var word = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|\$?\w+|[=!<>]=|[()<>+-]|\S`)

func tokens(src string) []string { return word.FindAllString(src, -1) }

type expression struct {
	words []string
	at    int
	vars  map[string]any
}

func (e *expression) take(any ...string) string {
	for _, w := range any {
		if e.at < len(e.words) && e.words[e.at] == w {
			e.at++
			return w
		}
	}
	return ""
}

func (e *expression) or() any {
	v := e.and()
	for e.take("or") != "" {
		r := e.and()
		v = v.(bool) || r.(bool)
	}
	return v
}

func (e *expression) and() any {
	v := e.compare()
	for e.take("and") != "" {
		r := e.compare()
		v = v.(bool) && r.(bool)
	}
	return v
}

func (e *expression) compare() any {
	v := e.sum()
	switch op := e.take("==", "!=", "<=", ">=", "<", ">"); op {
	case "==":
		return v == e.sum()
	case "!=":
		return v != e.sum()
	case "<":
		return v.(float64) < e.sum().(float64)
	case "<=":
		return v.(float64) <= e.sum().(float64)
	case ">":
		return v.(float64) > e.sum().(float64)
	case ">=":
		return v.(float64) >= e.sum().(float64)
	}
	return v
}

func (e *expression) sum() any {
	v := e.one()
	for {
		switch e.take("+", "-") {
		case "+":
			v = v.(float64) + e.one().(float64)
		case "-":
			v = v.(float64) - e.one().(float64)
		default:
			return v
		}
	}
}

func (e *expression) one() any {
	w := e.words[e.at]
	e.at++
	switch {
	case w == "not":
		return !e.one().(bool)
	case w == "-":
		return -e.one().(float64)
	case w == "(":
		v := e.or()
		if e.take(")") == "" {
			panic("a bracket is open")
		}
		return v
	case w == "true", w == "false":
		return w == "true"
	case w[0] == '"':
		s, err := strconv.Unquote(w)
		if err != nil {
			panic(err)
		}
		return s
	case w[0] == '$':
		v, ok := e.vars[w[1:]]
		if !ok {
			panic(w + " is not declared")
		}
		return v
	case unicode.IsDigit(rune(w[0])):
		n, err := strconv.ParseFloat(w, 64)
		if err != nil {
			panic(err)
		}
		return n
	}
	panic("unknown word " + w)
}

var checker = played.Script{Play: func(t *testing.T, stories []string, plays []played.Play) []played.Reading {
	t.Helper()
	projects := make([]*project, len(stories))
	for i, text := range stories {
		var err error
		if projects[i], err = read(text); err != nil {
			t.Fatalf("story %d: %v", i, err)
		}
	}
	var out []played.Reading
	for _, p := range plays {
		out = append(out, projects[p.Story].play(p))
	}
	return out
}}
