package lint

import "strings"

// meta finds talk about the machine behind the persona: what it is, its
// prompt and policies, a helpdesk's offers, template tokens, markup of a
// document.
func meta(in *reading) []Finding {
	out := metaWords(in)
	if strings.ContainsAny(in.Text, "#*-1") {
		for _, m := range markup().FindAllStringIndex(in.Text, -1) {
			out = append(out, warn(CodeMeta, [2]int{m[0], m[1]}, strings.TrimSpace(in.Text[m[0]:m[1]])))
		}
	}
	return once(out)
}

// metaWords is the part of meta that can be told while a reply streams.
func metaWords(in *reading) []Finding {
	var out []Finding
	for _, h := range of(in.hits, CodeMeta) {
		out = append(out, warn(CodeMeta, h.span, in.Text[h.span[0]:h.span[1]]))
	}
	return out
}

// markup is a heading, a bold label or a list, at the start of a line.
var markup = pattern(`(?m)^#{1,6} \S[^\n]*|^\*\*[^*\n]{2,40}[:：]?\*\*[:：]?|^(?:[-*•] \S[^\n]*\n?){2,}|^(?:\d\. ?\S[^\n]*\n?){2,}`)
