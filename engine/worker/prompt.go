package worker

import (
	"errors"
	"fmt"
	"slices"

	"fabula/engine"
	"fabula/engine/chat"
)

// prompter turns messages into token ids. It is safe for concurrent use.
type prompter struct {
	b        Backend
	facts    Facts
	template *chat.Template
	pieces   *pieces
}

// prompt is a request in tokens.
type prompt struct {
	ids   []int32
	count engine.Count
}

func newPrompter(b Backend) (*prompter, error) {
	f := b.Facts()
	t, err := chat.New(f.Template, f.BOS, f.EOS)
	if err != nil {
		return nil, fmt.Errorf("chat template of %s: %w: %w", f.Model, engine.ErrIncompatible, err)
	}
	return &prompter{b: b, facts: f, template: t, pieces: &pieces{split: b.Tokens}}, nil
}

// tokens renders the messages and tokenises every piece apart: what people
// wrote with control tokens off, what the template says with them on. So the
// number of control ids depends on the template alone.
func (p *prompter) tokens(messages []engine.Message) (prompt, error) {
	if len(messages) == 0 {
		return prompt{}, errors.New("prompt: no messages")
	}
	pieces, err := p.template.Render(messages)
	if err != nil {
		return prompt{}, fmt.Errorf("prompt: %w", err)
	}
	out := prompt{count: engine.Count{Parts: emptyCounts(messages)}}
	mark := ""
	for _, piece := range pieces {
		ids, err := p.pieces.of(piece.Text, piece.Control)
		if err != nil {
			return prompt{}, fmt.Errorf("prompt: %w", err)
		}
		out.ids = append(out.ids, ids...)
		if piece.Control {
			out.count.Control += len(ids)
			mark += piece.Text
		} else {
			out.count.Parts[piece.Message][piece.Part] += len(ids)
			out.count.Marks, mark = append(out.count.Marks, mark), ""
		}
	}
	out.count.Marks = append(out.count.Marks, mark)
	return p.first(out), p.check(out.ids)
}

// first puts the token that the model expects before everything.
func (p *prompter) first(out prompt) prompt {
	if p.facts.First >= 0 && (len(out.ids) == 0 || out.ids[0] != p.facts.First) {
		out.ids = append([]int32{p.facts.First}, out.ids...)
		out.count.Control++
		out.count.Marks[0] = p.b.Name(p.facts.First) + out.count.Marks[0]
	}
	return out
}

// check refuses ids outside the vocabulary, which native code would read past.
func (p *prompter) check(ids []int32) error {
	for _, id := range ids {
		if id < 0 || int(id) >= p.facts.Vocab {
			return fmt.Errorf("prompt: %w: token %d of a vocabulary of %d", engine.ErrIncompatible, id, p.facts.Vocab)
		}
	}
	return nil
}

// fit refuses a prompt that leaves no room for its reply, of which some tokens
// may be given.
func (p *prompter) fit(pr prompt, r engine.Request) error {
	reply := max(r.Sampling.MaxTokens, len(r.Begin)+1)
	if len(pr.ids)+reply > p.facts.Context {
		return &TooLong{Prompt: len(pr.ids), Reply: reply, Window: p.facts.Context}
	}
	return nil
}

// begin refuses tokens that no reply can begin with.
func (p *prompter) begin(ids []int32) error {
	for _, id := range ids {
		if p.b.Ends(id) || slices.Contains(p.facts.Banned, id) {
			return fmt.Errorf("begin: token %d %q is a control token, which no reply holds", id, p.b.Name(id))
		}
	}
	return p.check(ids)
}

func emptyCounts(messages []engine.Message) [][]int {
	parts := make([][]int, len(messages))
	for i, m := range messages {
		parts[i] = make([]int, len(m.Parts))
	}
	return parts
}
