package lang

// Promote is the words of promoting a stretch of a branch to authored lines.
type Promote struct {
	Notes   map[string]string // by code of story/promote; {1}, {2} are the arguments
	Turn    string            // number, note
	Line    string            // line id, turn, moment, condition
	Wrote   string            // file, lines
	DryRun  string            // file
	HowTo   string            // file name
	Outside string            // world: the file is not in its plot folder
	Spoils  string            // findings: the world would have new errors
}

// Promoted words a note of story/promote.
func (s *Strings) Promoted(code string, args []string) string {
	return fill(s.Promote.Notes[code], args, nil)
}

func promoteEN() Promote {
	return Promote{
		Notes: map[string]string{
			"promote_opening": "only authored lines: nothing to promote",
			"promote_silent":  "nobody replied",
			"promote_already": "{1} is an authored line already",
			"promote_alone":   "it followed a turn that gives no line here: no moment would mean the same",
			"promote_words":   "no choice can be made of what the player said",
			"because_braces":  "the player said braces here, which a text would fill in: they are parentheses now",
			"because_beat":    "it was said when beat {1} happened",
			"because_exit":    "it was said when exit {1} was taken",
			"because_once":    "a choice of what the player said, there once",
			"because_after":   "it came after: {1}",
			"because_cast":    "{1} is there only while: {2}",
			"because_secret":  "it tells {1}, which this unlocks: {2}",
			"because_known":   "{1} knew then: {2}",
			"because_visit":   "it was said on a visit with: {1}",
		},
		Turn: "turn %d: %s", Line: "%s  turn %d, %s", Wrote: "wrote %s: %d lines, status draft",
		DryRun:  "nothing was written; without --dry-run this would be %s",
		HowTo:   "nothing was written; --out plot/%s writes it",
		Outside: "%s reads only files of its folder plot: move the file there when it is to count",
		Spoils:  "with this file the world would have %d new errors, so nothing was written:",
	}
}

func promoteZH() Promote {
	return Promote{
		Notes: map[string]string{
			"promote_opening": "只有写好的台词，没有可提升的",
			"promote_silent":  "没有人回答",
			"promote_already": "{1} 已经是写好的台词",
			"promote_alone":   "它接着的那一轮在这里没有台词：放在哪里都不是原来的意思",
			"promote_words":   "玩家说的话做不成选项",
			"because_braces":  "玩家在这里用了花括号，写好的文字会把它填上：换成了圆括号",
			"because_beat":    "说这句时发生了情节点 {1}",
			"because_exit":    "说这句时走了出口 {1}",
			"because_once":    "玩家说的话成了一个选项，只出现一次",
			"because_after":   "它在这之后：{1}",
			"because_cast":    "{1} 只在这时在场：{2}",
			"because_secret":  "它说出了 {1}，解锁条件是：{2}",
			"because_known":   "{1} 当时知道：{2}",
			"because_visit":   "当时到访的情形：{1}",
		},
		Turn: "第 %d 轮：%s", Line: "%s  第 %d 轮，%s", Wrote: "写了 %s：%d 句台词，状态 draft",
		DryRun:  "什么也没有写；不加 --dry-run 就会写成 %s",
		HowTo:   "什么也没有写；加 --out plot/%s 就写",
		Outside: "%s 只读它 plot 文件夹里的文件：要让它生效，把文件移到那里",
		Spoils:  "有了这个文件，这个世界会多出 %d 处错误，所以什么也没有写：",
	}
}
