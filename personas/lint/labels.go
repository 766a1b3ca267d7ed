package lint

import (
	"strings"
	"unicode/utf8"
)

// labels finds lines that begin with somebody's name and a colon, as in a
// script: words put into the player's or another's mouth, or the speaker's own
// name that would be shown twice.
func labels(in *reading) []Finding {
	own := append(in.Persona.Name.All(), "Assistant", "NPC", in.Persona.ID)
	player := append([]string{"Player", "User", "Human", "玩家", "用户"}, in.Player...)
	var out []Finding
	at := 0
	for line := range strings.Lines(in.Text) {
		if label, span := labelOf(line, at); label != "" {
			for _, who := range []struct {
				code  string
				names []string
			}{{CodeSpeaksForPlayer, player}, {CodeSpeaksForOther, in.Others}, {CodeRolePrefix, own}} {
				if oneOf(label, who.names) {
					out = append(out, Finding{Code: who.code, Level: Warning, Args: []string{label}, Span: span})
					break
				}
			}
		}
		at += len(line)
	}
	return out
}

// longestLabel bounds, in bytes, what may be a name before a colon.
const longestLabel = 60

// labelOf gives what stands before the first colon of a line that begins at
// byte at of the text, without markup around it.
func labelOf(line string, at int) (string, [2]int) {
	i := strings.IndexAny(line, ":：")
	if i <= 0 || i > longestLabel {
		return "", [2]int{}
	}
	const around = " \t*_#<>[]【】\"“”「」（）()|"
	label := strings.TrimLeft(line[:i], around)
	start := i - len(label)
	label = strings.TrimRight(label, around)
	_, colon := utf8.DecodeRuneInString(line[i:])
	return label, [2]int{at + start, at + i + colon}
}

func oneOf(label string, names []string) bool {
	for _, n := range names {
		if n != "" && strings.EqualFold(label, n) {
			return true
		}
	}
	return false
}
