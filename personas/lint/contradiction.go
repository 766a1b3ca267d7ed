package lint

import (
	"regexp"
	"slices"
	"strings"
)

// Tag is something that the scene says, in all wordings: weather, time.
type Tag struct {
	Key    string
	Values []string
}

// fact is a value of a scene's tag: the words by which an author writes it, and
// what somebody says for whom it holds now.
type fact struct {
	key, value string
	names      []string
	hints      []string // one of which stands in whatever says matches
	says       func() *regexp.Regexp
}

var facts = []fact{
	{"weather", "rain", []string{"rain", "雨"}, []string{"rain", "pour", "雨"}, pattern(`(?i)\b(?:it is|it's) (?:still )?(?:raining|pouring)\b|\bthis (?:rain|downpour)\b|(?:正|还|还在|又)下着?(?:大)?雨|雨(?:正|还)下|这(?:场)?(?:大)?雨`)},
	{"weather", "snow", []string{"snow", "雪"}, []string{"snow", "blizzard", "雪"}, pattern(`(?i)\b(?:it is|it's) (?:still )?snowing\b|\bthis (?:snow|blizzard)\b|\bthe snow is (?:so |too )?(?:deep|thick|heavy)|雪下得(?:这|那|真|好)|(?:正|还|还在|又)下着?(?:大)?雪|雪(?:正|还)下|这(?:场)?(?:大)?雪`)},
	{"weather", "clear", []string{"clear", "sunny", "晴", "fair"}, []string{"cloud", "sun", "clear", "a fine", "a lovely", "a beautiful", "a glorious", "weather", "云", "晴", "太阳", "天气"}, pattern(`(?i)\bnot a cloud\b|\b(?:under|in) this sun(?:shine)?\b|\bwhat a sunny\b|\bthe sun (?:is|shines) (?:so )?(?:bright|hot)|\bsuch a clear (?:day|night|sky)|\bwhat a (?:fine|lovely|beautiful|glorious) (?:sunny )?(?:day|weather)|\b(?:fine|lovely|beautiful) weather\b|万里无云|一丝云都没有|天气(?:真|这么|可真)(?:好|晴)|太阳晒|大晴天|太阳(?:真|好|这么)(?:大|毒|好)|晴空`)},
	{"time", "night", []string{"night", "midnight", "夜", "三更", "二更", "子时"}, []string{"night", "moon", "stars", "夜", "月"}, pattern(`(?i)\bat this hour of (?:the )?night\b|\bthe (?:moon|stars) (?:is|are) (?:so )?(?:bright|high)|\bthis late at night\b|(?:这|都)(?:深更半夜|大半夜)|月(?:亮|色)(?:真|好|正)`)},
	{"time", "morning", []string{"morning", "dawn", "sunrise", "早", "晨", "黎明", "拂晓"}, []string{"morning", "risen", "up", "早", "亮"}, pattern(`(?i)\bgood morning\b|\bthis (?:fine |early )?morning's? (?:is|sun|light)|\bthe sun (?:is just|has just) (?:up|risen)|早上好|早安|一大早的|天刚(?:蒙蒙)?亮`)},
	{"time", "day", []string{"noon", "afternoon", "day", "午", "白天", "白昼"}, []string{"noon", "daylight", "midday", "白天", "当空", "太阳", "日头", "午"}, pattern(`(?i)\bgood afternoon\b|\bthe (?:midday|noon|afternoon) sun\b|\bin broad daylight\b|\bthe (?:midday|noon|afternoon) (?:heat|light)\b|正午的(?:日头|太阳)|大白天的?|(?:日头|太阳)正(?:高|毒|当空)|下午好|大中午`)},
}

// agrees lists values of one key that do not exclude one another.
var agrees = map[string]string{"morning": "day", "day": "morning"}

// contradiction finds words for another weather or time of day than the scene
// has, and absent NPCs who are spoken of as if they stood there. A quotation
// is left out, and so is a sentence that denies, asks or supposes.
func contradiction(in *reading) []Finding {
	text := in.unquoted()
	var out []Finding
	for _, tag := range in.Scene {
		held := valuesOf(tag)
		if len(held) == 0 {
			continue
		}
		for _, f := range facts {
			if f.key != tag.Key || slices.Contains(held, f.value) || slices.Contains(held, agrees[f.value]) {
				continue
			}
			if !slices.ContainsFunc(f.hints, func(h string) bool { return strings.Contains(text, h) }) {
				continue
			}
			for _, m := range f.says().FindAllStringIndex(text, -1) {
				if !supposed(text, m[0]) {
					out = append(out, warn(CodeContradiction, [2]int{m[0], m[1]}, in.Text[m[0]:m[1]], strings.Join(tag.Values, " ")))
				}
			}
		}
	}
	return once(append(out, absent(in, text)...))
}

func valuesOf(tag Tag) []string {
	var held []string
	for _, f := range facts {
		for _, v := range tag.Values {
			if f.key == tag.Key && slices.ContainsFunc(f.names, func(n string) bool { return strings.Contains(strings.ToLower(v), n) }) {
				held = append(held, f.value)
			}
		}
	}
	return held
}

var (
	ifs    = pattern(`(?i)\b(?:if|when|once|until|unless|not|n't|never|no|last|yesterday|tomorrow|after|before|was|were)\b|如果|要是|等|若|不|没|别|昨|明天|去年|那年|那天|当年|之前|以前|过后`)
	hereEN = ` (?:is|stands|sits) (?:right |standing |sitting |just )*(?:here|right there|beside you|behind you|next to you|over there by the)`
	hereZH = `(?:就|正|还)?(?:站|坐|躲)?在(?:这儿|这里|你身后|你身边|你旁边|旁边|门口|那边|那儿|那里|对面|角落|柜台|桌边|火边)`
)

// supposed reports whether the sentence before byte at denies, supposes or
// speaks of another time.
func supposed(text string, at int) bool {
	from := strings.LastIndexAny(text[:at], ".!?\n") + 1
	for _, mark := range []string{"。", "！", "？", "；"} {
		if i := strings.LastIndex(text[:at], mark); i >= from {
			from = i + len(mark)
		}
	}
	return ifs().MatchString(text[from:at])
}

func absent(in *reading, text string) []Finding {
	var out []Finding
	for _, name := range in.Absent {
		if !strings.Contains(text, name) {
			continue
		}
		for _, m := range about(calledTo(name)).FindAllStringSubmatchIndex(text, -1) {
			out = append(out, warn(CodeContradiction, [2]int{max(m[2], m[4]), max(m[3], m[5])}, name, name))
		}
		here := about(regexp.QuoteMeta(name) + "(?:" + hereEN + "|" + hereZH + ")")
		for _, m := range here.FindAllStringIndex(text, -1) {
			if !supposed(text, m[0]) && !asked(text, m[1]) {
				out = append(out, warn(CodeContradiction, [2]int{m[0], m[1]}, in.Text[m[0]:m[1]], name))
			}
		}
	}
	return out
}

// calledTo matches a name by which somebody is spoken to: at the beginning of a
// sentence before a comma, or at the end of a command.
func calledTo(name string) string {
	n := regexp.QuoteMeta(name)
	return `(?:^|[.!?。！？\n“"])\s*(` + n + `)\s*[,，](?:\s*(?:you|your|come|go|shut|open|bring|take|get|stop|wait|look|listen|tell|leave|sit|don't)\b|\s*[你您把快别去来给拿坐听看开关等])` +
		`|(?:^|[.!?\n“"])\s*(?:Shut|Open|Bring|Take|Get|Stop|Wait|Look|Listen|Tell|Leave|Sit|Come|Go|Don't|Put|Give|Help)\b[^.!?\n]*, (` + n + `)[.!?]`
}

// asked reports whether the sentence around byte at is a question.
func asked(text string, at int) bool {
	i := strings.IndexAny(text[at:], ".!?。！？\n")
	return i >= 0 && (strings.HasPrefix(text[at+i:], "?") || strings.HasPrefix(text[at+i:], "？"))
}
