package lang

// Memory is the words about what NPCs can remember.
type Memory struct {
	Kinds    map[string]string // of facts
	Saw      string            // list: who was there
	Told     string            // list: who learned of it without being there
	Nobody   string
	Pinned   string
	Because  string            // list of words
	Horizon  string            // turn
	Summary  string            // first turn, last turn, whose words
	OwnWords string            // by the turns' own words
	Lost     map[string]string // kinds of losses
	IsPinned string            // id
	IsFree   string            // id

	// Of the test of facts.
	Forms             map[string]string // of facts
	Herbs             string            // in front of a form: the case of the herbs
	After             string            // turns
	InPrompt, InReply string
	Leaks             string // prompts that leak, of
	Lacks, Holds      string
}

func memoryEN() Memory {
	return Memory{
		Kinds: map[string]string{"said": "said", "exit": "exit", "beat": "beat", "anchor": "anchor", "secret": "secret"},
		Saw:   "there: %s", Told: "told: %s", Nobody: "nobody", Pinned: "pinned", Because: "because of: %s",
		Horizon: "--- the prompt's history begins at @%d; before it only what is summed up or recalled", Summary: "summary of @%d to @%d, %s:", OwnWords: "by its own words",
		Lost:     map[string]string{"said": "not in it", "event": "not in it, what happened", "name": "not in it, the name", "number": "not in it, the number"},
		IsPinned: "pinned %s", IsFree: "no longer pinned: %s",
		Forms: map[string]string{"told": "told to the NPC", "updated": "told, then told otherwise", "another": "told to somebody else", "sibling": "told on another branch", "never": "never told"},
		Herbs: "herbs, ", After: ", %d turns ago", InPrompt: "in prompt", InReply: "in reply", Leaks: "%d of %d prompts hold what was told elsewhere or never", Lacks: "the prompt lacks", Holds: "the prompt holds",
	}
}

func memoryZH() Memory {
	return Memory{
		Kinds: map[string]string{"said": "说话", "exit": "出口", "beat": "节拍", "anchor": "锚点", "secret": "秘密"},
		Saw:   "在场：%s", Told: "听说：%s", Nobody: "无人", Pinned: "已钉住", Because: "因为：%s",
		Horizon: "--- 提示里的对话从 @%d 开始；之前的只剩摘要和想起的", Summary: "@%d 到 @%d 的摘要（%s）：", OwnWords: "用原话",
		Lost:     map[string]string{"said": "没收进", "event": "没收进，发生的事", "name": "没收进，名字", "number": "没收进，数目"},
		IsPinned: "已钉住 %s", IsFree: "不再钉住：%s",
		Forms: map[string]string{"told": "告诉过这个角色", "updated": "告诉过，后来改口", "another": "告诉了别人", "sibling": "在另一个分支上告诉的", "never": "从没说过"},
		Herbs: "草药，", After: "，%d 轮之前", InPrompt: "在提示里", InReply: "在回答里", Leaks: "%d 个提示里有别处说的或没说过的事，共 %d 个", Lacks: "提示里没有", Holds: "提示里有",
	}
}
