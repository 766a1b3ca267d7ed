package lint

import (
	"strconv"
	"strings"
)

// anachronism finds words for what was not known in the year in which the world
// plays, and the clock and per cent of a later time. Without a year it is silent.
func anachronism(in *reading) []Finding {
	if in.Year == nil {
		return nil
	}
	var out []Finding
	for _, h := range of(in.hits, CodeAnachronism) {
		if h.year > *in.Year {
			out = append(out, warn(CodeAnachronism, h.span, in.Text[h.span[0]:h.span[1]], strconv.Itoa(h.year)))
		}
	}
	if *in.Year < firstMinutes && strings.ContainsAny(in.Text, "0123456789百点") {
		for _, m := range clockOrShare().FindAllStringIndex(in.Text, -1) {
			out = append(out, warn(CodeAnachronism, [2]int{m[0], m[1]}, in.Text[m[0]:m[1]], strconv.Itoa(firstMinutes)))
		}
	}
	return once(out)
}

// firstMinutes is about when clocks with a minute hand and per cent signs
// became common.
const firstMinutes = 1700

var clockOrShare = pattern(`(?i)\b\d{1,2}:[0-5]\d\b|\b\d{1,2} ?[ap]\.?m\b\.?|\d+(?:\.\d+)? ?[%％]|百分之[一二三四五六七八九十百零\d]+|\d{1,2}点\d{1,2}分|[一二三四五六七八九十]{1,3}点(?:钟|半|[一二三四五六七八九十]{1,3}分|一刻|三刻)`)
