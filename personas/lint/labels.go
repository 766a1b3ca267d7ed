package lint

import (
	"strings"
	"unicode/utf8"

	"fabula/personas/fold"
)

// labels finds lines that begin with somebody's name and a colon, as in a
// script: words put into the player's or another's mouth, or the speaker's own
// name that would be shown twice.
func labels(in *reading) []Finding {
	own := append(append(in.Persona.Name.All(), in.Persona.ID), roles...)
	player := append([]string{"Player", "User", "Human", "You", "玩家", "用户", "你"}, in.Player...)
	var out []Finding
	at := 0
	for line := range strings.Lines(in.Text) {
		if label, span := labelOf(line, at); label != "" {
			for _, who := range []struct {
				code  string
				names []string
			}{{CodeSpeaksForPlayer, player}, {CodeSpeaksForOther, in.Others}, {CodeRolePrefix, own}} {
				if oneOf(label, who.names) || who.code == CodeRolePrefix && titled(label, in.Persona.Name.All()) {
					out = append(out, Finding{Code: who.code, Level: Warning, Args: []string{label}, Span: span})
					break
				}
			}
		}
		at += len(line)
	}
	return out
}

// roles are whom a model names in front of a line when it writes a script.
var roles = []string{"Assistant", "NPC", "AI", "Bot", "Chatbot", "Model", "System", "Narrator", "Narration", "Character",
	"助手", "助理", "机器人", "模型", "系统", "旁白", "叙述", "角色"}

// titled reports whether a label is a name with a title in front, as in 掌柜金先生.
func titled(label string, names []string) bool {
	const most = 4 // characters of a title
	for _, n := range names {
		title, ok := strings.CutSuffix(label, n)
		if ok && title != "" && utf8.RuneCountInString(title) <= most && !strings.ContainsAny(title, "，。、,. ") && strings.IndexFunc(title, fold.Unspaced) == 0 {
			return true
		}
	}
	return false
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
	label = strings.TrimRight(direction().ReplaceAllString(label, ""), around)
	_, colon := utf8.DecodeRuneInString(line[i:])
	return label, [2]int{at + start, at + i + colon}
}

// direction is a stage direction behind a name: "Lao Zhou (coming in)".
var direction = pattern(`\s*(?:\([^()]*\)|（[^（）]*）|\[[^\[\]]*\]|\*[^*]*\*)\s*$`)

func oneOf(label string, names []string) bool {
	label = strings.ReplaceAll(label, ".", "") // "Mr. Jin"
	for _, n := range names {
		if n != "" && strings.EqualFold(label, strings.ReplaceAll(n, ".", "")) {
			return true
		}
	}
	return false
}
