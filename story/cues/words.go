package cues

import (
	"strings"

	"fabula/story/plot"
)

// chinese lists Chinese words for the cues that worlds name most. Ids are
// English; a reply in Chinese says them so. A cue that is not listed is found
// only by its id.
func chinese(id string) []string {
	switch id {
	case "nod":
		return []string{"点头", "颔首"}
	case "shake_head":
		return []string{"摇头"}
	case "laugh":
		return []string{"笑", "大笑"}
	case "smile":
		return []string{"微笑", "笑"}
	case "sigh":
		return []string{"叹气", "叹息", "叹了口气", "叹了一口气", "长叹"}
	case "bow":
		return []string{"鞠躬", "作揖", "行礼", "拱手"}
	case "turn_away":
		return []string{"转身", "背过身", "别过脸", "转过头"}
	case "draw_sword":
		return []string{"拔剑", "拔刀", "抽刀"}
	case "pour_tea":
		return []string{"倒茶", "斟茶", "沏茶"}
	case "wipe_table":
		return []string{"擦桌", "抹桌", "擦了擦桌"}
	case "cry":
		return []string{"哭", "落泪", "流泪"}
	case "shrug":
		return []string{"耸肩"}
	case "whisper":
		return []string{"低声", "小声", "耳语"}
	case "frown":
		return []string{"皱眉"}
	case "calm":
		return []string{"平静", "冷静"}
	case "wary":
		return []string{"警惕", "戒备"}
	case "angry":
		return []string{"生气", "愤怒", "怒"}
	case "glad":
		return []string{"高兴", "开心"}
	case "warm":
		return []string{"温和", "和气"}
	case "afraid":
		return []string{"害怕", "惊恐"}
	case "ashamed":
		return []string{"羞愧", "惭愧"}
	case "sad":
		return []string{"难过", "悲伤"}
	}
	return nil
}

// Word says a cue in a language: by the world's own wording, else by a usual word,
// else by its id with blanks.
func Word(known plot.Cues, id, lang string) string {
	words := known.More[id].Words
	for _, t := range words {
		if s := t.By[lang]; s != "" {
			return s
		}
	}
	if strings.HasPrefix(lang, "zh") {
		if w := chinese(id); len(w) > 0 {
			return w[0]
		}
	}
	for _, t := range words {
		if t.Plain != "" {
			return t.Plain
		}
	}
	return strings.ReplaceAll(id, "_", " ")
}
