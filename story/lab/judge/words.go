package judge

import (
	"fabula/story/golden"
	"golang.org/x/text/language"
)

// Wording is the version of the questions. Judgements of different wordings, or
// of different judges, are never compared: whoever changes a word here counts up.
const Wording = 1

// words are the questions in one language.
type words struct {
	head, voice, traits, past, goals, never, address string // of a rubric: name or text
	said                                             string // player's line, name, reply
	list                                             string // question, list of options
	yes, no                                          string
	flaws                                            map[string]string // name
	identity                                         string            // reply, list
	pair                                             string            // player's line, name, list
}

// wordsIn gives the questions in a language; English where there are none.
func wordsIn(lang string) *words {
	if base, _ := language.Make(lang).Base(); base.String() == "zh" {
		return &chinese
	}
	return &english
}

var english = words{
	head: "You judge the lines of a character in a game.\nCharacter: %s. %s\n", voice: "How the character speaks: %s\n", traits: "The character is: %s\n",
	past: "The character's past: %s\n", goals: "What the character wants: %s\n", never: "Words that the character never says: %s\n", address: "The character calls the player: %s\n",
	said: "\nThe player says: “%s”\n%s answers: “%s”\n", list: "\n%s\n%sAnswer with one letter.", yes: "yes, it does", no: "no, it does not",
	flaws: map[string]string{
		golden.MachineTalk:   "Does the answer speak as a machine, an assistant or an author, instead of as %s?",
		golden.KnowsTooMuch:  "Does the answer tell something that %s cannot know or would keep secret?",
		golden.Modern:        "Does the answer hold modern slang, or things that do not exist in this world?",
		golden.TraitFlip:     "Does the answer contradict who %s is?",
		golden.OutOfVoice:    "Does the answer use words that %s would not use?",
		golden.ActsForPlayer: "Does the answer say what the player does or feels?",
		golden.IgnoresPlayer: "Does the answer pass over what the player said?",
		golden.AgreesEasily:  "Does %s agree or obey more easily than the character would?",
		golden.Lectures:      "Does %s lecture or explain at length?",
		golden.NamesFeelings: "Does %s name feelings outright that the character would only show?",
	},
	identity: "Somebody in a game says: “%s”\nWho says it?\n%sAnswer with one letter.",
	pair:     "\nThe player says: “%s”\nWhich answer is more what %s would say?\n%sAnswer with one letter.",
}

var chinese = words{
	head: "你来评判游戏角色的台词。\n角色：%s。%s\n", voice: "说话方式：%s\n", traits: "性格：%s\n",
	past: "过去：%s\n", goals: "想要：%s\n", never: "从不说的词：%s\n", address: "怎样称呼玩家：%s\n",
	said: "\n玩家说：“%s”\n%s回答：“%s”\n", list: "\n%s\n%s只回答一个字母。", yes: "是，有", no: "否，没有",
	flaws: map[string]string{
		golden.MachineTalk:   "这个回答是不是像机器、助手或作者在说话，而不是%s？",
		golden.KnowsTooMuch:  "这个回答是不是说出了%s不可能知道或会保密的事？",
		golden.Modern:        "这个回答里有没有现代网络用语，或这个世界里不存在的东西？",
		golden.TraitFlip:     "这个回答是不是与%s的为人相矛盾？",
		golden.OutOfVoice:    "这个回答有没有用%s不会用的词？",
		golden.ActsForPlayer: "这个回答有没有替玩家说出他做什么、感觉什么？",
		golden.IgnoresPlayer: "这个回答是不是没理会玩家说的话？",
		golden.AgreesEasily:  "%s是不是答应或服从得太轻易了？",
		golden.Lectures:      "%s是不是在说教或长篇解释？",
		golden.NamesFeelings: "%s是不是把本该含而不露的感情直接说了出来？",
	},
	identity: "游戏里有人说：“%s”\n这话是谁说的？\n%s只回答一个字母。",
	pair:     "\n玩家说：“%s”\n哪个回答更像%s说的？\n%s只回答一个字母。",
}
