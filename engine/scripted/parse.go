package scripted

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"fabula/engine"
)

// script is a parsed file.
type script struct {
	name      string
	hash      string // SHA-256 of the file, hex
	window    int
	languages []string
	load      time.Duration
	refusal   refusal // of the first loads
	probes    []probe
	likings   []liking
	replies   []reply
}

// reply is what one request gets.
type reply struct {
	match   []string // folded
	queue   time.Duration
	prefill *prefill // nil: as counted
	steps   []step
	refuse  string
}

type prefill struct {
	computed, reused int
	took             time.Duration
}

// step is one token, or what ends the reply when end is set.
type step struct {
	raw     []byte
	after   time.Duration
	id      int32
	logprob float32
	end     engine.Reason // of the last step
	err     error         // of a fault
	hang    bool
}

// SyntaxError is a fault in a script file.
type SyntaxError struct {
	Name string // of the file
	Line int    // from 1
	Msg  string // what is wrong and what to write instead
}

// Error gives "name:line: message".
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("scripted engine: %s:%d: %s", e.Name, e.Line, e.Msg)
}

func parse(data []byte, name string) (*Engine, error) {
	sum := sha256.Sum256(data)
	p := &parser{script: script{name: name, hash: hex.EncodeToString(sum[:])}}
	for i, line := range strings.Split(string(data), "\n") {
		if err := p.line(strings.TrimSpace(line)); err != nil {
			return nil, &SyntaxError{Name: name, Line: i + 1, Msg: err.Error()}
		}
	}
	if len(p.script.replies) == 0 && len(p.script.likings) == 0 {
		return nil, &SyntaxError{Name: name, Line: 1, Msg: "no reply; begin one with a line `reply`"}
	}
	return &Engine{script: p.script, played: make([]int, len(p.script.replies))}, nil
}

type parser struct {
	script script
	ended  bool // the open reply has its last step
}

func (p *parser) line(line string) error {
	if line == "" || strings.HasPrefix(line, "#") {
		return nil
	}
	words, err := split(line)
	if err != nil {
		return err
	}
	key, args := words[0], words[1:]
	if key == "reply" {
		p.script.replies = append(p.script.replies, reply{})
		p.ended = false
		return arity(args, 0, 0, "reply")
	}
	if len(p.script.replies) == 0 {
		return p.setting(key, args)
	}
	return p.inReply(&p.script.replies[len(p.script.replies)-1], key, args)
}

func (p *parser) setting(key string, args []string) (err error) {
	s := &p.script
	switch key {
	case "engine":
		if err = arity(args, 1, 1, "engine NAME"); err == nil {
			s.name = args[0]
		}
	case "window":
		if err = arity(args, 1, 1, "window TOKENS"); err == nil {
			s.window, err = number(args[0])
		}
	case "languages":
		s.languages = args
		err = arity(args, 1, 99, "languages CODE…")
	case "load":
		err = s.loading(args)
	case "probe":
		err = s.probe(args)
	case "choose":
		err = s.choose(args)
	default:
		err = fmt.Errorf("unknown setting %q before the first reply; known: engine, window, languages, load, probe, choose, reply", key)
	}
	return err
}

func (p *parser) inReply(r *reply, key string, args []string) error {
	switch key {
	case "match":
		for _, m := range args {
			r.match = append(r.match, strings.ToLower(m))
		}
		return arity(args, 1, 99, `match "words"…`)
	case "queue":
		return p.queue(r, args)
	case "prefill":
		return p.prefill(r, args)
	}
	if p.ended {
		return fmt.Errorf("%q after the end of the reply; begin another with `reply`", key)
	}
	if key == "refuse" {
		return p.refuse(r, args)
	}
	steps, err := parseStep(key, args)
	if err != nil {
		return err
	}
	r.steps = append(r.steps, steps...)
	last := steps[len(steps)-1]
	p.ended = last.end != "" || last.hang
	return nil
}

func (p *parser) queue(r *reply, args []string) (err error) {
	if err = arity(args, 1, 1, "queue 10ms"); err == nil {
		r.queue, err = duration(args[0])
	}
	return err
}

func (p *parser) prefill(r *reply, args []string) (err error) {
	if err = arity(args, 2, 3, "prefill COMPUTED REUSED [2s]"); err != nil {
		return err
	}
	r.prefill = &prefill{}
	if r.prefill.computed, err = number(args[0]); err != nil {
		return err
	}
	if r.prefill.reused, err = number(args[1]); err != nil {
		return err
	}
	if len(args) == 3 {
		r.prefill.took, err = duration(args[2])
	}
	return err
}

func (p *parser) refuse(r *reply, args []string) error {
	if err := arity(args, 1, 1, `refuse "why"`); err != nil {
		return err
	}
	if len(r.steps) > 0 || args[0] == "" {
		return errors.New("refuse needs a reason and must be the only step of its reply; to fail later write fault")
	}
	r.refuse = args[0]
	p.ended = true
	return nil
}

// split cuts a line into words; a quoted word is unquoted as in Go.
func split(line string) ([]string, error) {
	var words []string
	for line != "" {
		if line[0] != '"' {
			word, rest, _ := strings.Cut(line, " ")
			words, line = append(words, word), strings.TrimLeft(rest, " \t")
			continue
		}
		quoted, err := strconv.QuotedPrefix(line)
		if err != nil {
			return nil, fmt.Errorf("text that is not closed or escaped as in Go: %s", line)
		}
		word, err := strconv.Unquote(quoted)
		if err != nil {
			return nil, fmt.Errorf("text that is not written as in Go: %s", quoted)
		}
		words, line = append(words, word), strings.TrimLeft(line[len(quoted):], " \t")
	}
	return words, nil
}

func arity(args []string, least, most int, usage string) error {
	if len(args) < least || len(args) > most {
		return fmt.Errorf("%d words given; write `%s`", len(args), usage)
	}
	return nil
}

func number(s string) (int, error) {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("expected a whole number from 0, got %q", s)
	}
	return n, nil
}

func duration(s string) (time.Duration, error) {
	d, err := time.ParseDuration(s)
	if err != nil || d < 0 {
		return 0, fmt.Errorf("expected a time such as 100ms or 2s, got %q", s)
	}
	return d, nil
}
