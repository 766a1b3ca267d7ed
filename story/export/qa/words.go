package qa

// Said is one wording of the report in both languages.
type Said struct{ En, Zh string }

// Words are the sentences of report.html. They live here, and not with those
// of the interface, because they are part of a document.
type Words struct {
	Skip, World, Content, Errors, NoErrors, Tree, TreeHint, Findings, FindingsHint, NoFindings,
	Latency, NoLatency, Coverage, CoverageHint, Transcripts, Level, Code, What, Where, Covered, Missed,
	Turns, Turn, Shared, Others, Branches, Replies, Alternatives, First, FirstCaption, Gaps, GapsCaption,
	Error, Warning, Info, Human, Beat, Exit, Engine Said
	Cover map[string]Said // by what is covered
}

var words = Words{
	Skip:         Said{"Skip to the content", "跳到正文"},
	World:        Said{"World", "世界"},
	Content:      Said{"content", "内容"},
	Errors:       Said{"findings at error level", "条错误"},
	NoErrors:     Said{"no finding at error level", "没有错误"},
	Tree:         Said{"Tree of the transcripts", "对话树"},
	TreeHint:     Said{"Each branch with the ones that fork from it. A dot counts findings at error level.", "每条分支下面是从它分出的分支。圆点后是错误的数目。"},
	Findings:     Said{"Findings", "检查结果"},
	FindingsHint: Said{"What the rules saw, in the order of play; the last column leads to the turn.", "按先后列出；最后一列链接到那一轮。"},
	NoFindings:   Said{"Nothing was found.", "没有发现问题。"},
	Latency:      Said{"Latency", "延迟"},
	NoLatency:    Said{"No reply came from a model.", "没有由模型生成的回复。"},
	Coverage:     Said{"Coverage", "覆盖"},
	CoverageHint: Said{"What these branches came by, of what the world has.", "这些分支到过的，占全部的多少。"},
	Transcripts:  Said{"Transcripts", "对话记录"},
	Level:        Said{"Level", "级别"},
	Code:         Said{"Code", "代码"},
	What:         Said{"What", "内容"},
	Where:        Said{"Where", "位置"},
	Covered:      Said{"Covered", "已覆盖"},
	Missed:       Said{"Missed", "未到"},
	Turns:        Said{"turns", "轮"},
	Turn:         Said{"Turn", "轮次"},
	Shared:       Said{"The beginning is that of", "开头与此分支相同："},
	Others:       Said{"other replies to the same line", "条同一句的其他回复"},
	Branches:     Said{"branches", "条分支"},
	Replies:      Said{"replies by an engine", "条引擎回复"},
	Alternatives: Said{"alternatives", "条备选"},
	First:        Said{"Time to the first token, each reply (ms)", "首字时间，每条回复（毫秒）"},
	FirstCaption: Said{"Time to the first token in milliseconds; percentiles only where there are enough replies.", "首字时间，毫秒；回复足够多时才有百分位数。"},
	Gaps:         Said{"Gaps between tokens (count by ms)", "字间间隔（按毫秒计数）"},
	GapsCaption:  Said{"Gaps between two tokens in milliseconds.", "两个词元之间的间隔，毫秒。"},
	Error:        Said{"error", "错误"},
	Warning:      Said{"warning", "警告"},
	Info:         Said{"note", "提示"},
	Human:        Said{"written by hand", "人工撰写"},
	Beat:         Said{"beat", "情节点"},
	Exit:         Said{"exit", "出口"},
	Engine:       Said{"engine", "引擎"},
	Cover: map[string]Said{
		"nodes": {"nodes", "节点"}, "exits": {"exits", "出口"}, "guards, both sides": {"conditions seen on both sides", "条件的两面"},
		"beats": {"beats", "情节点"}, "anchors": {"anchors", "必说台词"}, "lore": {"lore", "设定"},
	},
}

// ReportWords gives the sentences of the report.
func ReportWords() Words { return words }
