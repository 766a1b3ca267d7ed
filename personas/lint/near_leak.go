package lint

import (
	"strconv"
	"strings"

	"fabula/personas"
)

const (
	fewestOfSecret = 4   // terms of a secret, or it is too short to tell by parts
	mostOfSecret   = 0.6 // share of a secret's terms that neighbouring sentences may hold
)

// nearLeak finds up to three sentences that hold most of the words of a secret that was
// locked, in any order: both halves of it said, if not in its wording. What
// `leak` finds it leaves alone.
func nearLeak(in *reading) []Finding {
	if len(in.Locked) == 0 {
		return nil
	}
	w, whole := in.watch(), content(in.Text)
	var out []Finding
	for i, sec := range w.secrets {
		if _, near := telling(w.terms[i], whole); near && in.isLocked(sec.ID) {
			out = append(out, in.tellingSentences(sec, w.terms[i])...)
		}
	}
	if len(out) > 0 && len(leak(in)) > 0 {
		return nil
	}
	return out
}

// tellingSentences finds the first one to three sentences that tell a secret.
func (in *reading) tellingSentences(sec personas.Secret, terms []map[string]bool) []Finding {
	spans := sentences(in.Text)
	for i, s := range spans {
		for _, to := range []int{s[1], spans[min(i+1, len(spans)-1)][1], spans[min(i+2, len(spans)-1)][1]} {
			span := [2]int{s[0], to}
			if share, ok := telling(terms, content(in.Text[span[0]:span[1]])); ok {
				return []Finding{warn(CodeNearLeak, span, in.secretID(sec), quote(in.Text, span), strconv.Itoa(int(share*100)))}
			}
		}
	}
	return nil
}

func (in *reading) secretID(sec personas.Secret) string {
	if in.Persona.ID == "" {
		return sec.ID
	}
	return in.Persona.ID + "." + sec.ID
}

// telling gives the share of a secret's terms that a text holds, and whether
// that is too much.
func telling(wordings []map[string]bool, said map[string]bool) (float64, bool) {
	for _, own := range wordings {
		if len(own) < fewestOfSecret {
			continue
		}
		if share := float64(shared(own, said)) / float64(len(own)); share >= mostOfSecret {
			return share, true
		}
	}
	return 0, false
}

// empty words say nothing of what a sentence is about.
const emptyWords = " a an the and or but of to in on at by for with from as is are was were be been it its this that he she they his her their you your i my we our not no has have had do does did will would can could there here so if then than him them me us who what when where "

// emptyCharacters make a pair of Chinese characters say nothing.
const emptyCharacters = "的了是在里上下着就也都有这那个和与把被给到去来他她它我你您"

// content gives the terms of a text that carry meaning, without plain English
// endings.
func content(text string) map[string]bool {
	out := map[string]bool{}
	for t := range termsOf(text) {
		if strings.Contains(emptyWords, " "+t+" ") || strings.ContainsAny(t, emptyCharacters) {
			continue
		}
		for _, end := range []string{"ing", "ed", "es", "s", "d"} {
			if short, ok := strings.CutSuffix(t, end); ok && len(short) >= 3 {
				t = short
				break
			}
		}
		out[t] = true
	}
	return out
}
