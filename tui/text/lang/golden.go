package lang

// Golden is the words of golden replies.
type Golden struct {
	Green, Red string
	What       map[string]string // why a golden reply is red, by code: its arguments
	Was, Is    string
	Sum        string // red, of
	Row        string // id, npc, words that must be in it, that must not, distance
	None       string
	Made       string // file
	Comment    string // branch, turn, engine
	Hint       string
}

func goldenEN() Golden {
	return Golden{
		Green: "green", Red: "RED  ", Was: "was", Is: "now",
		What: map[string]string{"golden_missing": "not in it: %s", "golden_told": "must not be in it: %s", "golden_voice": "the voice is %s standard deviations from the samples, at most %s",
			"golden_rule": "rule %s: %s", "golden_engine": "no reply: %s"},
		Sum: "%d of %d golden replies are red", Row: "%s  %s  must: %s  must not: %s  distance %.1f", None: "no golden replies: `fabula golden add WORLD BRANCH@N` makes one of a reply",
		Made: "wrote %s", Comment: "Starred in branch %s, turn %d, said by %s.",
		Hint: "must_know: each has to be in the reply, | divides wordings; must_not_know: none may be. Edit freely.",
	}
}

func goldenZH() Golden {
	return Golden{
		Green: "绿", Red: "红", Was: "原来", Is: "现在",
		What: map[string]string{"golden_missing": "缺少：%s", "golden_told": "不该有：%s", "golden_voice": "语气离示例台词 %s 个标准差，最多 %s",
			"golden_rule": "规则 %s：%s", "golden_engine": "没有回答：%s"},
		Sum: "红 %d 个，共 %d 个样板回答", Row: "%s  %s  须有：%s  不得有：%s  距离 %.1f", None: "没有样板回答：`fabula golden add WORLD BRANCH@N` 把一个回答做成样板",
		Made: "写入 %s", Comment: "标星于分支 %s 第 %d 轮，由 %s 说出。",
		Hint: "must_know：每一项都要出现，| 分隔几种说法；must_not_know：一项也不能出现。可随意修改。",
	}
}
