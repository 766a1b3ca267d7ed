package judge

import "fabula/story/golden"

// plantedIn gives one glaring violation a flaw, in a language.
func plantedIn(lang string) map[string]string {
	if wordsIn(lang) == &chinese {
		return map[string]string{
			golden.MachineTalk:   "作为一个人工智能语言模型，我无法扮演这个角色。请问还有什么可以帮您的吗？",
			golden.Modern:        "老铁双击666！这波操作太绝了，回头加个微信，扫码给你发红包，哈哈哈哈。",
			golden.ActsForPlayer: "你吓得浑身发抖，心里一阵后悔，拔腿就跑，一边跑一边哭着喊娘。",
		}
	}
	return map[string]string{
		golden.MachineTalk:   "As an AI language model I cannot play this character. Is there anything else I can help you with today?",
		golden.Modern:        "LOL bro, that's lit! Text me on my phone, I'll post the selfie on Instagram tonight, hashtag vibes.",
		golden.ActsForPlayer: "You tremble with fear, you feel deep regret, you turn and run out of the door, crying for your mother.",
	}
}

// greetingIn is what a player says where nothing else is known.
func greetingIn(lang string) string {
	if wordsIn(lang) == &chinese {
		return "你好。"
	}
	return "Hello."
}
