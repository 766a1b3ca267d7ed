package lang

// Import is the words of `fabula import`.
type Import struct {
	Kinds map[string]string // of a file
	Fates map[string]string // what became of a part
	Notes map[string]string // by code; {1}, {2} are the arguments
	Wrote string            // path
	Would string            // path, where nothing is written
	Dry   string            // nothing was written
	Meet  string            // command
	Known string            // file, branch
	Empty string            // nothing in a file could be used
	Same  string            // count of other places
}

// Note words a note of an import by its code.
func (s *Strings) Note(code string, args []string) string {
	return fill(s.Import.Notes[code], args, nil)
}

func importEN() Import {
	return Import{
		Kinds: map[string]string{"card_v1": "character card V1", "card_v2": "character card V2", "card_v3": "character card V3", "lorebook": "lorebook", "chat": "SillyTavern chat with"},
		Fates: map[string]string{"read": "read", "coerced": "changed", "kept": "kept in the card", "dropped": "dropped"},
		Wrote: "wrote %s", Would: "would write %s", Dry: "nothing was written (--dry-run)", Meet: "talk to them: %s",
		Known: "%s is left out: the same chat is there already, as the branch %s; --again brings it in once more", Empty: "%s: nothing in it could be used", Same: "(and in %d more places)",
		Notes: map[string]string{
			"import_read":        "→ {1}",
			"import_no_data":     "no `data`: read as a V1 card",
			"import_bytes":       "bytes that are no UTF-8 became �",
			"import_type":        "a {2} where a {1} was expected",
			"import_both":        "the picture holds more than one card: `{1}` is read, `{2}` is not",
			"import_crc":         "the checksum of `{1}` in the picture is wrong",
			"import_control":     "{1} control characters taken out",
			"import_macro":       "{1} → {2} ({3}×)",
			"import_unknown":     "{1} is not filled in by fabula: it stays as text",
			"import_brace":       "{1} → {2}, since fabula fills in braces",
			"import_no_place":    "fabula has no place for it",
			"import_html":        "HTML is taken out, its text stays",
			"import_no_speaker":  "{1} example lines without a speaker",
			"import_regex":       "{1} is a pattern; fabula looks for words",
			"import_logic":       "the rule {1} for secondary keys: fabula asks for one of them",
			"import_disabled":    "switched off",
			"import_no_keys":     "no key that could bring it up, and not constant",
			"import_no_text":     "no text",
			"import_decorator":   "{1}",
			"import_range":       "{1} → {2}",
			"import_chance":      "a chance of {1} in 100: it comes up always",
			"import_case":        "keys are found in capitals and small letters alike",
			"import_position":    "{1}: fabula places lore itself",
			"import_assets":      "{1} other files stay in the archive",
			"import_too_many":    "{1} entries, {2} are read",
			"import_picture":     "the picture is {1}: it is not kept",
			"import_id":          "{1} is taken: the id is {2}",
			"import_keeps_apart": "{1} alternate greetings; fabula has one greeting",
			"import_hidden":      "{1} hidden messages are read like others",
			"import_swipe":       "swipe {1} of {2} is not there: the last one is taken",
			"import_mes":         "the text shown is no swipe: it is added as one",
			"import_date":        "{1} is no date: the time of the one before is taken",
			"import_media":       "{1}: pictures and files stay in SillyTavern",
			"import_no_message":  "a line that is no message",
		},
	}
}

func importZH() Import {
	return Import{
		Kinds: map[string]string{"card_v1": "V1 角色卡", "card_v2": "V2 角色卡", "card_v3": "V3 角色卡", "lorebook": "世界书", "chat": "SillyTavern 聊天记录"},
		Fates: map[string]string{"read": "读入", "coerced": "改动", "kept": "留在卡片里", "dropped": "舍弃"},
		Wrote: "已写入 %s", Would: "将写入 %s", Dry: "没有写入任何东西（--dry-run）", Meet: "和 TA 聊聊：%s",
		Known: "%s 没有导入：同一段聊天已经在了，是分支 %s；加 --again 再导入一次", Empty: "%s：里面没有能用的东西", Same: "（另有 %d 处）",
		Notes: map[string]string{
			"import_read":        "→ {1}",
			"import_no_data":     "没有 `data`：按 V1 卡片读取",
			"import_bytes":       "不是 UTF-8 的字节变成了 �",
			"import_type":        "应为 {1}，实为 {2}",
			"import_both":        "图片里不止一张卡：读了 `{1}`，没读 `{2}`",
			"import_crc":         "图片中 `{1}` 的校验和不对",
			"import_control":     "去掉了 {1} 个控制字符",
			"import_macro":       "{1} → {2}（{3} 处）",
			"import_unknown":     "fabula 不会替换 {1}：原样保留",
			"import_brace":       "{1} → {2}，因为 fabula 会替换花括号",
			"import_no_place":    "fabula 没有放它的地方",
			"import_html":        "去掉了 HTML 标记，保留文字",
			"import_no_speaker":  "{1} 行示例没有说话人",
			"import_regex":       "{1} 是正则表达式；fabula 只找词",
			"import_logic":       "次要关键词的规则 {1}：fabula 只要求有其中一个",
			"import_disabled":    "已关闭",
			"import_no_keys":     "没有能触发它的关键词，也不是常驻",
			"import_no_text":     "没有内容",
			"import_decorator":   "{1}",
			"import_range":       "{1} → {2}",
			"import_chance":      "触发概率为百分之 {1}：在这里总会触发",
			"import_case":        "关键词不分大小写",
			"import_position":    "{1}：fabula 自己安排设定的位置",
			"import_assets":      "另外 {1} 个文件留在压缩包里",
			"import_too_many":    "{1} 个条目，只读 {2} 个",
			"import_picture":     "图片{1}：不保留",
			"import_id":          "{1} 已被占用：标识改为 {2}",
			"import_keeps_apart": "{1} 句备用问候；fabula 只有一句问候",
			"import_hidden":      "{1} 条隐藏消息按普通消息读取",
			"import_swipe":       "第 {1} 条备选不存在（共 {2} 条）：取最后一条",
			"import_mes":         "显示的文本不在备选之中：添为一条备选",
			"import_date":        "{1} 不是日期：沿用前一条的时间",
			"import_media":       "{1}：图片和文件留在 SillyTavern",
			"import_no_message":  "这一行不是消息",
		},
	}
}
