package lang

import "strings"

// Said gives the format of a sentence of the command line, which is written in
// English where it is made, in a language; as it is where there is no other.
func Said(format, language string) string {
	if strings.HasPrefix(language, "zh") {
		for _, words := range []map[string]string{saidZH(), saidOfTurnsZH()} {
			if words, ok := words[format]; ok {
				return words
			}
		}
	}
	return format
}

// saidZH words what commands say of what they did or found, and amounts.
func saidZH() map[string]string {
	return map[string]string{
		", ": "，",

		"%d action": "%d 个动作", "%d changed prompt": "%d 个变了的提示词", "%d difference": "%d 处不同", "%d error": "%d 个错误",
		"%d exit": "%d 个出口", "%d fault": "%d 处错误", "%d finding": "%d 个发现", "%d line": "%d 句台词", "%d node": "%d 个节点",
		"%d persona": "%d 个角色", "%d reply": "%d 个回答", "%d state": "%d 个状态", "%d thread": "%d 条线索", "%d turn": "%d 轮",
		"%d variable": "%d 个变量", "%d warning": "%d 个警告",

		"%d alternative": "%d 条备选", "%d chat": "%d 段聊天", "%d of %s taken": "导入了 %d 段，共 %s", "branch %s: %s, %s": "分支 %s：%s，%s",
		"nothing holds %q":          "没有找到 %q",
		"no beat was noticed in %s": "在 %s 里没有察觉到任何节拍", "no lore is called": "没有唤起任何设定", "no lore is called: the world has none": "没有唤起任何设定：这个世界没有设定",
		"texts the same, another engine (%s)": "文本相同，引擎不同（%s）", "another engine here: %s": "这里换了引擎：%s",
		"no branches yet; 'fabula %s' or 'fabula say %s NPC TEXT' makes the first": "还没有分支；'fabula %s' 或 'fabula say %s NPC 文本' 会建第一个",
		"%s left open":                     "还有 %s没有了结",
		"%d states searched, not all":      "查了 %d 个状态，不是全部",
		"all %s searched":                  "全部 %s都查过",
		"%s loads, but has %s, %s":         "%s 能载入，但有 %s，%s",
		"%s loads: %s; %s; %s":             "%s 能载入：%s；%s；%s",
		"%s loads: %s; %s":                 "%s 能载入：%s；%s",
		"%s, %s, %s":                       "%s，%s，%s",
		"%s judged, %s, %s at error level": "评判了 %s，%s，其中错误级 %s",
		"%s %s: recorded %s, here %s":      "%s %s：记录的是 %s，这里是 %s",
		"no labelled sentences: write labels/*.yaml (fabula schema labels)":                                     "没有标注过的句子：请写 labels/*.yaml（fabula schema labels）",
		"no engines in %s; 'fabula engines build MODEL' makes one":                                              "%s 里没有引擎；'fabula engines build MODEL' 会建一个",
		"%s; 'fabula engines rollback' takes it back":                                                           "%s；'fabula engines rollback' 可以撤回",
		"for now it does not serve: %s":                                                                         "它眼下不能用：%s",
		"taken back: %s (%s)":                                                                                   "已撤回：%s（%s）",
		"%s: %s %s differs from ours: settle it in the world's files, then export both again":                   "%s：%s %s 与我们的不同：请在世界的文件里定下来，再把两边都重新导出",
		"%s: its line %s is called %s here from now on: %s was given to another":                                "%s：它的台词 %s 从此在这里叫 %s：%s 已经给了另一句",
		"nothing was logged yet; the log will be %s":                                                            "还没有记录；日志将写在 %s",
		"figures for Prometheus: http://%s/metrics":                                                             "给 Prometheus 的指标：http://%s/metrics",
		"no models in %s; 'make model' fetches the toy one, 'fabula models list --recommended' names real ones": "%s 里没有模型；'make model' 会取来小模型，'fabula models list --recommended' 列出真正能用的",
		"no --sha256 was given; compare this one with the publisher's: %s":                                      "没有给 --sha256；请把它和发布者的比一比：%s",
		"wrote %s\nplay it: fabula %s\ncheck it: fabula check %s":                                               "已写好 %s\n试玩：fabula %s\n检查：fabula check %s",
		"--- left out: %s, %d tokens (%s)":                                                                      "--- 没放进去：%s，%d 个词元（%s）",
		"--- total %d tokens, %d of them control tokens%s":                                                      "--- 共 %d 个词元，其中 %d 个控制词元%s",
		" (estimated: no tokeniser at hand)":                                                                    "（估计的：手头没有分词器）",
		"--- %s %s %s, %d tokens":                                                                               "--- %s %s %s，%d 个词元",
		"the world does not load (%s), so ids stand for names":                                                  "世界载入不了（%s），所以用 id 代替名字",
		"[stopped before a word came]":                                                                          "[一个字还没出来就停了]",
		"no NPC %q in this world; here: %s":                                                                     "这个世界里没有 NPC %q；这里有：%s",
		"%s is not here; here: %s":                                                                              "%s 不在这里；这里有：%s",
		"open world %s: no such world; neither a folder nor built in (%s)":                                      "没有世界 %s：既不是文件夹，也不是内置的（%s）",
		"; did you mean %s?":                                                                                    "；是不是想说 %s？",
		"same":                                                                                                  "相同",
		"not generated":                                                                                         "没有生成",
		"no reply: %s":                                                                                          "没有回答：%s",
		"differs at token %d: %q was %q":                                                                        "从第 %d 个词元起不同：%q，原来是 %q",
		"differs at byte %d: %q was %q":                                                                         "从第 %d 字节起不同：%q，原来是 %q",
		"turn %d, %s: %s":                                                                                       "第 %d 轮，%s：%s",
		"  was: %s\n  is:  %s":                                                                                  "  原来：%s\n  现在：%s",
		"the shipping plot tree (see 'schema plottree')":                                                        "随游戏发布的剧情树（见 'schema plottree'）",
		"the plot and the recorded branches for ink":                                                            "供 ink 用的剧情和录下的分支",
		"the same for Yarn Spinner, with a test plan":                                                           "同上，供 Yarn Spinner 用，附测试计划",
		"the same for Twine (Twee 3, SugarCube)":                                                                "同上，供 Twine 用（Twee 3、SugarCube）",
		"a picture of the plot for Graphviz":                                                                    "剧情图，供 Graphviz 用",
		"a picture of the plot for Mermaid":                                                                     "剧情图，供 Mermaid 用",
		"every turn with all that is known of it; report.html needs nothing but a browser":                      "每一轮和关于它的一切；report.html 有浏览器就能看",
		"texts for translators, lines for actors, by RFC 4180":                                                  "给译者的文本、给配音的台词，按 RFC 4180",
		"the same for spreadsheets; no cell is taken for a formula":                                             "同上，供电子表格用；没有单元格会被当成公式",
		"texts for translation tools, a file for each pair of languages":                                        "给翻译工具的文本，每对语言一个文件",
		"training data, and starred or edited replies against the rest":                                         "训练数据，以及加星或改过的回答与其余的对照",
		"character cards of the personas, V2 and V3":                                                            "角色的角色卡，V2 和 V3",
		"chats whose swipes are the alternatives":                                                               "聊天记录，其中的 swipe 就是各个候选回答",
		"the last 'fabula drift' of every engine, by world":                                                     "每个引擎最近一次 'fabula drift'，按世界分",
		"user configuration":                                                                                    "个人设置",
		"engines in use and deadlines; 'fabula engines use' writes it":                                          "在用的引擎和时限；由 'fabula engines use' 写",
		"keys of your own for the workbench, by action; 'fabula schema keys'":                                   "工作台的自定按键，按动作写；'fabula schema keys'",
		"remote servers; keys are in the environment or a keyring":                                              "远程服务器；密钥在环境变量或钥匙串里",
		"models, stores of demo worlds":                                                                         "模型、示例世界的存档",
		"stores whose folder vanished while they were open":                                                     "打开着时文件夹消失了的存档",
		"GGUF files":                                    "GGUF 文件",
		"log, last opened world":                        "日志、上次打开的世界",
		"what happened; no prompt text":                 "发生过什么；不含提示词",
		"what llama.cpp and other native engines print": "llama.cpp 等本地引擎打印的内容",
		"built llama.cpp; safe to delete":               "编译好的 llama.cpp；可以删掉",
		"authored text":                                 "写下的文本",
		"transcripts of this world":                     "这个世界的对话记录",
		"built in":                                      "内置",
	}
}
