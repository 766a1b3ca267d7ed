package lang

// Plot is the words of the plot screen.
type Plot struct {
	Title, Empty, Finding                          string
	Counts                                         string // nodes, exits
	Beyond                                         string // signs of the sides where there is more of the graph
	Matches                                        string // count
	NoMatch                                        string
	If, IfThere                                    string // condition
	ID, Guard, OnEnter, Visits, Reach              string
	VisitsOf                                       string // by people, by simulated players
	Reached, Exits                                 string // exits from the start
	Unreached, NoExitLeads, NotSearched            string
	Cast, Beats, Anchors, ExitsHead, From, Chats   string
	Findings                                       string
	FindingsOf                                     string // count
	Of                                             string // fired, all
	Never                                          string
	Times, SimulatedOnly                           string // count
	Stays, Auto                                    string
	ChatsOf                                        string // turns, branches
	More                                           string // count
	NFrom                                          string // branch, turn
	NJumps                                         string
	BranchFrom                                     string // branch, branch it came from, turn
	Forced                                         string
	NoPath                                         string // node
	PathTo                                         string // turns
	Sheet, FromHere, ToGraph, ToOutline, Path      Row
	Find, Analyse, EditNode, Cover, Along, Sibling Row
	Found, NextFound, LeaveFind                    Row
}

func plotEN() Plot {
	return Plot{
		Title: "Plot", Empty: "This world has no nodes yet: write some into plot/*.yaml.", Finding: "find a node by id, title, exit, beat or anchor",
		Counts: "%d nodes, %d exits", Beyond: "more %s", Matches: "%d match", NoMatch: "no node matches",
		If: "if %s", IfThere: "lets in if %s",
		ID: "node", Guard: "lets in if", OnEnter: "on entry", Visits: "visits", Reach: "reach",
		VisitsOf: "%d by people, %d simulated", Reached: "proven, %d exits from the start", Exits: "%d exits from the start",
		Unreached: "never reached, as the search proved", NoExitLeads: "no exit leads here", NotSearched: "not searched yet: a",
		Cast: "Cast", Beats: "Beats", Anchors: "Anchors", ExitsHead: "Exits", From: "Comes from", Chats: "Chats", Findings: "Findings", FindingsOf: "findings: %d",
		Of: "%d of %d fired", Never: "never", Times: "%d times", SimulatedOnly: "%d simulated",
		Stays: "stays here", Auto: "by itself", ChatsOf: "turns: %d, branches: %d", More: "and %d more",
		NFrom: "n: a new branch from %s, turn %d", NJumps: "n: jumps here from the chat; the branch is marked forced",
		BranchFrom: "branch %s begins where %s was at turn %d", Forced: "(forced: nobody has played here)",
		NoPath: "%s is never reached", PathTo: "A shortest way here, turns: %d",
		Sheet:     Row{"sheet", "All that the node holds; the arrows scroll it, esc leaves it."},
		FromHere:  Row{"chat here", "Talk from this node on: on a new branch from where play came here, else by a jump that is marked forced."},
		ToGraph:   Row{"graph", "Draw the nodes as a graph, columns by distance from the start."},
		ToOutline: Row{"outline", "List the nodes, each below the one that leads to it first."},
		Path:      Row{"path", "Show or hide a shortest way to the node, with the words and values of every turn; searches first if need be."},
		Find:      Row{"find", "Find a node as you type."},
		Analyse:   Row{"analyse", "Search every state that play can come to: what is reached, what breaks the story."},
		EditNode:  Row{"edit", "Open the file in $EDITOR where the node is declared."},
		Cover:     Row{"coverage", "Show or hide how much was played: # often, : some, . once or twice, ~ by simulated players only."},
		Along:     Row{"walk", "Along an exit, or back the way one comes."},
		Sibling:   Row{"beside", "The node above or below in the column."},
		Found:     Row{"keep", "Stay at the node that was found."},
		NextFound: Row{"next", "The next node that matches; up is the one before."},
		LeaveFind: Row{"leave", "Back to the node where the search began."},
	}
}

func plotZH() Plot {
	return Plot{
		Title: "剧情", Empty: "这个世界还没有节点：写进 plot/*.yaml。", Finding: "按 id、标题、出口、节拍、锚点找节点",
		Counts: "%d 个节点，%d 个出口", Beyond: "还有 %s", Matches: "%d 个", NoMatch: "没有这样的节点",
		If: "若 %s", IfThere: "那边要 %s",
		ID: "节点", Guard: "入场条件", OnEnter: "入场时", Visits: "到过", Reach: "可达",
		VisitsOf: "人 %d 次，模拟 %d 次", Reached: "已证明，离起点 %d 个出口", Exits: "离起点 %d 个出口",
		Unreached: "搜索证明永远走不到", NoExitLeads: "没有出口通到这里", NotSearched: "还没搜索：按 a",
		Cast: "在场", Beats: "节拍", Anchors: "锚点", ExitsHead: "出口", From: "从哪里来", Chats: "对话", Findings: "问题", FindingsOf: "问题 %d",
		Of: "触发过 %d/%d", Never: "从未", Times: "%d 次", SimulatedOnly: "模拟 %d 次",
		Stays: "留在这里", Auto: "自动", ChatsOf: "%d 轮，%d 条分支", More: "还有 %d 条",
		NFrom: "n：从 %s 第 %d 轮开新分支", NJumps: "n：从对话处跳来，分支记为强制",
		BranchFrom: "分支 %s 从 %s 第 %d 轮开始", Forced: "（强制：还没人玩到过这里）",
		NoPath: "%s 永远走不到", PathTo: "到这里最短的走法，%d 轮",
		Sheet:     Row{"详情", "节点的全部内容；方向键滚动，esc 离开。"},
		FromHere:  Row{"从此对话", "从这个节点聊起：在玩到过这里的地方开新分支，否则跳过来并记为强制。"},
		ToGraph:   Row{"图", "把节点画成图，按离起点的远近分列。"},
		ToOutline: Row{"大纲", "列出节点，各在最先通向它的节点之下。"},
		Path:      Row{"走法", "显示或收起到这个节点最短的走法，每轮的话和数值；需要时先搜索。"},
		Find:      Row{"查找", "边打字边找节点。"},
		Analyse:   Row{"分析", "搜索玩得到的所有状态：哪里走得到，什么会弄坏故事。"},
		EditNode:  Row{"编辑", "用 $EDITOR 打开节点声明处。"},
		Cover:     Row{"覆盖", "显示或收起玩过多少：# 常，: 几次，. 一两次，~ 只有模拟玩家。"},
		Along:     Row{"走", "沿出口走，或往回走。"},
		Sibling:   Row{"同列", "同一列里上面或下面的节点。"},
		Found:     Row{"就它", "停在找到的节点。"},
		NextFound: Row{"下一个", "下一个符合的节点；上方向键是前一个。"},
		LeaveFind: Row{"不找了", "回到开始查找时的节点。"},
	}
}
