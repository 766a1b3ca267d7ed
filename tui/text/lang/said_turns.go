package lang

// saidOfTurnsZH words what commands tell of turns, branches and playtests.
func saidOfTurnsZH() map[string]string {
	return map[string]string{
		"[beat %s: %q%s]":                  "[节拍 %s：%q%s]",
		"[beat %s unsure: %q]":             "[节拍 %s 拿不准：%q]",
		"[beat %s by %s: %q%s]":            "[节拍 %s，%s：%q%s]",
		"[cue %s]":                         "[神态动作 %s]",
		"[exit %s, %s]":                    "[出口 %s，%s]",
		"[finding, %s: %s]":                "[发现，%s：%s]",
		"[branch %s (%s), turn %d, at %s]": "[分支 %s（%s），第 %d 轮，在 %s]",
		"[recalled line%s, seed %d]":       "[写好的台词%s，种子 %d]",
		"[%s %s, seed %d, %s%s]":           "[%s，%s，种子 %d，%s%s]",
		"[%s: %s, seed %d%s]":              "[%s：%s，种子 %d%s]",
		"[first token %d ms, %d tokens%s, prompt %d tokens (%d reused)]": "[首词元 %d 毫秒，%d 词元%s，提示词 %d 词元（沿用 %d）]",
		"[chosen in %d ms, %d tokens read (%d reused)]":                  "[%d 毫秒选定，读了 %d 词元（沿用 %d）]",
		", %.1f tok/s":             "，%.1f 词元/秒",
		"anchor %s by %s: %s":      "锚点 %s，由 %s：%s",
		"its authored line":        "它写好的台词",
		", asked for":              "，问到了它",
		"@%d  at %s%s":             "@%d  在 %s%s",
		"  (1 of %d alternatives)": "  （%d 个候选之一）",
		"%s  at %s":                "%s  在 %s",
		"edited: @%d %s %s":        "有改动：@%d %s %s",
		"%s %s, seed %d: %s at %s, branch %s (%s)": "%s %s，种子 %d：%s，在 %s，分支 %s（%s）",
		"%s/%s  %d bytes":                          "%s/%s  %d 字节",

		"ok    ": "通过", "FAILED": "失败", "error": "错误", "warning": "警告",
		"full": "完整模型", "smaller": "较小的模型", "grounded": "择句", "recall": "写好的台词",
		"stop": "说完", "length": "到长度上限", "cancelled": "被停下", "interrupted": "中断", "fault": "出错",
		"pending": "未完成", "failed": "没有回答", "player": "由玩家", "npc": "由角色",
	}
}
