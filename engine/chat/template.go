package chat

import (
	"errors"
	"fmt"
	"slices"

	"fabula/engine"
)

// Template lays out conversations for one model. It is safe for concurrent use.
type Template struct {
	program *program
	marks   marks
	needs   needs
	notes   []Note
}

// New reads a chat template (Jinja, as GGUF files hold it) and finds out with a
// few conversations of its own what it needs: folding the system role, merging
// neighbours and the like; Notes tells. bos and eos are the texts of the two
// tokens, as a template may write them.
//
// A template that fails at all of them is replaced by our form for its family,
// an absent one by ChatML; of an unknown family it is an error (ErrTemplate).
//
// A template is untrusted: it reads no files, has a set of harmless filters,
// and its size, run time and output are bounded.
func New(src, bos, eos string) (*Template, error) {
	if src == "" {
		return probed(form("chatml"), bos, eos, NoTemplate)
	}
	t, err := asWritten(src, bos, eos)
	if err == nil {
		return t, nil
	}
	ours, known := formFor(src)
	if !known {
		return nil, err
	}
	t, formErr := probed(ours, bos, eos, BuiltinForm)
	if formErr != nil {
		return nil, errors.Join(err, formErr)
	}
	return t, nil
}

// asWritten uses the template itself, rewritten first: the library misreads some
// conditionals without an error, so the text as it stands is the second choice.
func asWritten(src, bos, eos string) (*Template, error) {
	if len(src) <= maxSource {
		if again := plainer(src); again != src {
			if t, err := probed(again, bos, eos); err == nil {
				return t, nil
			}
		}
	}
	return probed(src, bos, eos)
}

// probed compiles src and finds the least that it needs.
func probed(src, bos, eos string, notes ...Note) (*Template, error) {
	p, err := compile(src, bos, eos)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTemplate, err)
	}
	m, err := freeMarks(src + bos + eos)
	if err != nil {
		return nil, err
	}
	t := &Template{program: p, marks: m}
	var first error
	for _, t.needs = range allNeeds() {
		err := t.probe()
		if err == nil {
			t.notes = append(notes, t.needs.notes()...)
			return t, nil
		}
		if first == nil || errors.Is(err, errLimit) {
			first = err
		}
		if errors.Is(err, errLimit) {
			break
		}
	}
	return nil, first
}

// probe renders conversations of every shape that a story sends.
func (t *Template) probe() error {
	const s, u, a = engine.System, engine.User, engine.Assistant
	shapes := [][]engine.Role{{u}, {a, u}, {s, u, a, u}, {s, a, u}, {s, u, u}, {s, u, a, a, u}, {s, u, a, s, u}, {s, u, s}}
	for _, roles := range shapes {
		var messages []engine.Message
		for _, r := range roles {
			messages = append(messages, engine.Message{Role: r, Parts: []string{"x", "y"}})
		}
		if _, err := t.Render(messages); err != nil {
			return err
		}
	}
	return nil
}

// Notes says what was done to please the template, in no more words than codes.
func (t *Template) Notes() []Note { return slices.Clone(t.notes) }

// Render lays out a conversation and opens the assistant's turn. Content pieces
// come in the order of the messages, one for every part, empty ones too, and
// control pieces between them. An error (ErrTemplate) means that the template
// refused, or lost, doubled or reordered content.
func (t *Template) Render(messages []engine.Message) ([]Piece, error) {
	turns, err := t.needs.shape(messages, t.marks)
	if err != nil {
		return nil, err
	}
	text, err := t.program.run(turns, t.needs.typed)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrTemplate, err)
	}
	return t.marks.split(text, messages)
}
