package lang

// Task is the words of long work.
type Task struct {
	Left      string // time
	More      string // count
	Already   string // title
	Done      string // title, time
	Cancelled string // title
	Failed    string // title, why
	CancelAsk string // title
	Stopping  string
	None      string // why nothing can be cancelled
	QuitAsk   string // count
}

func taskEN() Task {
	return Task{
		Left: "about %s left", More: "+%d more", Already: "%s is running already", Done: "done: %s (%s)", Cancelled: "cancelled: %s", Failed: "%s failed: %v",
		CancelAsk: "again cancels %s", Stopping: "being cancelled", None: "no task is running",
		QuitAsk: "tasks running: %d. Quitting cancels them; once more quits",
	}
}

func taskZH() Task {
	return Task{
		Left: "大约还要 %s", More: "另有 %d 项", Already: "%s 正在进行", Done: "完成：%s（%s）", Cancelled: "已取消：%s", Failed: "%s 失败：%v",
		CancelAsk: "再按一次取消“%s”", Stopping: "正在取消", None: "没有任务在进行",
		QuitAsk: "还有 %d 项任务在进行，退出会取消它们；再按一次退出",
	}
}
