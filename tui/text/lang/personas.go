package lang

// Personas is the words of the screen of personas.
type Personas struct {
	Title, Empty, OneLanguage                   string
	Effective, File, Findings, History, Trying  string // panes
	ID, Speaks, Reading                         string
	Budget, Total, Reply, Left                  string
	Window                                      string // tokens
	NoWindow, And, Estimated                    string
	Counted                                     string // engine
	WhenHolds, Always, Secret, WhenTheyHold     string
	Samples                                     string // count
	NotSearched, NoFindings                     string
	Version                                     string // ordinal, replies, last
	Present, NoVersions, PressCompare, SameText string
	NoText                                      string // language
	NoVersion                                   string
	TryHint, Running                            string
	TryOn                                       string // name, seeds
	Pane, NextTab, PrevTab, Try, Edit, Versions Row
	Compare, Analyse, Language, Send, Leave     Row
}

func personasEN() Personas {
	return Personas{
		Title: "Personas", Empty: "This world has no personas yet: write some into personas/*.yaml.", OneLanguage: "this world speaks one language",
		Effective: "prompt", File: "file", Findings: "findings", History: "versions", Trying: "try",
		ID: "persona", Speaks: "speaks", Reading: "reading …",
		Budget: "Budget", Total: "fixed", Reply: "reply", Left: "left", Window: "of a window of %d tokens", NoWindow: "against 4096 tokens: no engine says how large its window is",
		And: ", ", Estimated: "estimated", Counted: "counted by %s",
		WhenHolds: "Only while it holds", Always: "always", Secret: "secret", WhenTheyHold: "each while its own condition holds", Samples: "%d more exchanges",
		NotSearched: "a looks for what is wrong.", NoFindings: "Nothing is wrong with this file.",
		Version: "v%d  replies: %d  last %s", Present: "the present one", NoVersions: "Nobody has talked with this persona yet: a version is known by the replies made with it.",
		PressCompare: "c compares the selected version with the present one.", SameText: "What reaches the model is the same.", NoText: "Nobody talked with this version in %s.",
		NoVersion: "choose one of the versions first (v)",
		TryHint:   "t tries a line: three seeds next to each other, outside the plot, in a branch of its own marked “try”.", Running: "replies are on their way: esc stops them",
		TryOn:    "A line to %s, on %d seeds",
		Pane:     Row{"pane", "From the list to the pane, and back."},
		NextTab:  Row{"panes", "The next pane: prompt, file, findings, versions, try."},
		PrevTab:  Row{"panes", "The pane before."},
		Try:      Row{"try", "Try a line on three seeds; it is kept in a sandbox branch marked “try”."},
		Edit:     Row{"edit", "Open the persona's file in $EDITOR, at the selected finding or line."},
		Versions: Row{"versions", "The versions that replies were made with."},
		Compare:  Row{"compare", "Compare the selected version with the present one."},
		Analyse:  Row{"analyse", "Look for what is wrong with the world's files."},
		Language: Row{"language", "Look at the next of the world's languages."},
		Send:     Row{"try", "Try the line."},
		Leave:    Row{"leave", "Leave the line."},
	}
}

func personasZH() Personas {
	return Personas{
		Title: "角色", Empty: "这个世界还没有角色：写进 personas/*.yaml。", OneLanguage: "这个世界只有一种语言",
		Effective: "提示词", File: "文件", Findings: "问题", History: "版本", Trying: "试话",
		ID: "角色", Speaks: "说", Reading: "正在读……",
		Budget: "预算", Total: "固定", Reply: "回答", Left: "剩下", Window: "窗口共 %d 词元", NoWindow: "按 4096 词元算：没有引擎说明窗口大小",
		And: "，", Estimated: "估算", Counted: "由 %s 计数",
		WhenHolds: "条件成立时才有", Always: "总有", Secret: "秘密", WhenTheyHold: "各看各的条件", Samples: "另有 %d 组对话",
		NotSearched: "按 a 查哪里不对。", NoFindings: "这个文件没有问题。",
		Version: "v%d  回答 %d  最近 %s", Present: "现在的", NoVersions: "还没人和这个角色说过话：版本从用它作的回答里得知。",
		PressCompare: "按 c 把选中的版本和现在的比较。", SameText: "送到模型的内容相同。", NoText: "没人用%s和这个版本说过话。",
		NoVersion: "先选一个版本（v）",
		TryHint:   "按 t 试一句话：三个种子并排，不进剧情，存在标着 try 的分支里。", Running: "正在回答：esc 停",
		TryOn:    "对%s说一句，%d 个种子",
		Pane:     Row{"进出", "在列表和右栏之间来回。"},
		NextTab:  Row{"换栏", "下一栏：提示词、文件、问题、版本、试话。"},
		PrevTab:  Row{"换栏", "上一栏。"},
		Try:      Row{"试话", "用三个种子试一句话；存在标着 try 的沙盒分支里。"},
		Edit:     Row{"编辑", "用 $EDITOR 打开角色的文件，停在选中的问题或行。"},
		Versions: Row{"版本", "作过回答的各个版本。"},
		Compare:  Row{"比较", "把选中的版本和现在的比较。"},
		Analyse:  Row{"分析", "查世界的文件哪里不对。"},
		Language: Row{"语言", "换成这个世界的下一种语言看。"},
		Send:     Row{"试", "试这句话。"},
		Leave:    Row{"不试了", "放下这句话。"},
	}
}
