package lang

import "fmt"

// Compare is the words of the comparison of two paths.
type Compare struct {
	Title, Nothing, Same, NoMore        string
	At                                  string // branch, turn
	Shared, SharedOne                   string // last turn
	Turn                                string // on side A, on side B
	Kinds                               map[string]string
	Lore                                string
	Sum                                 string // turns that differ, only in A, only in B
	Next, Previous, Swap, Back          Row
	Beats, Exits, State, Findings, A, B string // of `fabula compare`
}

// SharedTurns says how far two paths are the same.
func (c *Compare) SharedTurns(last int) string {
	if last == 0 {
		return c.SharedOne
	}
	return fmt.Sprintf(c.Shared, last)
}

func compareEN() Compare {
	return Compare{
		Title: "Compare", Nothing: "Nothing to compare: pick two turns in the tree (F6) with space, then press c.", Same: "Nothing differs.", NoMore: "no more differences that way",
		At: "%s, turn %d", Shared: "turns 0 to %d are shared", SharedOne: "the opening is shared", Turn: "turn %s | %s",
		Kinds: map[string]string{"equal": "the same words", "changed": "differs", "apart": "another turn", "only_a": "only in A", "only_b": "only in B"},
		Lore:  "lore", Sum: "differ: %d, only in A: %d, only in B: %d",
		Next:     Row{"difference", "The next difference."},
		Previous: Row{"difference", "The difference before."},
		Swap:     Row{"swap", "Change sides."},
		Back:     Row{"back", "Back to the screen below."},
		Beats:    "beats", Exits: "exits", State: "state", Findings: "findings", A: "A", B: "B",
	}
}

func compareZH() Compare {
	return Compare{
		Title: "比较", Nothing: "没有可比较的：在分支树（F6）里用空格选两轮，再按 c。", Same: "没有不同。", NoMore: "那边没有别的不同了",
		At: "%s 第 %d 轮", Shared: "第 0 到 %d 轮相同", SharedOne: "开场相同", Turn: "第 %s | %s 轮",
		Kinds: map[string]string{"equal": "话相同", "changed": "不同", "apart": "另一轮", "only_a": "只在 A", "only_b": "只在 B"},
		Lore:  "知识", Sum: "不同 %d 轮，只在 A %d 轮，只在 B %d 轮",
		Next:     Row{"不同处", "下一处不同。"},
		Previous: Row{"不同处", "上一处不同。"},
		Swap:     Row{"换边", "两边对换。"},
		Back:     Row{"返回", "回到下面的页。"},
		Beats:    "节拍", Exits: "出口", State: "状态", Findings: "问题", A: "A", B: "B",
	}
}
