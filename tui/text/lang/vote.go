package lang

// Vote is the words of blind votes, on the screen and on the command line.
type Vote struct {
	Title, You, Left, Right, Before string
	Questions                       map[string]string // by vote.Question
	Item                            string            // number, of
	Ask, NotUnderstood              string            // letters for all questions
	Done, Undone, NoUndo, Half      string
	Tie, Skip, Undo, Answer, Leave  Row
	ChooseLeft, ChooseRight         Row
	Begin                           Row
	Voter                           string // name, done, of
	Finished, Send                  string // file
	KeyElsewhere, NoBatch           string
	Made                            string            // id, items, scenes, planned
	Equal, LeftOut                  string            // count
	Mail, KeyStays                  string            // file
	Merged                          string            // voter, votes, new
	Batch                           string            // id, when, items, ballots
	Head                            string            // id, scenes, equal, planned, margin in points
	Result                          string            // question, B, A, wins, decisive, percent, low, high, ties
	NoResult                        string            // question, B, A, ties
	ByScene                         string            // low, high
	Sign                            string            // p, Holm
	Standing                        map[string]string // margin in points
	Verdict                         map[string]string // A, B
	More                            string            // at the share, least
	MoreFar                         string            // least
	Provisional                     string            // planned
	VoterGood                       string            // name, votes, same seen as same, of, consistent, of
	VoterVoid                       string            // name, seen, of
	Leans                           string            // left, right
	Agreement                       string            // question, alpha, low, high, items
	AgreementLow                    string
	Ranking                         string            // question
	Unranked                        string            // question
	Faults                          map[string]string // by code of story/lab/vote; arguments in order
	Tags                            string
	Reasons                         map[string]string
}

func voteEN() Vote {
	return Vote{
		Title: "Blind vote", You: "You", Left: "LEFT", Right: "RIGHT", Before: "before",
		Questions: map[string]string{"immersion": "Which one draws you in?", "character": "In which one are they themselves?", "overall": "Which one would you ship?"},
		Item:      "item %d of %d",
		Ask:       "three letters, one a question: l left, r right, t no difference; then #reasons if you like. u takes the last vote back, q leaves: ", NotUnderstood: "%q: three of l, r and t, as in lrt; or u, or q",
		Done: "voted", Undone: "the last vote was taken back", NoUndo: "there is no vote to take back", Half: "this item is not fully answered: it will be asked again",
		ChooseLeft: Row{"left", "The left side, for the question that is marked."}, ChooseRight: Row{"right", "The right side, for the question that is marked."},
		Tie: Row{"no difference", "No difference, for the question that is marked."}, Skip: Row{"show all", "Show both sides whole at once."},
		Undo: Row{"undo", "Take back the last answer, or the last vote."}, Answer: Row{"reason", "Give a reason by its number, or take it back; this is optional."}, Leave: Row{"leave", "Leave the vote; it goes on where you left it."},
		Begin: Row{"blind vote", "Vote on what is compared, or on the newest batch: sides and names are hidden."},
		Voter: "%s, %d of %d", Finished: "All items are voted on.", Send: "your votes: %s",
		KeyElsewhere: "Whose sides are whose is known to who made the batch: send the file with your votes there.", NoBatch: "no batch yet; 'fabula vote new' makes one, or compare two branches first",
		Made: "batch %s: %d items; scenes to be voted on: %d; %d decisive votes planned a question", Equal: "pairs left out because both said the same: %d", LeftOut: "turns not shown, beyond --turns or from a broken-off reply on: %d",
		Mail: "mail this to voters: %s", KeyStays: "keep this to yourself until all have voted: %s",
		Merged: "%s: votes %d, new %d", Batch: "%s  %s  items %d, ballots %d",
		Head:     "batch %s; scenes: %d, pairs left out as the same: %d; decisive votes planned a question: %d, margin %s points",
		Result:   "%s\n  %s over %s: %d of %d decisive votes, %.0f %% (%.0f–%.0f %%), no difference %d",
		NoResult: "%s\n  %s over %s: no decisive vote yet, no difference %d",
		ByScene:  "  drawn anew by scene %.0f–%.0f %%", Sign: "  exact sign test p = %.3f, over all questions %.3f",
		Standing:    map[string]string{"not_worse": "not shown worse by more than %s points: holds", "worse": "shown worse by more than %s points", "open": "not enough votes to say whether it is worse by %s points"},
		Verdict:     map[string]string{"undecided": "undecided between %s and %s", "first": "%[2]s is preferred to %[1]s", "second": "%[1]s is preferred to %[2]s"},
		More:        "  further decisive votes that decide at this share: %d; the fewest that change the verdict, all one way: %d",
		MoreFar:     "  the fewest further decisive votes that change the verdict, all one way: %d",
		Provisional: "  not final: %d decisive votes were planned, and those to come may still turn it",
		VoterGood:   "%s: votes %d; the same seen as the same %d of %d; steady in %d of %d repeats",
		VoterVoid:   "%s: VOID, saw a difference in %d of %d items with the same on both sides; no vote counts",
		Leans:       "  leans to one side: left %d, right %d",
		Agreement:   "%s voters agree by α = %.2f (%.2f–%.2f) over %d items", AgreementLow: "  under 0.3: the question is not clear, mend it and not the model",
		Ranking: "%s strengths, 0 in the middle, with standard errors:", Unranked: "%s no strengths: some candidates only won, or were not compared",
		Faults: map[string]string{
			"vote.format": "not a file of the kind %s", "vote.line": "this line is not one that fabula wrote", "vote.edited": "the file is not as it was written: this line, or one before it, was changed; ask for it anew",
			"vote.batch": "votes on the batch %s, not on %s", "vote.item": "a vote on %s, which the batch does not have", "vote.twice": "a second vote on %s", "vote.undo": "takes back a vote on %s that was not the last",
			"vote.answer": "%s is not answered to every question", "vote.voter": "%q cannot be a voter's name: letters, digits, - and _, up to 40", "vote.other": "%s has other votes in %s already; nobody is counted twice",
			"vote.key": "not the key of the batch %s", "vote.changed": "another program votes in this file; leave it there, then go on here",
		},
		Tags: "reasons", Reasons: map[string]string{"flat": "flat", "voice": "wrong voice", "modern": "too modern", "forgets": "forgets", "repeats": "repeats"},
	}
}

func voteZH() Vote {
	return Vote{
		Title: "盲投", You: "你", Left: "左", Right: "右", Before: "此前",
		Questions: map[string]string{"immersion": "哪一边更让你入戏？", "character": "哪一边更像角色本人？", "overall": "哪一边你会发布？"},
		Item:      "第 %d 项，共 %d 项",
		Ask:       "三个字母，每题一个：l 左，r 右，t 没有差别；之后可加 #理由。u 收回上一票，q 离开：", NotUnderstood: "%q：请写三个 l、r 或 t，如 lrt；或 u，或 q",
		Done: "已投", Undone: "上一票已收回", NoUndo: "没有可收回的票", Half: "这一项还没答完：下次会重新问",
		ChooseLeft: Row{"左", "有标记的一题选左边。"}, ChooseRight: Row{"右", "有标记的一题选右边。"},
		Tie: Row{"没差别", "有标记的一题没有差别。"}, Skip: Row{"全部显示", "两边立刻全部显示。"},
		Undo: Row{"撤销", "收回上一个回答，或上一票。"}, Answer: Row{"理由", "按编号给出或去掉理由，可以不给。"}, Leave: Row{"离开", "离开投票；下次从这里继续。"},
		Begin: Row{"盲投", "给正在比较的两边投票，或投最新的一批：边和名字都藏起来。"},
		Voter: "%s，%d / %d", Finished: "所有项都投完了。", Send: "你的票：%s",
		KeyElsewhere: "哪一边是谁，只有出题的人知道：请把你的票寄给他。", NoBatch: "还没有投票批次；用 'fabula vote new' 建一个，或先比较两个分支",
		Made: "批次 %s：%d 项，其中 %d 个场景要投；每题计划 %d 张分出高下的票", Equal: "两边说得一样而略去的：%d", LeftOut: "没有显示的轮数（超出 --turns，或在中断的回复之后）：%d",
		Mail: "把这个文件寄给投票人：%s", KeyStays: "大家投完之前，这个文件自己留着：%s",
		Merged: "%s：%d 票，新增 %d", Batch: "%s  %s  %d 项，%d 份选票",
		Head:     "批次 %s：%d 个场景，%d 对因相同而略去；每题计划 %d 张分出高下的票，容限 %s 个百分点",
		Result:   "%s\n  %s 对 %s：%d 胜，共 %d 张分出高下的票，%.0f %% (%.0f–%.0f %%), 没有差别 %d",
		NoResult: "%s\n  %s 对 %s：还没有分出高下的票，没有差别 %d",
		ByScene:  "  按场景重抽 %.0f–%.0f %%", Sign: "  精确符号检验 p = %.3f，合计各题后 %.3f",
		Standing:    map[string]string{"not_worse": "没有差到超过 %s 个百分点：成立", "worse": "差了超过 %s 个百分点", "open": "票数还不够，说不出是否差 %s 个百分点"},
		Verdict:     map[string]string{"undecided": "%s 与 %s 未分高下", "first": "%[2]s 胜过 %[1]s", "second": "%[1]s 胜过 %[2]s"},
		More:        "  按目前比例还要 %d 张分出高下的票才能定；最少 %d 张全投一边就会改变结果",
		MoreFar:     "  最少 %d 张分出高下的票全投一边就会改变结果",
		Provisional: "  还不是最终结果：计划是 %d 张分出高下的票，余下的还可能翻转",
		VoterGood:   "%s：%d 票；相同项认作相同 %d / %d；重复项前后一致 %d / %d",
		VoterVoid:   "%s：作废，%d 项（共 %d 项）两边相同却说有差别；他的票都不算",
		Leans:       "  偏向一边：左 %d，右 %d",
		Agreement:   "%s 投票人一致度 α = %.2f（%.2f–%.2f），%d 项", AgreementLow: "  低于 0.3：题目不清楚，该改的是题目，不是模型",
		Ranking: "%s 强弱，中间为 0，附标准误：", Unranked: "%s 排不出强弱：有的只赢不输，或没有比过",
		Faults: map[string]string{
			"vote.format": "不是 %s 这种文件", "vote.line": "这一行不是 fabula 写的", "vote.edited": "文件被改过：这一行或前面的行与写下时不同；请重新要一份",
			"vote.batch": "投的是批次 %s，不是 %s", "vote.item": "投了 %s，批次里没有这一项", "vote.twice": "对 %s 投了两次", "vote.undo": "收回的 %s 不是最后一票",
			"vote.answer": "%s 没有回答全部问题", "vote.voter": "%q 不能作投票人的名字：只用文字、数字、- 和 _，最多 40 个", "vote.other": "%s 在 %s 里已有另外的票；一个人不会算两次",
			"vote.key": "不是批次 %s 的钥匙", "vote.changed": "另一个程序正在这个文件里投票；先离开那边，再在这里继续",
		},
		Tags: "理由", Reasons: map[string]string{"flat": "平淡", "voice": "口吻不对", "modern": "太现代", "forgets": "忘事", "repeats": "重复"},
	}
}
