package lang

// Judge is the words of `fabula judge`: opinions, which are never shown as
// findings.
type Judge struct {
	Flaws    map[string]string // names of flaws
	Controls map[string]string // sorts of controls
	By       string            // judge, its provenance, wording, seed
	Asked    string            // replies, controls
	Kin      string            // model
	Void     string            // missed, of
	Missed   string            // sort, persona, its words, what was got wrong
	Unjudged string            // what a void batch means
	Flaw     string            // title of the table
	Speaker  string            // title of the table of guesses
	Own      string            // rate of right guesses of authored lines
	Chance   string            // share
	Pairs    string            // n, first, other, ties, share of the first place
	Steady   string            // share
	NoFlaw   string
	Trust    string // kappa, labelled lines
	Distrust string // kappa, labelled lines
	NoTrust  string
	Stored   string // file
}

func judgeEN() Judge {
	return Judge{
		Flaws: map[string]string{"machine_talk": "speaks as a machine", "knows_too_much": "knows too much", "modern": "modern", "trait_flip": "against its nature",
			"out_of_voice": "not its words", "acts_for_player": "acts for the player", "ignores_player": "passes over the player", "agrees_easily": "agrees too easily",
			"lectures": "lectures", "names_feelings": "names its feelings"},
		Controls: map[string]string{"good": "an author's own line", "planted": "a planted violation", "label": "a labelled line", "twin": "the same line twice", "broken": "an author's line against a broken one"},
		By:       "judge %s (%s), wording %d, seed %d",
		Asked:    "%d replies judged, with %d lines among them whose answer is known",
		Kin:      "judge and judged are both %s: a model likes its own kind, so read the scores with care",
		Void:     "VOID: the judge got %d of %d known lines wrong",
		Missed:   "  %s, %s: “%s”: %s",
		Unjudged: "Nothing is concluded from this batch. Take a larger model with --by, or another one.",
		Flaw:     "Opinions: replies in which the judge sees a flaw (1 blemish, 5 breaks the character)",
		Speaker:  "Opinions: replies that the judge gives to the right NPC, names taken out",
		Own:      "the authors' own lines",
		Chance:   "by chance %.0f %%",
		Pairs:    "Opinions: %d pairs, the first better in %d, the other in %d, %d ties (the orders disagree); %.0f %% for whatever is listed first",
		Steady:   "answered alike in both orders: %.0f %%",
		NoFlaw:   "no flaw seen",
		Trust:    "agreement with people: κ %.2f on %d labelled lines",
		Distrust: "the judge is not to be trusted here: κ %.2f with people on %d labelled lines, less than 0.40",
		NoTrust:  "how far people agree with this judge is not known: no golden labels (fabula schema golden)",
		Stored:   "kept in %s",
	}
}

func judgeZH() Judge {
	return Judge{
		Flaws: map[string]string{"machine_talk": "像机器说话", "knows_too_much": "知道得太多", "modern": "现代腔", "trait_flip": "违背本性",
			"out_of_voice": "不是他的话", "acts_for_player": "替玩家行动", "ignores_player": "不理玩家", "agrees_easily": "太容易答应",
			"lectures": "说教", "names_feelings": "直说感情"},
		Controls: map[string]string{"good": "作者自己的台词", "planted": "埋进去的破绽", "label": "有人标注的台词", "twin": "同一句台词两遍", "broken": "作者的台词对坏台词"},
		By:       "评判者 %s（%s），问法 %d，种子 %d",
		Asked:    "评判了 %d 个回答，其中混有 %d 句答案已知的台词",
		Kin:      "评判者和被评判者都是 %s：模型偏爱同类，看分数要留心",
		Void:     "作废：评判者在已知答案的台词上错了 %d 句，共 %d 句",
		Missed:   "  %s，%s：“%s”：%s",
		Unjudged: "这一批不作任何结论。请用 --by 换更大的模型，或换另一个。",
		Flaw:     "意见：评判者认为有毛病的回答（1 小瑕疵，5 毁了角色）",
		Speaker:  "意见：去掉名字后，评判者认对了说话人的回答",
		Own:      "作者自己的台词",
		Chance:   "乱猜 %.0f %%",
		Pairs:    "意见：%d 对，前者更好 %d，后者更好 %d，平 %d（两种顺序不一致）；%.0f %% 给了排在前面的",
		Steady:   "两种顺序答得一样：%.0f %%",
		NoFlaw:   "没看出毛病",
		Trust:    "与人的一致程度：κ %.2f，%d 句有人标注",
		Distrust: "这里不能信这个评判者：与人的 κ 为 %.2f（%d 句有人标注），低于 0.40",
		NoTrust:  "不知道人是否同意这个评判者：没有人工标注（fabula schema golden）",
		Stored:   "存在 %s",
	}
}
