package lang

import "strings"

// Finding words a finding of `fabula check` in a language, as Fault words a
// load fault: what is wrong, and what to do, which may be empty.
func Finding(code string, args []string, language string) (what, todo string) {
	table, terms := findingsEN(), termsEN()
	if language == "zh" || strings.HasPrefix(language, "zh-") {
		table, terms = findingsZH(), termsZH()
	}
	return worded(table, terms, code, args)
}

// Warning is the word in front of a finding that is no error.
func Warning(language string) string {
	if language == "zh" || strings.HasPrefix(language, "zh-") {
		return "警告"
	}
	return "warning"
}

// findingsEN words every finding of story/check in English.
func findingsEN() map[string]wording {
	return map[string]wording{
		"example_silent":      {what: "beat \"{1}\": the example \"{2}\" does not fire it", todo: "add a keyword that is in it, or a word of `none` is in the way"},
		"example_fires":       {what: "beat \"{1}\": the example \"{2}\" must not fire it, and does, by \"{3}\"", todo: "make the keywords narrower, or add one to `none`"},
		"leak":                {what: "\"{2}\" gives away the secret {1}, and can be read while it is locked", todo: "reword it, or let a `when` see to it that the secret is unlocked"},
		"taboo":               {what: "taboo word \"{2}\" ({1}) in a line of this persona", todo: "reword the line, or take the word off the taboo list"},
		"over_length":         {what: "{1} words; the persona's limit is {2}", todo: "shorten the text, or raise limits.words"},
		"missing_translation": {what: "field \"{1}\" has no {2} text", todo: "add `{2}:`"},
		"language_outside":    {what: "field \"{1}\": {2} is none of the world's languages ({3})", todo: "add it to `languages` in world.yaml, or correct the code"},
		"swallowed_language":  {what: "field \"{1}\": \"{2}\" became part of the text", todo: "use an ASCII colon and comma, or write one line per language"},
		"keyword_comma":       {what: "\"{1}\" is one keyword, comma included", todo: "separate keywords by an ASCII comma"},
		"never_holds":         {what: "\"{1}\" can never hold: {2} is {3}", todo: "correct the comparison, or the range of the variable"},
		"always_holds":        {what: "\"{1}\" always holds: {2} is {3}", todo: "correct the comparison, or leave it out"},
		"always_saturates":    {what: "\"{1}\" always leaves the range of {2} ({3}) and is cut", todo: "use a smaller step, or a wider range"},
		"exit_without_words":  {what: "exit \"{1}\" has neither `choice` nor `said`: it is offered under the title of its target", todo: "add `choice`, or `auto: true`, or `otherwise: true`"},
		"said_without_choice": {what: "exit \"{1}\" has `said` but no `choice`: a player has to guess it", todo: "add `choice`"},
		"dead_end":            {what: "node \"{1}\" has neither an exit nor an `ending`", todo: "add an exit, or `ending: true`"},
		"unreachable":         {what: "no exit leads to node \"{1}\"", todo: "lead an exit to it, or delete it"},
		"never_written":       {what: "variable \"{1}\" is asked for, and no effect ever changes it", todo: "add an effect, or delete the variable"},
		"never_read":          {what: "variable \"{1}\" is never asked for", todo: "use it in a condition, in `words` or in a text, or delete it"},
		"never_unlocks":       {what: "secret {1} never unlocks: \"{2}\" cannot hold", todo: "correct `unlock`; if it is meant, write `allow` with `finding: never_unlocks` into the persona"},
		"unknown_finding":     {what: "`allow` names no finding: \"{1}\"", todo: "use the code of a finding, as `check --json` shows it", near: "did you mean \"{2}\"?", at: 2},
	}
}

// findingsZH words every finding of story/check in Chinese.
func findingsZH() map[string]wording {
	return map[string]wording{
		"example_silent":      {what: "节拍“{1}”：例句“{2}”触发不了它", todo: "加上例句里有的关键词，或看看是不是被 `none` 挡住了"},
		"example_fires":       {what: "节拍“{1}”：例句“{2}”不该触发它，却因“{3}”触发了", todo: "把关键词收窄，或在 `none` 里加一个"},
		"leak":                {what: "“{2}”泄露了秘密 {1}，而未解锁时就能读到", todo: "改写它，或用 `when` 保证秘密已经解锁"},
		"taboo":               {what: "这个人物的台词里有禁词“{2}”（{1}）", todo: "改写台词，或把这个词移出禁词表"},
		"over_length":         {what: "有 {1} 字，这个人物的上限是 {2}", todo: "缩短文本，或调高 limits.words"},
		"missing_translation": {what: "字段“{1}”缺 {2} 的文本", todo: "补上 `{2}:`"},
		"language_outside":    {what: "字段“{1}”：{2} 不在这个世界的语言（{3}）里", todo: "加进 world.yaml 的 `languages`，或改正代码"},
		"swallowed_language":  {what: "字段“{1}”：“{2}”成了文本的一部分", todo: "改用半角冒号和逗号，或每种语言写一行"},
		"keyword_comma":       {what: "“{1}”连同逗号成了一个关键词", todo: "关键词之间用半角逗号"},
		"never_holds":         {what: "“{1}”永远不成立：{2} 的取值是 {3}", todo: "改正比较，或变量的范围"},
		"always_holds":        {what: "“{1}”总是成立：{2} 的取值是 {3}", todo: "改正比较，或去掉它"},
		"always_saturates":    {what: "“{1}”总会超出 {2} 的范围（{3}）而被截断", todo: "用小一些的步子，或放宽范围"},
		"exit_without_words":  {what: "出口“{1}”既没有 `choice` 也没有 `said`：只会显示目标节点的标题", todo: "加上 `choice`，或 `auto: true`，或 `otherwise: true`"},
		"said_without_choice": {what: "出口“{1}”有 `said` 没有 `choice`：玩家只能猜", todo: "加上 `choice`"},
		"dead_end":            {what: "节点“{1}”既没有出口也不是 `ending`", todo: "加一个出口，或写 `ending: true`"},
		"unreachable":         {what: "没有出口通向节点“{1}”", todo: "让一个出口通向它，或删掉它"},
		"never_written":       {what: "变量“{1}”有人问，却没有任何效果改变它", todo: "加一个效果，或删掉这个变量"},
		"never_read":          {what: "变量“{1}”从来没有人问", todo: "在条件、`words` 或文本里用它，或删掉它"},
		"never_unlocks":       {what: "秘密 {1} 永远不解锁：“{2}”不可能成立", todo: "改正 `unlock`；若是有意的，在人物里写 `allow`，`finding: never_unlocks`"},
		"unknown_finding":     {what: "`allow` 里的“{1}”不是任何检查项", todo: "用检查项的代码，见 `check --json`", near: "是不是“{2}”？", at: 2},
	}
}
