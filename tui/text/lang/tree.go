package lang

// Tree is the words of the tree screen.
type Tree struct {
	Title, Empty, Opening, Here string
	Counts                      string // playthroughs, turns, alternatives
	Deleted, Restored           string // branch
	Hidden                      string // branch
	Rename                      string // what is renamed
	NoBranch                    string
	Below                       string // count
	More                        string // count
	Picked                      string // count
	PickFirst, PickOther        string
	Failed                      string
	LastBranch                  string
	Pick, Compare, Undo, Redo   Row
}

func treeEN() Tree {
	return Tree{
		Title: "Tree", Empty: "no turn yet: n on the World screen begins a playthrough", Opening: "opening", Here: "you are here",
		Counts:  "playthroughs %d · turns %d · alternatives %d",
		Deleted: "branch %s is hidden; its turns stay in the tree (u undoes)", Restored: "branch %s is back",
		Hidden:   "hidden: %s",
		Rename:   "Title of this turn",
		NoBranch: "no branch ends here", Below: "%d below", More: "… %d more alternatives (z unfolds)", Picked: "%d picked",
		PickFirst: "pick a turn with space first", PickOther: "pick two different turns", Failed: "no reply",
		LastBranch: "you are on branch %s: go to another one first",
		Pick:       Row{"pick", "Pick the turn to compare it, or no longer; two at most."},
		Compare:    Row{"compare", "Compare the two picked turns, or the picked one with this, and all that led to them."},
		Undo:       Row{"undo", "Take back the last change of this playthrough: a mark, a title, a hidden branch, a move."},
		Redo:       Row{"redo", "Do again what was taken back."},
	}
}

func treeZH() Tree {
	return Tree{
		Title: "分支树", Empty: "还没有任何一轮：到“世界”页按 n 开始", Opening: "开场", Here: "你在这里",
		Counts:  "%d 局，%d 轮，%d 个版本",
		Deleted: "分支 %s 已隐藏；它的各轮还在树上（u 撤销）", Restored: "分支 %s 回来了",
		Hidden:   "已隐藏：%s",
		Rename:   "这一轮的标题",
		NoBranch: "没有分支在这里结束", Below: "下面还有 %d 轮", More: "… 还有 %d 个版本（z 展开）", Picked: "选了 %d 个",
		PickFirst: "先用空格选一轮", PickOther: "要选两个不同的轮", Failed: "没有回答",
		LastBranch: "你正在分支 %s 上：先到别的分支",
		Pick:       Row{"选中", "选中这一轮来比较，再按取消；最多两个。"},
		Compare:    Row{"比较", "比较选中的两轮，或选中的与这一轮，连同走到那里的路。"},
		Undo:       Row{"撤销", "撤销这一局上一个改动：标记、标题、隐藏的分支、移动。"},
		Redo:       Row{"重做", "重做撤销了的。"},
	}
}
