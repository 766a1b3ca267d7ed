package lang

// Runs is the words of the screen of playtests.
type Runs struct {
	Title, Players, Stored       string // headings
	Sum                          string // playtests, failed
	StoredSum                    string // count
	Passed, Failed, Waits, Never string // verdicts, as short as they are
	Came                         string // why it ended, node, turns
	At                           string // turn
	StoredAt                     string // node, turn
	NoTests, Reading             string
	NotRun, NoneFailed, Busy     string // why a key does nothing
	Quiet, NoPlace, NoRun        string
	Task, TaskAll                string // name; count
	Could                        string // why a run could not begin
	New, Several, Rerun, Stop    Row
	Open, Edit                   Row
}

func runsEN() Runs {
	return Runs{
		Title: "Playtests", Players: "Simulated players", Stored: "Played before", Sum: "%d, failed: %d", StoredSum: "runs: %d",
		Passed: "ok", Failed: "FAILED", Waits: "waits", Never: "-",
		Came: "%s, at %s, turns: %d", At: "turn %d", StoredAt: "at %s, turn %d",
		NoTests: "This world has no playtests. Write playtests/*.yaml (fabula schema playtest), or let a player below play.", Reading: "reading…",
		NotRun: "it was not run yet: n runs it", NoneFailed: "nothing failed", Busy: "runs are on their way; s stops them", Quiet: "nothing runs", NoPlace: "there is no file to open", NoRun: "select a playtest or a player",
		Task: "playtest %s", TaskAll: "playtests: %d", Could: "could not begin: %s",
		New:     Row{"run", "Run the selected playtest, or let the selected player play, on a branch of its own."},
		Several: Row{"run all", "Run every playtest of the world."},
		Rerun:   Row{"failed again", "Run again what failed."},
		Stop:    Row{"stop", "Stop the runs; what was played stays in the tree."},
		Open:    Row{"open turn", "Show the turn of the failure in the chat; without one, where the run ended."},
		Edit:    Row{"edit", "Open the playtest in your editor, at what did not come true."},
	}
}

func runsZH() Runs {
	return Runs{
		Title: "试玩脚本", Players: "模拟玩家", Stored: "以前玩的", Sum: "%d 个，失败 %d", StoredSum: "%d 次",
		Passed: "通过", Failed: "失败", Waits: "等候", Never: "-",
		Came: "%s，在 %s，%d 轮", At: "第 %d 轮", StoredAt: "在 %s，第 %d 轮",
		NoTests: "这个世界没有试玩脚本。写 playtests/*.yaml（见 fabula schema playtest），或让下面的玩家来玩。", Reading: "读取中…",
		NotRun: "还没运行：按 n 运行", NoneFailed: "没有失败的", Busy: "正在运行；按 s 停止", Quiet: "没有在运行的", NoPlace: "没有可打开的文件", NoRun: "请选一个试玩或一个模拟玩家",
		Task: "试玩 %s", TaskAll: "试玩 %d 个", Could: "不能开始：%s",
		New:     Row{"运行", "运行所选脚本，或让所选玩家来玩，各在自己的分支上。"},
		Several: Row{"全部运行", "运行这个世界的全部试玩脚本。"},
		Rerun:   Row{"重跑失败", "把失败的再运行一次。"},
		Stop:    Row{"停止", "停止运行；玩过的留在树里。"},
		Open:    Row{"打开那轮", "在对话里显示失败的那一轮；没有失败就显示结束处。"},
		Edit:    Row{"编辑", "用编辑器打开脚本，到没有成真的那一行。"},
	}
}
