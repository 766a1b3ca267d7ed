package scripted

import (
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"fabula/engine"
)

// maxTimes bounds one `times=` option, so that a slip of the pen cannot ask
// for all memory.
const maxTimes = 100_000

// parseStep reads one step line; it gives at least one step.
func parseStep(key string, args []string) ([]step, error) {
	switch key {
	case "text":
		return tokens(args, `text "words" [100ms] [id=7] [logprob=-0.2] [times=40]`, func(s string) ([]byte, error) {
			return []byte(s), nil
		})
	case "bytes":
		return tokens(args, "bytes f09f [100ms] [id=7] [logprob=-0.2] [times=40]", func(s string) ([]byte, error) {
			raw, err := hex.DecodeString(s)
			if err != nil {
				return nil, fmt.Errorf("expected bytes in hex, two digits each, got %q", s)
			}
			return raw, nil
		})
	case "say":
		return say(args)
	case "end":
		return end(args)
	case "fault":
		if err := arity(args, 1, 1, `fault "why"`); err != nil {
			return nil, err
		}
		return []step{{end: engine.Fault, err: errors.New(args[0])}}, nil
	case "kill":
		return []step{{end: engine.Fault, err: failed{"engine process: signal: killed", engine.ErrCrashed}}}, arity(args, 0, 0, "kill")
	case "memory":
		return []step{{end: engine.Fault, err: engine.ErrMemory}}, arity(args, 0, 0, "memory")
	case "hang":
		return []step{{hang: true}}, arity(args, 0, 0, "hang")
	}
	return nil, fmt.Errorf("unknown step %q; known: match, queue, prefill, text, bytes, say, end, fault, kill, memory, hang, refuse", key)
}

// failed is an error in its own words that stands for a sentinel.
type failed struct {
	text string
	is   error
}

func (f failed) Error() string { return f.text }
func (f failed) Unwrap() error { return f.is }

func end(args []string) ([]step, error) {
	if err := arity(args, 1, 1, "end stop"); err != nil {
		return nil, err
	}
	known := []engine.Reason{engine.Stop, engine.Length, engine.Cancelled, engine.Interrupted}
	reason := engine.Reason(args[0])
	if !slices.Contains(known, reason) {
		return nil, fmt.Errorf("unknown reason %q; known: stop, length, cancelled, interrupted (for a fault write `fault \"why\"`)", args[0])
	}
	return []step{{end: reason}}, nil
}

// tokens reads a line that gives one token, or several alike.
func tokens(args []string, usage string, raw func(string) ([]byte, error)) ([]step, error) {
	if err := arity(args, 1, 5, usage); err != nil {
		return nil, err
	}
	data, err := raw(args[0])
	if err != nil {
		return nil, err
	}
	st, times := step{raw: data}, 1
	for _, opt := range args[1:] {
		if err := option(&st, &times, opt); err != nil {
			return nil, err
		}
	}
	return slices.Repeat([]step{st}, times), nil
}

func option(st *step, times *int, opt string) (err error) {
	name, value, ok := strings.Cut(opt, "=")
	if !ok {
		st.after, err = duration(opt)
		return err
	}
	switch name {
	case "id":
		id, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return fmt.Errorf("expected a token id, got %q", value)
		}
		st.id = int32(id)
	case "logprob":
		p, err := strconv.ParseFloat(value, 32)
		if err != nil {
			return fmt.Errorf("expected a log-probability such as -0.2, got %q", value)
		}
		st.logprob = float32(p)
	case "times":
		n, err := number(value)
		if err != nil || n < 1 || n > maxTimes {
			return fmt.Errorf("expected times from 1 to %d, got %q", maxTimes, value)
		}
		*times = n
	default:
		return fmt.Errorf("unknown option %q; known: id, logprob, times", name)
	}
	return nil
}

func say(args []string) ([]step, error) {
	if err := arity(args, 1, 2, `say "words" [30ms]`); err != nil {
		return nil, err
	}
	var after time.Duration
	if len(args) == 2 {
		var err error
		if after, err = duration(args[1]); err != nil {
			return nil, err
		}
	}
	var steps []step
	for i, w := range words(args[0]) {
		steps = append(steps, step{raw: []byte(w), after: after, id: int32(i + 1)})
	}
	if len(steps) == 0 {
		return nil, fmt.Errorf("nothing to say; a reply without steps yields nothing")
	}
	return steps, nil
}

// words cuts a text as a toy tokeniser: spaces go with the word after them,
// and every wide character stands alone.
func words(text string) []string {
	var out []string
	var word strings.Builder
	flush := func() {
		if word.Len() > 0 {
			out = append(out, word.String())
			word.Reset()
		}
	}
	inWord := false
	for _, r := range text {
		switch {
		case wide(r):
			flush()
			inWord = false
			out = append(out, string(r))
			continue
		case unicode.IsSpace(r):
			if inWord {
				flush()
			}
			inWord = false
		default:
			inWord = true
		}
		word.WriteRune(r)
	}
	flush()
	return out
}

func wide(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul) ||
		r >= 0x3000 && r <= 0x303f || r >= 0xff00 && r <= 0xffef
}
