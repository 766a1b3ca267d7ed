package lang

// Engines is the words of the engine screen.
type Engines struct {
	Title, None, Reading                         string
	Latency, Facts, Ladder                       string
	Serves                                       string // step
	Loading, Ready, Gone                         string
	Since, Check                                 string // moment
	Stored, Session, AllSession                  string
	Replies, Recalled                            string // count
	NoReplies                                    string
	Histogram                                    string // count of gaps
	Cold, Cached, Queue, Prefill                 string // short: each names a row of milliseconds
	Model, Speaks, ForUse, File, Memory, Window  string
	Runtime, Kept, Opened, Load, Restarts        string
	Licence, Version, Origin, Hash, Chosen, Past string
	Needs, Free                                  string // bytes
	Prompts                                      string // count
	More                                         string // rows
	Pull, Build                                  string // the commands
	Steps                                        map[string]string
	Used                                         string // engine
	ForNow                                       string // engine, why it does not serve
	Unused, NoPast                               string
	TakenBack                                    string // what was done
	Outranked                                    string // engine
	NotServing, KeepsNone, NoBranch, IsWarming   string
	Warming                                      string // engine
	NoPair                                       string
	PullFrom, PullHint                           string
	Pulling, Building                            string // what
	NoBuild                                      string // what is missing
	NoWeights                                    string
	Use, Unuse, Undo, Warm, Mark, Compare        Row
	ToFacts, Zoom, Again, PaneUp, PaneDown       Row
	PullNew, BuildNew                            Row
}

func enginesEN() Engines {
	return Engines{
		Title: "Engines", None: "Nothing is known of engines here; 'fabula engines list' tells.", Reading: "looking at what is installed",
		Latency: "Latency", Facts: "Facts", Ladder: "Who answers, best first",
		Serves: "serves now: %s", Loading: "its model is being read", Ready: "can serve: enter has it answer from the next reply on", Gone: "not installed any more; only stored replies know it",
		Since: "since %s", Check: "checked again %s",
		Stored: "all stored replies", Session: "this session", AllSession: "this session (no older ones)", Replies: "replies: %d", Recalled: "without a model: %d",
		NoReplies: "No reply of it is stored in this world.", Histogram: "gaps in ms, all stored: %d",
		Cold: "cold", Cached: "cached", Queue: "queue", Prefill: "prefill",
		Model: "model", Speaks: "speaks", ForUse: "meant as", File: "file", Memory: "memory", Window: "window",
		Runtime: "runtime", Kept: "keeps", Opened: "opened with", Load: "reading", Restarts: "restarts",
		Licence: "licence", Version: "version", Origin: "from", Hash: "weights", Chosen: "chosen", Past: "changes",
		Needs: "needs %s", Free: "%s free", Prompts: "%d prompts at most", More: "rows below: %d (pgdn)",
		Pull: "add one: n, or fabula models pull ID|URL", Build: "for an NVIDIA card: N, or fabula engines build MODEL",
		Steps: map[string]string{
			"full": "the model that was wanted", "smaller": "a smaller model", "grounded": "a model chooses among authored lines", "recall": "authored lines",
		},
		Used: "%s answers from the next reply on; u takes it back", ForNow: "%s is chosen; for now it does not serve: %s",
		Unused: "nobody is chosen any more: the best that fits answers", NoPast: "no choice to take back", TakenBack: "taken back: %s",
		Outranked:  "the program was started with --engine %s, which outranks a choice",
		NotServing: "only the engine that serves can be warmed up; enter chooses this one", KeepsNone: "it keeps no prompts",
		NoBranch: "begin a chat first: its prompt is what is computed", IsWarming: "it is being warmed up",
		Warming: "warm up %s", NoPair: "mark another engine first: space",
		Use:      Row{"use", "Have this engine answer from the next reply on; a reply in flight is finished by the one that began it."},
		Unuse:    Row{"by default", "Take the choice back: the best engine that fits answers."},
		Undo:     Row{"take back", "Take the last choice back; again for the one before."},
		Warm:     Row{"warm up", "Compute what the next prompt of the chat begins with, so that its first token comes sooner."},
		Mark:     Row{"mark", "Mark the engine, to look at its latency beside another's."},
		Compare:  Row{"compare", "Show or hide the latency of the marked engine below this one's."},
		ToFacts:  Row{"facts", "Facts first, or latency first."},
		Zoom:     Row{"scale", "Draw the histogram of gaps in finer or in coarser classes."},
		Again:    Row{"look again", "Look again at what is installed and who serves."},
		PaneUp:   Row{"scroll up", "Scroll what is told of the engine up."},
		PaneDown: Row{"down", "Scroll what is told of the engine down."},
		PullFrom: "Fetch a model", PullHint: "owner/repo:precision on the hub, or an https address",
		Pulling: "fetch %s", Building: "build %s", NoBuild: "no engine can be built here: %s", NoWeights: "select a model file (GGUF): an engine is built of its weights",
		PullNew:  Row{"fetch model", "Fetch a model by its id on the hub or an https address, beside everything else; ctrl+x cancels, and what came is kept."},
		BuildNew: Row{"build", "Build an engine of the selected model for this machine's NVIDIA card, beside everything else."},
	}
}

func enginesZH() Engines {
	return Engines{
		Title: "引擎", None: "这里不知道有哪些引擎；用 fabula engines list 查看。", Reading: "正在查看装了哪些",
		Latency: "延迟", Facts: "资料", Ladder: "由谁回答，从好到次",
		Serves: "正在使用：%s", Loading: "正在读取模型", Ready: "可以使用：按 enter，从下一次回复起由它回答", Gone: "已不再安装，只有存下的回复里还有它",
		Since: "自 %s 起", Check: "%s 再检查",
		Stored: "所有存下的回复", Session: "本次会话", AllSession: "本次会话（没有更早的）", Replies: "回复 %d", Recalled: "没用模型 %d",
		NoReplies: "这个世界里没有存下它的回复。", Histogram: "全部存下的词元间隔（毫秒）：%d",
		Cold: "冷启", Cached: "有缓存", Queue: "排队", Prefill: "预填充",
		Model: "模型", Speaks: "会说", ForUse: "用途", File: "文件", Memory: "内存", Window: "窗口",
		Runtime: "运行库", Kept: "保留", Opened: "打开时", Load: "读取用时", Restarts: "重启次数",
		Licence: "许可", Version: "版本", Origin: "来源", Hash: "权重", Chosen: "已选", Past: "改动",
		Needs: "需要 %s", Free: "空闲 %s", Prompts: "最多 %d 份提示词", More: "下面还有 %d 行（pgdn）",
		Pull: "添加模型：n，或 fabula models pull ID|URL", Build: "为 NVIDIA 显卡构建：N，或 fabula engines build MODEL",
		Steps: map[string]string{
			"full": "想要的模型", "smaller": "较小的模型", "grounded": "由模型从写好的台词里挑", "recall": "写好的台词",
		},
		Used: "从下一次回复起由 %s 回答；u 撤回", ForNow: "选了 %s，但眼下它不能作答：%s",
		Unused: "不再指定：由合适的最好引擎回答", NoPast: "没有可撤回的选择", TakenBack: "已撤回：%s",
		Outranked:  "程序启动时指定了 --engine %s，它优先于选择",
		NotServing: "只能预热正在使用的引擎；按 enter 选用这一个", KeepsNone: "它不保留提示词",
		NoBranch: "先开始一段对话：要预先计算的是它的提示词", IsWarming: "正在预热",
		Warming: "预热 %s", NoPair: "先标记另一个引擎：空格",
		Use:      Row{"使用", "从下一次回复起由这个引擎回答；进行中的回复仍由原来的引擎完成。"},
		Unuse:    Row{"取消指定", "撤回选择：由合适的最好引擎回答。"},
		Undo:     Row{"撤回", "撤回上一次选择；再按撤回更早的。"},
		Warm:     Row{"预热", "预先计算对话下一个提示词的开头，让首词元来得更快。"},
		Mark:     Row{"标记", "标记这个引擎，以便和另一个的延迟对照。"},
		Compare:  Row{"对照", "在下面显示或收起所标记引擎的延迟。"},
		ToFacts:  Row{"资料", "先看资料，或先看延迟。"},
		Zoom:     Row{"刻度", "把间隔直方图分得更细或更粗。"},
		Again:    Row{"再看", "重新查看装了哪些、由谁回答。"},
		PaneUp:   Row{"上翻", "把引擎的说明往上翻。"},
		PaneDown: Row{"下翻", "把引擎的说明往下翻。"},
		PullFrom: "下载模型", PullHint: "模型库里的 owner/repo:精度，或 https 地址",
		Pulling: "下载 %s", Building: "构建 %s", NoBuild: "这里构建不了引擎：%s", NoWeights: "先选一个模型文件（GGUF）：引擎由它的权重构建",
		PullNew:  Row{"下载模型", "按模型库里的名字或 https 地址下载模型，同时可做别的；ctrl+x 取消，已下载的保留。"},
		BuildNew: Row{"构建", "用所选模型为这台机器的 NVIDIA 显卡构建引擎，同时可做别的。"},
	}
}
