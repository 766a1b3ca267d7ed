package lang

// Drift is the words of `fabula drift`.
type Drift struct {
	Head                                             string // world, samples read, samples, tokens, computed
	Whole, Few                                       string // how much of the distributions; count
	Engine                                           string // A or B, kind, name, precision, runtime
	Headline                                         string // persona, language, mean KL, same top in %
	Persona, Replies, Tokens, Same, Mean, P99, Ratio string // heads of columns
	First, Taboo, Slang, End                         string
	Floor                                            string // before a persona, in the rows of the floor
	Never                                            string // in place of a token
	Gates                                            string
	GateNames                                        map[string]string
	Ok, Miss                                         string
	AtLeast, AtMost                                  string // limit
	Worst                                            string // value, persona, language, floor
	Furthest                                         string
	Spot                                             string // sample, token, before, A's best, %, B's best, %, KL
	Bytes                                            string // of a token that is no whole character
	Nowhere                                          string // in place of spots
	Nearer                                           string // kind, sample, before, word, A in %, B in %
	Left                                             string // id, why
	LeftMore                                         string // how many
	FewTokens                                        string // NPCs with their tokens; needed
	Unwatched                                        string // kind, words, of them
	Legend                                           []string
	Passed, Missed                                   string // gates missed
	NotEnough                                        string // NPCs with their places; needed
	NotEnoughIn                                      string // world, when, A, NPCs with their places; needed
	Reading                                          string // persona, language, NPC, of, reply, of, places
	ReadingTokens                                    string // after it, with a limit: tokens, of
	Self                                             string // A is B
	Apart                                            string // languages that an engine is not known to speak
	// The release gate: world, when; world, when, A, gate, value, persona, limit.
	NoReport, OtherWeights, MissedIn, Override string
	// The report page: heads and lists.
	Page  DriftPage
	Kinds map[string]string
}

// DriftPage is the words of a drift report as a page.
type DriftPage struct {
	Title                                                            string // B, A
	Made, World, Set, Engines, Versions, Places, Meaning, Unmeasured string
	NotHere                                                          []string
}

var driftEN = Drift{
	Head:  "%s: %d of %d samples read, %d tokens compared, %d computed by each",
	Whole: "whole distributions", Few: "the %d likeliest tokens, the rest as one (a KL that is never too large)",
	Engine: "  %s  %s", Headline: "worst: %s (%s): KL %s nats a token, the same best token at %s %% of the places",
	Persona: "NPC", Replies: "replies", Tokens: "tokens", Same: "same top %", Mean: "mean KL", P99: "99% KL", Ratio: "perplexity B/A",
	First: "first differs", Taboo: "taboo B/A", Slang: "slang B/A", End: "end A → B %",
	Floor: "A/A %s", Never: "never", Gates: "gates (the worst NPC decides; A/A is the noise of A itself)",
	GateNames: map[string]string{"same_top": "same best token", "mean_kl": "mean KL", "p99_kl": "99% KL", "taboo_mass": "taboo mass B/A", "slang_mass": "slang mass B/A",
		"lint": "findings of free replies", "unread": "NPCs that the limit or a window left out"},
	Ok: "ok  ", Miss: "MISS", AtLeast: "at least %s", AtMost: "at most %s", Worst: "%s (%s, %s); A/A %s",
	Furthest: "furthest apart: what each would say next", Spot: "  %s, token %d, after “%s”: A %s (%s), B %s (%s), KL %s",
	Bytes: "part of a character (bytes %s)", Nowhere: "  nowhere: both expect the same at every place",
	Nearer: "  %s came nearer: %s, after “%s”: %q, A %s, B %s",
	Left:   "  not read: %s: %s", LeftMore: "  and %d more", FewTokens: "few tokens, so that the 99%% KL is the largest or nearly: %s; it wants %d: raise --limit",
	Unwatched: "%s: %d of %d words cannot be watched in this vocabulary: their first token begins other words too",
	Legend: []string{
		"same top: at how many places of the replies both like the same token best; 100 % = greedy replies are the same",
		"KL: how many nats B's prediction is off by A's own, a place; 0 = the same, 0.01 = hardly to be seen, 0.1 = another model",
		"99% KL: all but one place in a hundred are nearer; the places that break a persona are there",
		"perplexity B/A: over 1 = B finds the authored replies stranger than A does; ± is one standard error",
		"first differs: at which token of a reply, the median, B would first go another way than A",
		"taboo, slang B/A: how much more probability B gives to beginning a word that the NPC never says, or one of today; 1 = no more, or next to none",
		"end: the probability of ending the turn where the reply ends; lower in B = a taciturn NPC talks on",
	},
	Passed: "passed: B may stand in for A", Missed: "missed: %d of %d gates; B is not to stand in for A",
	NotEnough:   "not enough to say whether B may stand in for A: %s; each NPC needs %d compared places (raise --limit, give more samples, or change --least-places)",
	NotEnoughIn: "in %s (%s) against %s too little was compared to say: %s; each NPC needs %d places: measure it again on more",
	Reading:     "reading %s (%s), NPC %d of %d: reply %d of %d, %d places compared", ReadingTokens: ", %d of %d tokens", Self: "A and B are the same engine: only noise can be seen",
	Apart:        "note: not both engines are known to speak %s: the figures are of text that they hardly understand",
	Kinds:        map[string]string{"taboo": "taboo", "slang": "slang"},
	NoReport:     "no drift report: nothing is known of how far it is from what answered before; run 'fabula drift WORLD A B' with it as B",
	OtherWeights: "the drift report of %s (%s) is of other weights: the file changed since; measure it again",
	MissedIn:     "in %s (%s) against %s it missed: %s %s of %s, limit %s",
	Override:     "nothing was changed. Without --gate it is used all the same; limits of your own: 'fabula drift --mean-kl …'",
	Page: DriftPage{
		Title: "Drift of %s against %s", Made: "made", World: "world", Set: "read", Engines: "engines", Versions: "persona versions", Places: "KL by place in the reply",
		Meaning: "what the columns mean", Unmeasured: "not measured here",
		NotHere: []string{
			"sampled replies: sampler settings have no part in these figures, and no rule about voice judged free replies",
			"a judge's opinion, with its agreement on a golden set (fabula judge)",
			"raters' votes, with ties (fabula vote)",
			"time to the first token and gaps (fabula bench)",
			"memory over long talks, unless the set holds them",
		},
	},
}

var driftZH = Drift{
	Head:  "%s：读了 %d 个样本（共 %d 个），比较了 %d 个词元，每边计算 %d 个",
	Whole: "比较整个分布", Few: "只比较最可能的 %d 个词元，其余合成一项（这样的 KL 不会偏大）",
	Engine: "  %s  %s", Headline: "最差：%s（%s）：每词元 KL %s 奈特，%s %% 的位置首选词元相同",
	Persona: "角色", Replies: "回答", Tokens: "词元", Same: "首选相同 %", Mean: "平均 KL", P99: "99% KL", Ratio: "困惑度 B/A",
	First: "首次分歧", Taboo: "禁语 B/A", Slang: "网语 B/A", End: "收尾 A → B %",
	Floor: "A/A %s", Never: "从不", Gates: "门槛（由最差的角色决定；A/A 是 A 自身的噪声）",
	GateNames: map[string]string{"same_top": "首选词元相同", "mean_kl": "平均 KL", "p99_kl": "99% KL", "taboo_mass": "禁语概率 B/A", "slang_mass": "网语概率 B/A",
		"lint": "自由回答的问题", "unread": "上限没有轮到或窗口放不下的角色"},
	Ok: "通过", Miss: "未过", AtLeast: "至少 %s", AtMost: "至多 %s", Worst: "%s（%s，%s）；A/A %s",
	Furthest: "相差最大之处：两边接下来想说什么", Spot: "  %s，第 %d 个词元，在“%s”之后：A %s（%s），B %s（%s），KL %s",
	Bytes: "半个字（字节 %s）", Nowhere: "  没有：每个位置上两边预期都一样",
	Nearer: "  %s更近了：%s，在“%s”之后：%q，A %s，B %s",
	Left:   "  没有读：%s：%s", LeftMore: "  还有 %d 个", FewTokens: "词元太少，99%% KL 就是最大值或接近它：%s；要有 %d 个：请调高 --limit",
	Unwatched: "%s：这个词表里有 %d 个词看不住（共 %d 个）：首词元也是别的词的开头",
	Legend: []string{
		"首选相同：回答里多少位置上两边最看好同一个词元；100 % = 贪心回答完全一样",
		"KL：每个位置上 B 的预测比 A 偏了多少奈特；0 = 一样，0.01 = 几乎看不出，0.1 = 像另一个模型",
		"99% KL：一百个位置里九十九个比它小；毁掉人设的位置就在那里",
		"困惑度 B/A：大于 1 = B 比 A 更觉得作者写的回答陌生；± 是一个标准误差",
		"首次分歧：B 第一次要走另一条路是在回答的第几个词元（中位数）",
		"禁语、网语 B/A：B 给角色绝不说的词、或今天的网络用语的开头多少倍的概率；1 = 没有更多，或本来就几乎没有",
		"收尾：在回答结束处结束这一轮的概率；B 更低 = 话少的角色会说个没完",
	},
	Passed: "通过：B 可以代替 A", Missed: "未过：%d 道门槛（共 %d 道）；B 不能代替 A",
	NotEnough:   "还说不出 B 能不能代替 A：%s；每个角色要比较 %d 个位置（请调高 --limit、多给样本，或改 --least-places）",
	NotEnoughIn: "在 %s（%s）里对照 %s 比较得太少，说不出：%s；每个角色要 %d 个位置：请用更多样本重新测量",
	Reading:     "正在读 %s（%s），第 %d 个角色，共 %d 个：第 %d 个回答，共 %d 个，已比较 %d 个位置", ReadingTokens: "，词元 %d / %d", Self: "A 和 B 是同一个引擎：看到的只是噪声",
	Apart:        "注意：不知道两个引擎都会说 %s：这些数字说的是它们几乎看不懂的文字",
	Kinds:        map[string]string{"taboo": "禁语", "slang": "网语"},
	NoReport:     "没有漂移报告：不知道它和之前回答的引擎差多少；请把它当作 B 运行 'fabula drift WORLD A B'",
	OtherWeights: "%s（%s）的漂移报告量的是别的权重：文件后来变了；请重新测量",
	MissedIn:     "在 %s（%s）里对照 %s 没有通过：%s %s，角色 %s，限度 %s",
	Override:     "什么都没有改动。不写 --gate 仍可使用；自定限度：'fabula drift --mean-kl …'",
	Page: DriftPage{
		Title: "%s 对照 %s 的漂移", Made: "时间", World: "世界", Set: "读的样本", Engines: "引擎", Versions: "角色版本", Places: "按回答位置的 KL",
		Meaning: "各列的意思", Unmeasured: "这里没有测量的",
		NotHere: []string{
			"抽样得到的回答：采样设置与这些数字无关，也没有用口吻规则检查自由回答",
			"评判者的意见，以及它与黄金样本的一致程度（fabula judge）",
			"投票者的选择，含平局（fabula vote）",
			"首词元时间和间隔（fabula bench）",
			"长对话里的记忆，除非样本里有",
		},
	},
}
