package plot

import (
	"slices"
	"strings"

	"fabula/personas"
)

// Intent is an act with its object and target: "hands over the herbs" whatever
// the words for handing over.
type Intent struct {
	Act    string          // one of Acts
	Object []personas.Text // one of these is what the act is about; none = anything
	Target []personas.Text // one of these is whom it concerns; none = anyone
}

// Acts lists the acts that an intent can have.
func Acts() []string {
	return []string{"accept", "apologise", "ask", "give", "leave", "pay", "promise", "refuse", "show", "take", "tell", "thank", "threaten"}
}

// actWords are words by which somebody does an act in saying so, in English
// and Chinese.
var actWords = map[string][]string{
	"accept":    {"i accept", "i agree", "i'll take it", "agreed", "deal", "it's a deal", "very well", "我答应", "我同意", "成交", "一言为定", "好吧", "我收下", "那就这样"},
	"apologise": {"sorry", "i apologise", "i apologize", "forgive me", "pardon me", "my fault", "对不起", "抱歉", "请原谅", "是我不对", "我错了", "赔罪"},
	"ask":       {"who", "what", "where", "when", "why", "how", "which", "tell me", "do you know", "谁", "什么", "哪", "怎么", "为什么", "为啥", "多少", "请问", "告诉我", "吗"},
	"give":      {"give", "hand over", "here is", "here are", "here's", "take this", "for you", "you can have", "you have it", "have this", "i brought you", "i bring you", "给", "拿着", "拿去", "收下", "递", "送", "分你", "归你", "在这儿", "在这里", "带来了", "还你"},
	"leave":     {"i leave", "i'm leaving", "i am leaving", "i'm going", "i must go", "goodbye", "farewell", "let me out", "我走了", "我要走", "告辞", "再见", "就此别过", "我先走"},
	"pay":       {"pay", "here is the money", "here's the silver", "coppers for you", "付", "付钱", "给钱", "结账", "银子给"},
	"promise":   {"i promise", "i swear", "you have my word", "my word on it", "on my honour", "on my honor", "我保证", "我发誓", "我答应你", "一定做到", "绝不食言", "我起誓"},
	"refuse":    {"i refuse", "i won't", "i will not", "never", "no deal", "not a chance", "不行", "我不", "不答应", "休想", "没门", "办不到", "拒绝"},
	"show":      {"look at this", "look here", "see this", "i show you", "let me show", "behold", "你看这", "看这个", "给你看", "你瞧", "请看"},
	"take":      {"i take", "i'll take", "i pick up", "i grab", "i pocket", "我拿", "我取", "我带走", "我收下", "揣进"},
	"tell":      {"i saw", "i know", "i heard", "listen", "i tell you", "let me tell you", "you should know", "there is", "there are", "he has", "she has", "我看见", "我知道", "我听说", "告诉你", "跟你说", "有件事", "他有", "她有", "里有", "里面有"},
	"thank":     {"thank", "thanks", "much obliged", "grateful", "谢", "多谢", "感激", "有劳"},
	"threaten":  {"or else", "i'll kill", "i will kill", "i'll burn", "i'll break", "you'll regret", "you will regret", "don't make me", "我杀了", "我砸了", "我烧了", "不然就", "否则就", "要你好看", "饶不了", "宰了"},
}

// supposing are words that make an act one that is thought of, not done.
var supposing = []string{"if", "would", "could", "should", "might", "maybe", "perhaps", "pretend", "imagine", "suppose", "yesterday", "tomorrow", "used to", "once upon", "joking",
	"如果", "要是", "假如", "假装", "也许", "大概", "可能", "开玩笑", "昨天", "明天", "以前", "从前", "改天", "等我", "万一"}

// match reports whether a sentence of the text does the act. It has to name act,
// object and target; a question, a denial, a supposition or a quotation does
// nothing, unless asking is the act.
func (in Intent) match(f folded, text string) (Evidence, bool) {
	if in.Act == "" {
		return Evidence{}, false
	}
	for _, s := range f.sentences() {
		if e, ok := in.in(f, s); ok {
			found := e.in(f, text)
			found.Rung = Intents
			return found, true
		}
	}
	return Evidence{}, false
}

func (in Intent) in(f folded, s [2]int) (evidence, bool) {
	part := folded{f.Slice(s[0], s[1])}
	if in.Act != "ask" && part.idle() {
		return evidence{}, false
	}
	e := evidence{from: len(f.Runes)}
	if !e.act(f, part, s[0], in.Act) {
		return e, false
	}
	for _, slot := range []struct {
		name  string
		words []personas.Text
	}{{"object", in.Object}, {"target", in.Target}} {
		if len(slot.words) > 0 && !e.slot(f, part, s[0], slot.name, slot.words) {
			return e, false
		}
	}
	return e, true
}

// act finds a word of the act that nothing denies.
func (e *evidence) act(f, part folded, off int, act string) bool {
	for _, w := range actWords[act] {
		from, to, ok := part.find([]rune(w))
		if ok && (act == "refuse" || act == "ask" || act == "threaten" || !f.negated(off+from)) {
			e.cover(off+from, off+to, "act "+act+": "+w)
			return true
		}
	}
	return false
}

func (e *evidence) slot(f, part folded, off int, name string, words []personas.Text) bool {
	for _, t := range words {
		for _, w := range t.All() {
			if from, to, ok := part.find(trimmed(w)); ok {
				e.cover(off+from, off+to, name+": "+w)
				return true
			}
		}
	}
	return false
}

func (e *evidence) cover(from, to int, rule string) {
	e.from, e.to = min(e.from, from), max(e.to, to)
	e.rules = append(e.rules, rule)
}

// idle reports a sentence in which nothing is done: a question, a supposition,
// or somebody else's words.
func (f folded) idle() bool {
	s := f.String()
	if strings.HasSuffix(s, "?") || strings.HasSuffix(s, "？") || strings.ContainsAny(s, "\"“”「」") {
		return true
	}
	for _, end := range []string{"吗", "么", "呢"} {
		if strings.HasSuffix(strings.TrimRight(s, "。.!！"), end) {
			return true
		}
	}
	return slices.ContainsFunc(supposing, func(w string) bool {
		_, _, ok := f.find([]rune(w))
		return ok
	})
}

// sentences gives the stretches of runes that end a sentence.
func (f folded) sentences() [][2]int {
	var out [][2]int
	from := 0
	for i, r := range f.Runes {
		if strings.ContainsRune(".!?。！？\n", r) {
			out = append(out, [2]int{from, i + 1})
			from = i + 1
		}
	}
	if from < len(f.Runes) {
		out = append(out, [2]int{from, len(f.Runes)})
	}
	return out
}
