// Package jsonl writes what was played as training data, an object a line:
//
//	jsonl/openai.jsonl      {"messages":[{"role","content"}]}, a line for each NPC of a branch
//	jsonl/sharegpt.jsonl    {"conversations":[{"from","value"}]}, the same
//	jsonl/preference.jsonl  {"input","preferred_output","non_preferred_output"}: a reply that a
//	                        person starred or wrote against each of the others to the same line
//
// A conversation is what one NPC heard and said. Roles alternate: after the
// system message comes the user. What other NPCs say stands in user messages
// behind their names, narration in brackets. Secrets are in no system message.
// A reply with a finding at error level has weight 0 in openai.jsonl.
//
// Branches that a simulated player played are left out: they would teach a
// model what no person did. UTF-8, no byte order mark, \n.
package jsonl

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"unicode/utf8"

	"fabula/personas/lint"
	"fabula/story"
	"fabula/story/export"
)

// message is one entry of a chat in OpenAI's form.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
	Weight  *int   `json:"weight,omitempty"`
}

type openAI struct {
	Messages []message `json:"messages"`
}

type shareGPT struct {
	Conversations []turn `json:"conversations"`
}

type turn struct {
	From  string `json:"from"`
	Value string `json:"value"`
}

type preference struct {
	Input        openAI    `json:"input"`
	Preferred    []message `json:"preferred_output"`
	NonPreferred []message `json:"non_preferred_output"`
}

// Omits reports whether a branch is left out: what a simulated player said would
// teach a model to speak like one.
func Omits(b export.Branch, _ bool) bool { return slices.Contains(b.Tags, story.SimulatedTag) }

// Files gives the three files; a world in which a person has not played yet has
// empty ones.
func Files(in export.Input) ([]export.File, error) {
	var chats, shares, pairs lines
	paired := map[story.ID]bool{}
	for _, b := range in.Branches {
		if Omits(b, in.Named) {
			continue
		}
		if err := valid(b); err != nil {
			return nil, err
		}
		for _, npc := range speakers(b) {
			c := conversation{in: in, branch: b, npc: npc}
			list := c.whole()
			if list == nil {
				continue
			}
			chats.add(openAI{list})
			shares.add(shared(list))
		}
		for i, s := range b.Steps {
			if !paired[s.Turn.ID] {
				paired[s.Turn.ID] = true
				for _, p := range pairsAt(in, b, i) {
					pairs.add(p)
				}
			}
		}
	}
	for _, l := range []*lines{&chats, &shares, &pairs} {
		if l.err != nil {
			return nil, fmt.Errorf("jsonl: %w", l.err)
		}
	}
	return []export.File{{Name: "jsonl/openai.jsonl", Data: chats.Bytes()}, {Name: "jsonl/sharegpt.jsonl", Data: shares.Bytes()},
		{Name: "jsonl/preference.jsonl", Data: pairs.Bytes()}}, nil
}

// lines encodes one object a line.
type lines struct {
	bytes.Buffer
	err error
}

func (l *lines) add(v any) {
	enc := json.NewEncoder(&l.Buffer) // it writes U+2028 and U+2029 as escapes
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil && l.err == nil {
		l.err = err
	}
}

func shared(list []message) shareGPT {
	from := map[string]string{"system": "system", "user": "human", "assistant": "gpt"}
	var out shareGPT
	for _, m := range list {
		out.Conversations = append(out.Conversations, turn{from[m.Role], m.Content})
	}
	return out
}

// speakers lists who replied on a branch, in order of their first reply.
func speakers(b export.Branch) []string {
	var all []string
	for _, s := range b.Steps {
		if by := s.Alternative.Speaker; by != "" && s.Alternative.Text != "" && !slices.Contains(all, by) {
			all = append(all, by)
		}
	}
	return all
}

// pairsAt holds what a person approved of a turn against the rest.
func pairsAt(in export.Input, b export.Branch, at int) []preference {
	all := in.Beside[b.Steps[at].Turn.ID]
	var out []preference
	for _, good := range all {
		if !approved(good) {
			continue
		}
		c := conversation{in: in, branch: b, npc: good.Speaker}
		var before []message // of all pairs the same
		for _, bad := range all {
			if approved(bad) || bad.Speaker != good.Speaker || bad.Text == "" || bad.Text == good.Text || bad.Status != story.Finished {
				continue
			}
			if before == nil {
				before = c.before(at)
			}
			out = append(out, preference{Input: openAI{before},
				Preferred: []message{{Role: "assistant", Content: good.Text}}, NonPreferred: []message{{Role: "assistant", Content: bad.Text}}})
		}
	}
	return out
}

func approved(a story.Alternative) bool {
	return (a.Mark || a.Human) && a.Text != "" && a.Speaker != "" && a.Status == story.Finished
}

// faulty reports a reply that should teach nobody.
func faulty(a story.Alternative) bool {
	return slices.ContainsFunc(a.Findings, func(f lint.Finding) bool { return f.Level == lint.Error })
}

// valid guards against bytes that JSON would change without a word.
func valid(b export.Branch) error {
	for _, s := range b.Steps {
		if !utf8.ValidString(s.Turn.Input.Text) || !utf8.ValidString(s.Alternative.Text) {
			return fmt.Errorf("jsonl: %s holds bytes that are no UTF-8: %w", b.At(s.Turn), export.ErrCannotCarry)
		}
	}
	return nil
}
