package lang

// Calibrate is the words of `fabula calibrate`.
type Calibrate struct {
	Draw     string // id, samples, by quota, diverse, hard, file
	Holdout  string // id, samples, file
	Lengths  string // characters of prompts, median and most, and of replies
	Strata   string // how many, with fewer than two in the first draw
	From     string // style samples, lines, replies, simulated replies
	Left     string // near-duplicates, simulated, edited
	Unplayed string
	Next     string // folder
}

var calibrateEN = Calibrate{
	Draw:     "%s  %d samples: %d by quota, %d least like the rest, %d hard; %s",
	Holdout:  "%s  %d samples held out, none of them in a draw; %s",
	Lengths:  "prompts of %d characters (half of them shorter), at most %d; replies of %d, at most %d",
	Strata:   "%d strata of NPC, stage, depth, language, length and what is special; %d have one sample only",
	From:     "from %d style samples, %d authored lines, %d replies that were played, %d simulated ones",
	Left:     "left out: %d near-duplicates, %d simulated, %d edited by hand",
	Unplayed: "nothing was played in this world yet: the set knows authored text only, and no long talks",
	Next:     "an engine that was built with it is judged on what was held out: fabula drift WORLD A B --set %s",
}

var calibrateZH = Calibrate{
	Draw:     "%s  %d 个样本：按配额 %d 个，与其余最不像的 %d 个，难的 %d 个；%s",
	Holdout:  "%s  留出 %d 个样本，哪次抽样里都没有；%s",
	Lengths:  "提示 %d 字符（中位数），最长 %d；回答 %d，最长 %d",
	Strata:   "按角色、剧情阶段、对话深度、语言、长度和特殊内容分 %d 层；其中 %d 层只有一个样本",
	From:     "来自 %d 个风格样例，%d 句写好的台词，%d 个玩出来的回答，%d 个模拟的回答",
	Left:     "没有用：近似重复 %d 个，模拟 %d 个，手改 %d 个",
	Unplayed: "这个世界还没有玩过：样本只有写好的文字，没有长对话",
	Next:     "用它构建的引擎，要在留出的样本上检验：fabula drift WORLD A B --set %s",
}
