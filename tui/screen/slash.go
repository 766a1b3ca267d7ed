package screen

import (
	"fmt"
	"strings"

	"fabula/personas/source"
	"fabula/tui/text/lang"
)

// Slash is a command of the composer, such as "/branch name". It does what the
// row of its Action does, with what is written behind its name.
type Slash struct {
	Name   string // without the slash
	Action string // ID of the row that does the same; "" = there is none
	Takes  Takes
}

// Takes says whether something has to stand behind a command's name.
type Takes int

// What stands behind a command's name.
const (
	Nothing   Takes = iota
	Perhaps         // with or without
	Something       // the command means nothing without
)

// Slashes lists the commands of the composer.
func Slashes() []Slash {
	return []Slash{
		{"retry", "chat.retry", Nothing},
		{"branch", "chat.branch", Perhaps}, // a name
		{"to", "", Something},              // an NPC, and what is said to it
		{"goto", "", Something},            // a node
		{"set", "", Something},             // x=v
		{"engine", "", Perhaps},            // an engine; without, the best there is
		{"undo", "chat.undo", Nothing},
		{"redo", "chat.redo", Nothing},
		{"continue", "chat.continue", Nothing},
		{"state", "chat.state", Nothing},
		{"help", "", Nothing},
	}
}

// Call is a command that was written, with what stands behind its name.
type Call struct {
	Slash
	Arg string
}

// ParseSlash reads a line of the composer. It reports false for a line that is
// no command; a line that begins with two slashes is said with one, see Unslash.
// The error says in words what is wrong with a command.
func ParseSlash(line string, t *lang.Strings) (Call, bool, error) {
	rest, ok := cutSlash(line)
	if !ok || strings.HasPrefix(rest, "/") || strings.HasPrefix(rest, "／") {
		return Call{}, false, nil
	}
	name, arg, _ := strings.Cut(strings.TrimSpace(rest), " ")
	name, arg = strings.ToLower(name), strings.TrimSpace(arg)
	for _, s := range Slashes() {
		if s.Name != name {
			continue
		}
		switch {
		case s.Takes == Something && arg == "":
			return Call{}, true, fmt.Errorf(t.Slash.Needs, name, t.Slash.Of(name).Arg)
		case s.Takes == Nothing && arg != "":
			return Call{}, true, fmt.Errorf(t.Slash.TakesNone, name, arg)
		}
		return Call{s, arg}, true, nil
	}
	return Call{}, true, unknownSlash(name, t)
}

// SplitSlash cuts a text of the composer into a command, which is its first line,
// and what stays there when it is done. What is said to somebody is a whole text.
func SplitSlash(raw string) (line, rest string) {
	raw = strings.TrimSpace(raw)
	first, below, more := strings.Cut(raw, "\n")
	if name, ok := cutSlash(first); more && ok && !strings.HasPrefix(strings.ToLower(name), "to ") {
		return strings.TrimSpace(first), strings.TrimLeft(below, "\n")
	}
	return raw, ""
}

// Unslash gives what is said by a line that begins with two slashes.
func Unslash(line string) string {
	if rest, ok := cutSlash(line); ok {
		if _, twice := cutSlash(rest); twice {
			return rest
		}
	}
	return line
}

// cutSlash cuts a slash, or its full-width twin, from the front of a line.
func cutSlash(line string) (string, bool) {
	if rest, ok := strings.CutPrefix(line, "/"); ok {
		return rest, true
	}
	return strings.CutPrefix(line, "／")
}

func unknownSlash(name string, t *lang.Strings) error {
	var known []string
	for _, s := range Slashes() {
		known = append(known, s.Name)
	}
	if near := source.Nearest(name, known); near != "" {
		return fmt.Errorf(t.Slash.Near, name, near)
	}
	return fmt.Errorf(t.Slash.Unknown, name, "/"+strings.Join(known, " /"))
}

// Compose asks the chat to come to the front with a text in its composer.
type Compose struct{ Text string }
