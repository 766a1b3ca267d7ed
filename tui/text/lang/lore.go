package lang

// Lore is the words about which lore a line calls.
type Lore struct {
	Why       map[string]string // why an entry is not in the prompt
	Where     map[string]string // texts in which keys are found
	Called    string
	Constant  string
	Cut       string // why: it was called, and left out
	By        string // entry whose text called it
	Key       string // key, words, where, byte, character
	Secondary string // the same of a secondary key
	Tokens    string // number
	Same      string // the prompt is the same without the entry
}

func loreEN() Lore {
	return Lore{
		Why: map[string]string{"not_known": "not known to the NPC", "condition": "its condition does not hold", "no_key": "no key is named",
			"not_all": "not all of its keys are named", "no_secondary": "a key is named, but none of the secondary ones",
			"locked": "it names a locked secret", "share": "no room in lore's share of the window", "window": "no room in the window", "asked": "left out on request"},
		Where:  map[string]string{"line": "the line", "opening": "what was said before the reply"},
		Called: "called", Constant: "always there", Cut: "called, but left out: %s", By: "by the text of %s",
		Key: "key %s: “%s” in %s, byte %d, character %d", Secondary: "secondary key %s: “%s” in %s, byte %d, character %d",
		Tokens: "%d tokens", Same: "the prompt is the same without it",
	}
}

func loreZH() Lore {
	return Lore{
		Why: map[string]string{"not_known": "这个 NPC 不知道", "condition": "条件不成立", "no_key": "没提到关键词",
			"not_all": "关键词没有全提到", "no_secondary": "提到了关键词，但没提到次要关键词",
			"locked": "里面有未解锁的秘密", "share": "超出设定在窗口里的份额", "window": "窗口里放不下", "asked": "按要求去掉"},
		Where:  map[string]string{"line": "这句话", "opening": "回复之前说的话"},
		Called: "触发", Constant: "一直都在", Cut: "触发了，但没放进去：%s", By: "由 %s 的正文触发",
		Key: "关键词 %s：“%s”，在%s，第 %d 字节，第 %d 字", Secondary: "次要关键词 %s：“%s”，在%s，第 %d 字节，第 %d 字",
		Tokens: "%d 个词元", Same: "去掉它，提示不变",
	}
}
