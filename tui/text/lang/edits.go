package lang

import "fmt"

// Edits is the words about prompts that an edit of the world's files changed.
type Edits struct {
	Legend  string // of the sign
	Changed string // turn, kind of segment, its source
	Gone    string // turn, NPC or node
}

func editsEN() Edits {
	return Edits{
		Legend:  "the files were edited since: the prompts differ from what was played",
		Changed: "turn %d would get another prompt now: %s %s was edited",
		Gone:    "turn %d cannot be asked again: %s is no more",
	}
}

func editsZH() Edits {
	return Edits{
		Legend:  "之后改过文件：提示词已和当时不同",
		Changed: "第 %d 轮现在的提示词不同了：%s %s 改过",
		Gone:    "第 %d 轮无法再问一遍：%s 已经不在了",
	}
}

// Edited says which turn's prompt an edit changed first, and by what; without a
// kind the source is gone.
func (s *Strings) Edited(turn int, kind, source string) string {
	if kind == "" {
		return fmt.Sprintf(s.Edits.Gone, turn, source)
	}
	return fmt.Sprintf(s.Edits.Changed, turn, s.Inspect.Segment(kind), source)
}
