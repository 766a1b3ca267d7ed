package prompt

import (
	"strings"

	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
)

// phrases are the sentences that carry authored text into a prompt, in the
// language of the reply. They are short, because the models are small. %s
// stands for authored text.
type phrases struct {
	stay, answer, limit, only, cues, noCues, taboo string // rules
	you, tale, era, with                           string

	voice, traits, past, self, calls string // persona

	samples, sampleNow string
	named              string // NAME, text
	narration          string

	secret, cover, fact, goal, castGoal, memory, heard, chosen, betrayed, soFar string
	now, present, anchor, anchorTouched, anchorDue, anchorGentle                string
	says, next, said, lead                                                      string

	list, stop                       string // between items; at the end of a sentence
	wide                             bool   // written in wide characters
	tags                             map[string]string
	seasons                          map[string]string
	sameSeason, lastSeason, yearsAgo string
	recalled, turnsAgo               string // when, text; number
	before                           string // heads the summary of what is cut
}

// phrasing picks the phrases for a reply language: Chinese for Chinese,
// English for every other, naming the language.
func phrasing(lang string) phrases {
	if base, _ := language.Make(lang).Base(); base.String() == "zh" {
		return chinese()
	}
	return english(languageName(lang))
}

// languageName gives the English name of a language code, or the code.
func languageName(lang string) string {
	if name := display.English.Tags().Name(language.Make(lang)); name != "" && language.Make(lang) != language.Und {
		return name
	}
	return lang
}

func english(name string) phrases {
	return phrases{
		you:  "You are %s, %s. ",
		tale: "The story is %s. ",
		era:  "The time: %s. ",
		with: "You talk with %s, %s. ",

		stay:   "Stay in character. ",
		answer: "Answer in " + name + ", in one to three sentences",
		limit:  ", at most %s words",
		only:   "Speak only as %s: no words or deeds of others, no name in front, no narration. ",
		cues:   "The only stage directions allowed: %s. ",
		noCues: "No stage directions. ",
		taboo:  "Never say: %s.",

		voice: "Your voice: %s", traits: "You are: %s.", past: "Your past: %s",
		self: "Your word for yourself: %s.", calls: "You call %s %s.",

		samples: "This is how you answer:", sampleNow: "This is how you answer now:",
		named: "%s: %s", narration: "(%s)",

		secret: "A secret you may now tell: %s", cover: "There is something you hide. Asked about it, you say: %s",
		fact: "You know: %s", goal: "You want: %s", castGoal: "At this moment you want: %s",
		memory: "You remember: %s", heard: "You were told: %s",
		chosen: "You were told what %s chose: %s", betrayed: "%s told you a secret: %s",
		soFar: "So far: %s",
		now:   "Now: %s", present: "Present: %s", anchor: "Bring this up soon: %s",
		anchorTouched: "Only if it fits what was just said: %s", anchorDue: "Bring this up now: %s",
		anchorGentle: "When the talk allows it, bring this up: %s",
		says:         "Answer in a sentence or two. %s says:", next: "(%s speaks next.)", said: "(You have just said: %s)", lead: "(%s is here.)",

		list: ", ", stop: ".",
		tags:       map[string]string{},
		seasons:    map[string]string{"spring": "spring", "summer": "summer", "autumn": "autumn", "winter": "winter"},
		sameSeason: " (this %s)", lastSeason: " (last %s)", yearsAgo: " (in %s, %d years ago)",
		recalled: "You recall%s: %s", turnsAgo: " (%d turns ago)",
		before: "What happened before, in short:",
	}
}

func chinese() phrases {
	return phrases{
		you:  "你是%s，%s。",
		tale: "故事：%s。",
		era:  "时代：%s。",
		with: "你在和%s说话：%s。",

		stay:   "不要出戏。",
		answer: "用中文回答，一到三句话",
		limit:  "，不超过%s个字",
		only:   "只说%s自己的话：不替别人说话，不替别人行动，前面不写名字，不写旁白。",
		cues:   "动作神态只许用这些：%s。",
		noCues: "不写动作神态。",
		taboo:  "绝不说这些词：%s。",

		voice: "你说话的样子：%s", traits: "你的性情：%s。", past: "你的来历：%s",
		self: "你自称：%s。", calls: "你称%s为“%s”。",

		samples: "你这样答话：", sampleNow: "你现在这样答话：",
		named: "%s：%s", narration: "（%s）",

		secret: "你现在可以说出的秘密：%s", cover: "有件事你要瞒着。被问到时你说：%s",
		fact: "你知道：%s", goal: "你想：%s", castGoal: "此刻你想：%s",
		memory: "你记得：%s", heard: "你听说：%s",
		chosen: "你听说%s选了：%s", betrayed: "%s告诉过你一个秘密：%s",
		soFar: "到现在为止：%s",
		now:   "此刻：%s", present: "在场：%s", anchor: "尽快提起：%s",
		anchorTouched: "与刚才的话合得上才提：%s", anchorDue: "现在就提起：%s",
		anchorGentle: "话头合适时提起：%s",
		says:         "只答一两句。%s说：", next: "（轮到%s说话。）", said: "（你刚说过：%s）", lead: "（%s在这里。）",

		list: "、", stop: "。", wide: true,
		tags:       map[string]string{"place": "地点", "time": "时间", "weather": "天气", "mood": "气氛", "music": "音乐"},
		seasons:    map[string]string{"spring": "春天", "summer": "夏天", "autumn": "秋天", "winter": "冬天"},
		sameSeason: "（这个%s）", lastSeason: "（上一个%s）", yearsAgo: "（%s，%d年前）",
		recalled: "你想起%s：%s", turnsAgo: "（%d轮之前）",
		before: "此前的事，简要：",
	}
}

// bare takes the full stop from the end of a text that goes into a sentence.
func bare(s string) string { return strings.TrimRight(strings.TrimSpace(s), ".。 ") }
