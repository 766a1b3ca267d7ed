package chat

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nikolalohinski/gonja/v2/config"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/loaders"
	"github.com/nikolalohinski/gonja/v2/tokens"
)

// Bounds of one template. Known templates take 20 KB, nest ten deep and render
// a long chat in milliseconds.
const (
	maxSource  = 64 << 10
	maxNesting = 100
	maxOutput  = 1 << 20
	maxRun     = 2 * time.Second
)

// program is a compiled template.
type program struct {
	template *exec.Template
	bos, eos string
}

// compile parses a template in an environment without files. It never panics.
func compile(src, bos, eos string) (p *program, err error) {
	defer caught(&err)
	if len(src) > maxSource {
		return nil, fmt.Errorf("it has %d bytes, more than %d", len(src), maxSource)
	}
	cfg := config.New()
	cfg.TrimBlocks, cfg.LeftStripBlocks = true, true // as transformers sets Jinja up
	if err := screen(src, cfg); err != nil {
		return nil, err
	}
	loader, err := loaders.NewMemoryLoader(map[string]string{"/template": src})
	if err != nil {
		return nil, err
	}
	t, err := exec.NewTemplate("/template", cfg, loader, environment())
	if err != nil {
		return nil, errors.New(brief(err, src))
	}
	return &program{template: t, bos: bos, eos: eos}, nil
}

// screen refuses what the renderer cannot bound while it runs: nesting that
// would exhaust the stack, repetition of strings, recursive loops.
func screen(src string, cfg *config.Config) error {
	depth := 0
	stream := tokens.LexAll(src, cfg)
	var before *tokens.Token
	for ; !stream.End(); stream.Next() {
		tok := stream.Current()
		switch tok.Type {
		case tokens.Error:
			return fmt.Errorf("line %d: %s", tok.Line, tok.Val)
		case tokens.LeftParenthesis, tokens.LeftBracket, tokens.LeftBrace:
			depth++
		case tokens.RightParenthesis, tokens.RightBracket, tokens.RightBrace:
			depth--
		case tokens.Multiply, tokens.Power:
			return fmt.Errorf("line %d: multiplication is not allowed", tok.Line)
		case tokens.Name, tokens.Not, tokens.Subtraction, tokens.Addition, tokens.In, tokens.Is, tokens.And, tokens.Or:
			depth += nesting(tok, before)
		}
		if depth > maxNesting {
			return fmt.Errorf("line %d: nested more than %d deep", tok.Line, maxNesting)
		}
		if tok.Type == tokens.Name && tok.Val == "recursive" {
			return fmt.Errorf("line %d: recursive loops are not allowed", tok.Line)
		}
		if tok.Type != tokens.Whitespace {
			before = tok
		}
	}
	return nil
}

// nesting counts blocks, and operators that stand before their operand, which a
// parser follows down one by one.
func nesting(tok, before *tokens.Token) int {
	starts := before != nil && before.Type == tokens.BlockBegin
	switch {
	case starts && strings.HasPrefix(tok.Val, "end"):
		return -1
	case starts && (tok.Val == "if" || tok.Val == "for" || tok.Val == "macro" || tok.Val == "with"):
		return 1
	case prefix(tok) && before != nil && prefix(before):
		return 1
	}
	return 0
}

// prefix says whether tok can stand before its operand any number of times.
func prefix(tok *tokens.Token) bool {
	return tok.Type == tokens.Not || tok.Type == tokens.Subtraction || tok.Type == tokens.Addition
}

// run renders turns and opens the assistant's. It never panics.
func (p *program) run(turns []turn, typed bool) (text string, err error) {
	defer caught(&err)
	limits := &budget{until: time.Now().Add(maxRun)}
	out := &bounded{budget: limits}
	err = p.template.Execute(out, exec.NewContext(map[string]any{
		budgetName:              limits,
		"messages":              entries(turns, typed),
		"bos_token":             p.bos,
		"eos_token":             p.eos,
		"add_generation_prompt": true,
		"enable_thinking":       false, // an NPC answers; it does not think aloud
	}))
	if limits.broken != nil {
		return "", limits.broken
	}
	if err != nil {
		return "", errors.New(brief(err, ""))
	}
	return out.text.String(), nil
}

// entries gives turns the shape that templates read.
func entries(turns []turn, typed bool) []any {
	list := make([]any, 0, len(turns))
	for _, t := range turns {
		var content any = t.content
		if typed {
			content = []any{map[string]any{"type": "text", "text": t.content}}
		}
		list = append(list, map[string]any{"role": string(t.role), "content": content})
	}
	return list
}

// caught turns a panic of the template library into an error.
func caught(err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("the template library failed: %.200v", r)
	}
}

// brief shortens an error of the library, which quotes whole templates.
func brief(err error, src string) string {
	text := err.Error()
	if src != "" {
		text = strings.ReplaceAll(text, src, "…")
	}
	if runes := []rune(text); len(runes) > 400 {
		text = "…" + string(runes[len(runes)-400:])
	}
	return text
}
