package lang

import "cmp"

// Inspect is the words of the inspector.
type Inspect struct {
	Title                          string // turn, speaker
	State, Prompt, Recall, Finding string // tabs
	Nothing                        string // no turn to look at
	NoPrompt                       string // no engine was asked
	Reading                        string // the prompt is being read
	Changed, Same                  string // headings of the state
	By                             string // beat or exit
	ByNobody                       string // a change that no beat and no exit made
	Secrets                        string
	Locked                         string // condition
	LockedEver                     string
	Open                           string
	Told                           string
	Budget                         string // heading
	Total                          string // tokens, window, room for the reply
	TotalOpen                      string // tokens, room: the engine has no window
	Control                        string // tokens
	LeftOut                        string // heading
	Whys                           map[string]string
	Kinds                          map[string]string // of segments
	NoMarks                        string            // the template's marks are not known
	DiffWith                       string            // turn
	NoDiff                         string            // nothing to compare with
	Lore, Memory                   string            // headings
	NoLore, NoMemory               string
	Always                         string // of lore that is in every prompt
	Because                        string // words
	NoFindings                     string
	InTurn                         string // number
	Off                            string // segments
	OffNone                        string // none is switched off
	OffNever                       string // what is answered cannot be switched off
	Without                        string // list: mark of a reply
}

func inspectEN() Inspect {
	return Inspect{
		Title: "turn %d %s", State: "state", Prompt: "prompt", Recall: "lore & memory", Finding: "findings",
		Nothing: "Nothing to look at yet.", NoPrompt: "No engine was asked in this turn.", Reading: "reading the prompt …",
		Changed: "Changed in this turn", Same: "As before", By: "by %s", ByNobody: "by none of them",
		Secrets: "Secrets", Locked: "locked until %s", LockedEver: "locked for good", Open: "may be told", Told: "told",
		Budget: "Tokens", Total: "%d of %d, %d kept for the reply", TotalOpen: "%d, %d kept for the reply", Control: "%d of them the template's",
		LeftOut: "Left out", Whys: map[string]string{"locked": "names a locked secret", "share": "its kind had its share", "window": "no room in the window", "asked": "switched off"},
		Kinds: map[string]string{"rules": "rules", "persona": "persona", "sample": "sample", "lore": "lore", "history": "history", "secret": "secret", "cover": "cover",
			"knows": "knows", "goal": "goal", "memory": "memory", "summary": "summary", "variables": "variables", "scene": "scene", "anchor": "anchor", "line": "line"},
		NoMarks:  "the template's marks are not known: the engine of this reply is not here",
		DiffWith: "against turn %d", NoDiff: "no earlier prompt to compare with",
		Lore: "Lore that fired", Memory: "Remembered", NoLore: "none", NoMemory: "nothing", Always: "always", Because: "because of %s",
		NoFindings: "Nothing was found on this branch.", InTurn: "turn %d",
		Off: "switched off: %s · r replies without", OffNone: "switch a segment off first: space", OffNever: "what is answered stays",
		Without: "without %s",
	}
}

func inspectZH() Inspect {
	return Inspect{
		Title: "第 %d 轮 %s", State: "状态", Prompt: "提示词", Recall: "设定与记忆", Finding: "问题",
		Nothing: "还没有可看的。", NoPrompt: "这一轮没有请引擎作答。", Reading: "正在读提示词……",
		Changed: "这一轮的变化", Same: "和之前一样", By: "因 %s", ByNobody: "不是节拍也不是出口",
		Secrets: "秘密", Locked: "未解锁，要等 %s", LockedEver: "永不解锁", Open: "可以说", Told: "已经说过",
		Budget: "词元", Total: "%d / %d，给回答留 %d", TotalOpen: "%d，给回答留 %d", Control: "其中模板占 %d",
		LeftOut: "没有放进去的", Whys: map[string]string{"locked": "说到了未解锁的秘密", "share": "这一类已占满份额", "window": "窗口里放不下", "asked": "已关掉"},
		Kinds: map[string]string{"rules": "规矩", "persona": "角色", "sample": "例句", "lore": "设定", "history": "前文", "secret": "秘密", "cover": "遮掩",
			"knows": "所知", "goal": "目标", "memory": "记忆", "summary": "摘要", "variables": "变量", "scene": "场景", "anchor": "锚点", "line": "这一句"},
		NoMarks:  "不知道模板加了什么：这句回答的引擎不在这里",
		DiffWith: "对照第 %d 轮", NoDiff: "前面没有可对照的提示词",
		Lore: "触发的设定", Memory: "想起的", NoLore: "没有", NoMemory: "没有", Always: "总在", Because: "因为 %s",
		NoFindings: "这条分支上没有发现问题。", InTurn: "第 %d 轮",
		Off: "已关掉：%s · 按 r 重答", OffNone: "先用空格关掉一段", OffNever: "要回答的话不能关",
		Without: "去掉 %s",
	}
}

// Segment names a kind of prompt segment, or gives its code.
func (t *Inspect) Segment(kind string) string { return cmp.Or(t.Kinds[kind], kind) }
