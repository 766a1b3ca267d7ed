package chat

import "strings"

// either is the function that stands for an inline conditional.
const either = "either_of_two"

// plainer rewrites inline conditionals within brackets, which the template
// library refuses or, among arguments, misreads, to calls: (a if b else c) becomes
// (either_of_two(b, a, c)). Both a and c are then evaluated; a template that
// raises in the branch it does not take fails its probe, as it did before.
func plainer(src string) string {
	var out strings.Builder
	for src != "" {
		at := strings.IndexByte(src, '{')
		if at < 0 || at+1 == len(src) {
			break
		}
		out.WriteString(src[:at])
		src = src[at:]
		n := 1
		switch src[1] {
		case '#':
			n = past(src, "#}")
			out.WriteString(src[:n])
		case '{', '%':
			s := &scanner{src: src, at: 2}
			out.WriteString(src[:2] + s.tag(closer(src[1])))
			n = s.at
		default:
			out.WriteString(src[:n])
		}
		src = src[n:]
	}
	return out.String() + src
}

// past gives the offset behind the first end, or the length.
func past(src, end string) int {
	if i := strings.Index(src, end); i >= 0 {
		return i + len(end)
	}
	return len(src)
}

func closer(open byte) string {
	if open == '%' {
		return "%}"
	}
	return "}}"
}

// scanner walks through one tag.
type scanner struct {
	src   string
	at    int
	depth int
}

// tag copies up to and with end, rewriting what is in brackets.
func (s *scanner) tag(end string) string {
	var out strings.Builder
	for s.at < len(s.src) {
		if strings.HasPrefix(s.src[s.at:], end) {
			s.at += len(end)
			out.WriteString(end)
			break
		}
		out.WriteString(s.item())
	}
	return out.String()
}

// item copies a string, a bracketed group, a word or one byte.
func (s *scanner) item() string {
	start := s.at
	switch b := s.src[s.at]; {
	case b == '\'' || b == '"':
		s.at++
		for s.at < len(s.src) && s.src[s.at] != b {
			if s.src[s.at] == '\\' {
				s.at++
			}
			s.at++
		}
		s.at = min(s.at+1, len(s.src))
	case strings.IndexByte("([{", b) >= 0 && s.depth < maxNesting:
		s.at++
		s.depth++
		inner := s.group(")]}"[strings.IndexByte("([{", b)])
		s.depth--
		return string(b) + inner
	case wordByte(b):
		for s.at < len(s.src) && wordByte(s.src[s.at]) {
			s.at++
		}
	default:
		s.at++
	}
	return s.src[start:s.at]
}

func wordByte(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// group copies up to and with the closing bracket, each entry rewritten.
func (s *scanner) group(closer byte) string {
	var out strings.Builder
	var e entry
	for s.at < len(s.src) {
		b := s.src[s.at]
		if b == closer {
			s.at++
			return out.String() + e.rewritten() + string(b)
		}
		if b == ',' {
			s.at++
			out.WriteString(e.rewritten() + ",")
			e = entry{}
			continue
		}
		e.add(s.item())
	}
	return out.String() + e.rewritten()
}

// entry is what stands between two commas: its items, as far as they are not
// part of one another.
type entry []string

func (e *entry) add(item string) { *e = append(*e, item) }

// rewritten gives the entry with its conditional as a call. What stands before
// the value, a key or an argument's name, stays before it.
func (e entry) rewritten() string {
	start := e.value()
	value := e[start:]
	yes := value.index("if", 0)
	if yes < 0 {
		return strings.Join(e, "")
	}
	then, rest, no := value[:yes], value[yes+1:], "''"
	condition := rest
	if i := rest.index("else", 0); i >= 0 {
		condition, no = rest[:i], entry(rest[i+1:]).rewritten()
	}
	return strings.Join(e[:start], "") + either + "(" + strings.Join(condition, "") + ", " + strings.Join(then, "") + ", " + no + ")"
}

// index finds a word.
func (e entry) index(word string, from int) int {
	for i := from; i < len(e); i++ {
		if e[i] == word && (i == 0 || e[i-1] != ".") {
			return i
		}
	}
	return -1
}

// value gives where the value begins: behind a colon or a single equals sign.
func (e entry) value() int {
	for i, item := range e {
		switch {
		case item == ":":
			return i + 1
		case item == "=" && i+1 < len(e) && e[i+1] != "=" && (i == 0 || !strings.ContainsAny(e[i-1], "=!<>")):
			return i + 1
		}
	}
	return 0
}
