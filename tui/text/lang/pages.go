package lang

// Page is a screen's name on its tab, and the row of the key that leads there.
type Page struct {
	Tab string
	Row
}

// Pages names every screen.
type Pages struct {
	World, Personas, Plot, Chat, Tree, Runs, Engine Page
	Compare, Export                                 Page // over another screen
	Promotion                                       Page
}

func pagesEN() Pages {
	return Pages{
		World:     Page{"World", Row{"world", "What the world holds, its branches, its faults."}},
		Personas:  Page{"Personas", Row{"personas", "Who the NPCs are: their text, what of it reaches the model, what is wrong with it."}},
		Plot:      Page{"Plot", Row{"plot", "The nodes of the story, what leads where and what play came to."}},
		Chat:      Page{"Chat", Row{"chat", "Talk."}},
		Tree:      Page{"Tree", Row{"tree", "Every turn ever taken, as a tree."}},
		Runs:      Page{"Runs", Row{"runs", "Playtests: what they tried, what failed, where."}},
		Engine:    Page{"Engine", Row{"engine", "Who answers: engines, what they cost in time, and which one serves."}},
		Promotion: Page{"Promote", Row{"promoted lines", "Recorded replies as authored lines, and the file that would hold them."}},
		Compare:   Page{"Compare", Row{"compare branches", "Two branches next to each other, word by word."}},
		Export:    Page{"Export", Row{"export dialog", "Write what was played, or the plot, for other programs."}},
	}
}

func pagesZH() Pages {
	return Pages{
		World:     Page{"世界", Row{"世界", "世界里有什么、有哪些分支、有什么错误。"}},
		Personas:  Page{"角色", Row{"角色", "角色是谁：他们的设定、其中哪些送到模型、哪里不对。"}},
		Plot:      Page{"剧情", Row{"剧情", "故事的节点：从哪里到哪里，玩到过哪些。"}},
		Chat:      Page{"对话", Row{"对话", "去说话。"}},
		Tree:      Page{"分支树", Row{"分支树", "走过的每一轮，画成一棵树。"}},
		Runs:      Page{"试玩", Row{"试玩", "自动试玩：试了什么、哪里失败。"}},
		Engine:    Page{"引擎", Row{"引擎", "由谁回答：各个引擎、它们要多久、现在用哪一个。"}},
		Promotion: Page{"提升", Row{"提升的台词", "录下的回复作为写好的台词，连同会写的文件。"}},
		Compare:   Page{"比较", Row{"比较分支", "并排逐词看两个分支。"}},
		Export:    Page{"导出", Row{"导出对话框", "把玩过的内容或剧情写给别的程序用。"}},
	}
}
