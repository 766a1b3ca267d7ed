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
		"unseen_character":    {what: "field \"{1}\" holds characters that nobody sees: {2}", todo: "take them out: no export carries control characters; others can be written as escapes in double quotes, with this finding allowed"},
		"language_outside":    {what: "field \"{1}\": {2} is none of the world's languages ({3})", todo: "add it to `languages` in world.yaml, or correct the code"},
		"swallowed_language":  {what: "field \"{1}\": \"{2}\" became part of the text", todo: "use an ASCII colon and comma, or write one line per language"},
		"keyword_comma":       {what: "\"{1}\" is one keyword, comma included", todo: "separate keywords by an ASCII comma"},
		"never_holds":         {what: "\"{1}\" can never hold: {2} is {3}", todo: "correct the comparison, or the range of the variable"},
		"always_holds":        {what: "\"{1}\" always holds: {2} is {3}", todo: "correct the comparison, or leave it out"},
		"always_saturates":    {what: "\"{1}\" always leaves the range of {2} ({3}) and is cut", todo: "use a smaller step, or a wider range"},
		"exit_without_words":  {what: "exit \"{1}\" has neither `choice` nor `said`: it is offered under the title of its target", todo: "add `choice`, or `auto: true`, or `otherwise: true`"},
		"said_without_choice": {what: "exit \"{1}\" has `said` but no `choice`: a player has to guess it", todo: "add `choice`"},
		"never_said":          {what: "\"{1}\" waits for words that can never be said: each of them holds one that `none` forbids", todo: "take that word out of `none`, or change the wording"},
		"dead_end":            {what: "node \"{1}\" has neither an exit nor an `ending`", todo: "add an exit, or `ending: true`"},
		"unreachable":         {what: "no exit leads to node \"{1}\"", todo: "lead an exit to it, or delete it"},
		"never_written":       {what: "variable \"{1}\" is asked for, and no effect ever changes it", todo: "add an effect, or delete the variable"},
		"never_read":          {what: "variable \"{1}\" is never asked for", todo: "use it in a condition, in `words` or in a text, or delete it"},
		"never_unlocks":       {what: "secret {1} never unlocks: \"{2}\" cannot hold", todo: "correct `unlock`; if it is meant, write `allow` with `finding: never_unlocks` into the persona"},
		"unknown_finding":     {what: "`allow` names no finding: \"{1}\"", todo: "use the code of a finding, as `check --json` shows it", near: "did you mean \"{2}\"?", at: 2},
		"unreached":           {what: "node \"{1}\" is never reached; the nearest exit is {2}", todo: "see who can take that exit, and when", some: "node \"{1}\" is never reached: exit {2} needs \"{3}\", which never holds", near: "let something make \"{3}\" hold, or change the condition", at: 3},
		"never_true":          {what: "\"{1}\" never holds when it is asked", todo: "change it, or let something make it hold", some: "\"{1}\" never holds when it is asked: \"{2}\" never does", near: "let something make \"{2}\" hold, or change the condition", at: 2},
		"never_true.together": {what: "\"{1}\" never holds when it is asked: each of its parts does, but never all together", todo: "change it, or what should make them hold together"},
		"always_true":         {what: "\"{1}\" holds whenever it is asked", todo: "leave it out, or see why it never fails"},
		"stuck":               {what: "node \"{1}\": play can get stuck here; closed: {2}", todo: "add an exit with `otherwise: true`, or let talk open one"},
		"exhausted":           {what: "node \"{1}\": in visit {2} everything that can be done once has been done, and play is stuck; closed: {3}", todo: "add an exit with `otherwise: true`, or one that can be taken again"},
		"trap":                {what: "from node \"{1}\" no ending can be reached any more; play stays in {2}", todo: "add a way out, or an `ending`"},
		"auto_cycle":          {what: "exits lead round by themselves, without the player choosing anything: {1}", todo: "let one of them wait for a choice or a condition that changes"},
		"never_fires":         {what: "beat \"{1}\" can never fire: {2} never speaks here while it could", todo: "change `speaker`, or bring them into the cast"},
		"never_fires.ending":  {what: "beat \"{1}\" can never fire: its node is an ending, and an epilogue has no beats", todo: "move it to a node before, or delete it"},
		"never_taken":         {what: "exit \"{1}\" is never taken", todo: "see what takes its place, or delete it", some: "exit \"{1}\" is never taken: after its effects its target never lets in: \"{2}\"", near: "change that condition, or the effects", at: 2},
		"never_taken.auto":    {what: "exit \"{1}\" never takes itself: nobody is there to reply, or another `auto` exit comes first", todo: "put somebody into the cast, or change the order of the exits"},
		"anchor_unreached":    {what: "anchor \"{1}\" can never be said: {2} never speaks in this node while it is asked for", todo: "bring {2} into the cast, or change `by` or `when`"},
		"constant":            {what: "variable \"{1}\" is always {2} where anything asks for it", todo: "see why its effects come too late or never, or delete it"},
		"not_proven":          {what: "not proven: {1} {2} {3}", todo: "look at this by hand"},
		"not_proven.states":   {what: "not proven: the search stopped after {2} states; what never happens in them may happen later", todo: "raise --states, or give variables smaller ranges"},
		"not_proven.counters": {what: "not proven: two counters without an end are compared ({3}); they were followed to {2}", todo: "compare each with a number"},
		"not_proven.beats":    {what: "not proven: more than {2} beats can fire at once in node \"{3}\"; they were tried one at a time", todo: "give some of them a `when`"},
		"not_proven.asked":    {what: "not proven: conditions of lines and prompts that may never or always hold: {2}; looking would take too many states", todo: "raise --states, or let them ask for less"},
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
		"unseen_character":    {what: "字段“{1}”含有看不见的字符：{2}", todo: "去掉它们：控制字符无法导出；其他字符确实需要时，在双引号里写成转义，并允许此项"},
		"language_outside":    {what: "字段“{1}”：{2} 不在这个世界的语言（{3}）里", todo: "加进 world.yaml 的 `languages`，或改正代码"},
		"swallowed_language":  {what: "字段“{1}”：“{2}”成了文本的一部分", todo: "改用半角冒号和逗号，或每种语言写一行"},
		"keyword_comma":       {what: "“{1}”连同逗号成了一个关键词", todo: "关键词之间用半角逗号"},
		"never_holds":         {what: "“{1}”永远不成立：{2} 的取值是 {3}", todo: "改正比较，或变量的范围"},
		"always_holds":        {what: "“{1}”总是成立：{2} 的取值是 {3}", todo: "改正比较，或去掉它"},
		"always_saturates":    {what: "“{1}”总会超出 {2} 的范围（{3}）而被截断", todo: "用小一些的步子，或放宽范围"},
		"exit_without_words":  {what: "出口“{1}”既没有 `choice` 也没有 `said`：只会显示目标节点的标题", todo: "加上 `choice`，或 `auto: true`，或 `otherwise: true`"},
		"said_without_choice": {what: "出口“{1}”有 `said` 没有 `choice`：玩家只能猜", todo: "加上 `choice`"},
		"never_said":          {what: "“{1}”等的话谁也说不成：每种说法里都有 `none` 禁止的词", todo: "把那个词移出 `none`，或改说法"},
		"dead_end":            {what: "节点“{1}”既没有出口也不是 `ending`", todo: "加一个出口，或写 `ending: true`"},
		"unreachable":         {what: "没有出口通向节点“{1}”", todo: "让一个出口通向它，或删掉它"},
		"never_written":       {what: "变量“{1}”有人问，却没有任何效果改变它", todo: "加一个效果，或删掉这个变量"},
		"never_read":          {what: "变量“{1}”从来没有人问", todo: "在条件、`words` 或文本里用它，或删掉它"},
		"never_unlocks":       {what: "秘密 {1} 永远不解锁：“{2}”不可能成立", todo: "改正 `unlock`；若是有意的，在人物里写 `allow`，`finding: never_unlocks`"},
		"unknown_finding":     {what: "`allow` 里的“{1}”不是任何检查项", todo: "用检查项的代码，见 `check --json`", near: "是不是“{2}”？", at: 2},
		"unreached":           {what: "节点“{1}”永远走不到；最近的出口是 {2}", todo: "看看谁能走那个出口，什么时候", some: "节点“{1}”永远走不到：出口 {2} 要“{3}”，而它从不成立", near: "让什么使“{3}”成立，或改条件", at: 3},
		"never_true":          {what: "问到“{1}”时它从不成立", todo: "改它，或让什么使它成立", some: "问到“{1}”时它从不成立：“{2}”从不成立", near: "让什么使“{2}”成立，或改条件", at: 2},
		"never_true.together": {what: "问到“{1}”时它从不成立：各部分都成立过，却从不同时", todo: "改它，或让它们能同时成立"},
		"always_true":         {what: "每次问到“{1}”它都成立", todo: "去掉它，或看看它为什么从不落空"},
		"stuck":               {what: "节点“{1}”：会卡在这里；关着的：{2}", todo: "加一个 `otherwise: true` 的出口，或让谈话能打开一个"},
		"exhausted":           {what: "节点“{1}”：第 {2} 次来时，只能做一次的都做完了，卡住了；关着的：{3}", todo: "加一个 `otherwise: true` 的出口，或一个能再走的"},
		"trap":                {what: "从节点“{1}”起再也到不了结局；只能在 {2} 里打转", todo: "加一条出路，或写 `ending`"},
		"auto_cycle":          {what: "出口自己绕圈，玩家什么也没选：{1}", todo: "让其中一个等玩家选，或等会变的条件"},
		"never_fires":         {what: "节拍“{1}”永远触发不了：能触发时 {2} 从不在这里说话", todo: "改 `speaker`，或让他们在场"},
		"never_fires.ending":  {what: "节拍“{1}”永远触发不了：它所在的节点是结局，尾声里没有节拍", todo: "移到前面的节点，或删掉它"},
		"never_taken":         {what: "出口“{1}”从来没人走", todo: "看看是什么抢了先，或删掉它", some: "出口“{1}”从来没人走：做完它的效果后，目标从不放行：“{2}”", near: "改那个条件，或改效果", at: 2},
		"never_taken.auto":    {what: "出口“{1}”从不自己走：没有人在场回答，或别的 `auto` 出口抢了先", todo: "让谁在场，或调整出口的顺序"},
		"anchor_unreached":    {what: "锚点“{1}”永远说不出来：需要它时 {2} 从不在这个节点里说话", todo: "让 {2} 在场，或改 `by` 或 `when`"},
		"constant":            {what: "变量“{1}”在有人问的地方总是 {2}", todo: "看看它的效果为什么来得太晚或从不来，或删掉它"},
		"not_proven":          {what: "未证明：{1} {2} {3}", todo: "请人工看一看"},
		"not_proven.states":   {what: "未证明：看了 {2} 个状态就停了；里面没发生的，后面也许会发生", todo: "调高 --states，或缩小变量的范围"},
		"not_proven.counters": {what: "未证明：比较了两个没有上限的计数（{3}）；只跟到 {2}", todo: "各自和一个数比较"},
		"not_proven.beats":    {what: "未证明：节点“{3}”里能同时触发的节拍超过 {2} 个；只一个一个地试了", todo: "给其中一些加上 `when`"},
		"not_proven.asked":    {what: "未证明：台词和提示词里有 {2} 个条件也许永远或从不成立；要看的状态太多", todo: "调高 --states，或让它们少问一些"},
	}
}
