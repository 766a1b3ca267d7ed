package lang

// Trend is the words about what the rules find, compared with a baseline.
type Trend struct {
	Rule  string // name of the rule, hits that it had
	Lost  string // name of the rule, hits
	Worse string // name of the rule, persona, per cent then, per cent now
	Same  string
	Wrote string // file, replies
}

func trendEN() Trend {
	return Trend{Rule: "RED  %s: the rule was on and is not; %d hits of the baseline are no longer looked for", Lost: "RED  %s: no longer finds %d of its hits in the same replies",
		Worse: "RED  %s, %s: %.1f %% of replies then, %.1f %% now, intervals apart", Same: "green: nothing is worse than the baseline", Wrote: "wrote the baseline %s of %d replies"}
}

func trendZH() Trend {
	return Trend{Rule: "红  %s：这条规则原来开着，现在没有了；基线里的 %d 处不再有人查", Lost: "红  %s：在同样的回答里少找到 %d 处",
		Worse: "红  %s，%s：原来 %.1f %% 的回答，现在 %.1f %% ，区间不相交", Same: "绿：没有比基线更差的", Wrote: "写入基线 %s，共 %d 个回答"}
}
