package lang

// Way is the words of a way through a world, step by step. Sentences are put
// together of these.
type Way struct {
	Heading    string // in front of the steps
	Start      string // node
	Say        string // text
	SayAny     string
	To         string // who is addressed
	Choose     string // exit
	Next       string
	Beats      string // list
	Takes      string // exit
	Asks       string // exit
	Replies    string // who, text
	RepliesAny string // who
	Tells      string // list of secrets
	Brings     string // list of anchors
	ByItself   string // exit
	Forced     string // of one step
	MayBe      string // of a whole finding
	Allowed    string // code, reason
	Proven     string // states
	Unproven   string // states
	Coverage   string // walks, turns, seed
	Never      string // heading of what no walk came to
	Rarest     string // heading
	Row        string // kind, id, hits
	ForcedRow  string // kind, id
	Kinds      map[string]string
	And        string // between what is done in one step
	Then       string // in front of what that changes
	List       string // between ids
}

func wayEN() Way {
	return Way{
		Heading: "a shortest way there:", Start: "start at %s", Say: "say “%s”", SayAny: "say something", To: "to %s", Choose: "choose %s",
		Next: "let the next one speak", Beats: "beat %s", Takes: "takes exit %s", Asks: "asks about exit %s", Replies: "%s says “%s”", RepliesAny: "%s replies",
		Tells: "tells %s", Brings: "brings up %s", ByItself: "exit %s takes itself", Forced: "may be impossible: no words were found for it",
		MayBe: "may be impossible: no words were found that lead there", Allowed: "allowed: %s: %s",
		Proven: "proven over %d states", Unproven: "%d states looked at, not all",
		Coverage: "walks: %d, turns: %d, seed: %d", Never: "reachable, but no walk came to it:", Rarest: "rarest:", Row: "%s %s: %d", ForcedRow: "%s %s: by force only; may be impossible",
		Kinds: map[string]string{"node": "node", "exit": "exit", "beat": "beat", "true": "condition true", "false": "condition false"},
		And:   ", ", Then: "; ", List: ", ",
	}
}

func wayZH() Way {
	return Way{
		Heading: "到那里最短的走法：", Start: "从 %s 开始", Say: "说“%s”", SayAny: "随便说点什么", To: "对 %s", Choose: "选 %s",
		Next: "让下一个人说", Beats: "节拍 %s", Takes: "走出口 %s", Asks: "问到出口 %s", Replies: "%s 说“%s”", RepliesAny: "%s 回答",
		Tells: "说出 %s", Brings: "提到 %s", ByItself: "出口 %s 自己走了", Forced: "也许不可能：没找到能做到的话",
		MayBe: "也许不可能：没找到能走到那里的话", Allowed: "已允许：%s：%s",
		Proven: "已在 %d 个状态上证明", Unproven: "看了 %d 个状态，不是全部",
		Coverage: "走了 %d 次，%d 轮，种子 %d", Never: "能走到，但一次也没走到：", Rarest: "最少走到：", Row: "%s %s：%d", ForcedRow: "%s %s：只有硬来才走到；也许不可能",
		Kinds: map[string]string{"node": "节点", "exit": "出口", "beat": "节拍", "true": "条件成立", "false": "条件不成立"},
		And:   "，", Then: "；", List: "、",
	}
}
