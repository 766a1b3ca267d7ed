package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nikolalohinski/gonja/v2/builtins"
	"github.com/nikolalohinski/gonja/v2/exec"
	"github.com/nikolalohinski/gonja/v2/nodes"
	"github.com/nikolalohinski/gonja/v2/parser"
)

// maxRange bounds the numbers that range gives.
const maxRange = 10_000

// functions are the ones that chat templates call.
func functions() map[string]any {
	all := map[string]any{
		"raise_exception": raise,
		"strftime_now":    strftime,
		"range":           numbers,
		either:            choose,
	}
	for _, name := range []string{"namespace", "dict"} {
		if f, ok := builtins.GlobalFunctions.Get(name); ok {
			all[name] = f
		}
	}
	return all
}

// raise is how a template refuses a conversation.
func raise(reason string) (string, error) {
	return "", fmt.Errorf("it refuses: %.200s", reason)
}

// choose is what plainer makes of an inline conditional.
func choose(_ *exec.Evaluator, params *exec.VarArgs) *exec.Value {
	if len(params.Args) != 3 {
		return exec.AsValue(errors.New("a conditional has three parts"))
	}
	if params.Args[0].IsTrue() {
		return params.Args[1]
	}
	return params.Args[2]
}

// strftime gives the date that templates print. It is always the same one: the
// present day would make the same conversation another prompt tomorrow, and is
// no day of the story's.
func strftime(format string) string {
	day := time.Date(2025, time.January, 1, 12, 0, 0, 0, time.UTC)
	return strings.NewReplacer(
		"%%", "%", "%Y", day.Format("2006"), "%y", day.Format("06"), "%m", day.Format("01"), "%d", day.Format("02"),
		"%B", day.Format("January"), "%b", day.Format("Jan"), "%A", day.Format("Monday"), "%a", day.Format("Mon"),
		"%H", day.Format("15"), "%I", day.Format("03"), "%M", day.Format("04"), "%S", day.Format("05"),
		"%p", day.Format("PM"), "%j", day.Format("002"),
	).Replace(format)
}

// numbers is range.
func numbers(_ *exec.Evaluator, params *exec.VarArgs) ([]int, error) {
	start, stop, step := 0, 0, 1
	targets := [][]*int{{}, {&stop}, {&start, &stop}, {&start, &stop, &step}}
	if len(params.Args) == 0 || len(params.Args) > 3 {
		return nil, errors.New("range takes one to three numbers")
	}
	for i, target := range targets[len(params.Args)] {
		if !params.Args[i].IsInteger() {
			return nil, errors.New("range takes whole numbers")
		}
		*target = params.Args[i].Integer()
	}
	if step == 0 {
		return nil, errors.New("range cannot go in steps of 0")
	}
	var list []int
	for i := start; step > 0 && i < stop || step < 0 && i > stop; i += step {
		if len(list) == maxRange {
			return nil, fmt.Errorf("range gives more than %d numbers", maxRange)
		}
		list = append(list, i)
	}
	return list, nil
}

// toJSON writes JSON as transformers does: characters as they are, no escapes
// for markup.
func toJSON(_ *exec.Evaluator, in *exec.Value, _ *exec.VarArgs) *exec.Value {
	if in.IsError() {
		return in
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(in.ToGoSimpleType(false)); err != nil {
		return exec.AsValue(fmt.Errorf("tojson: %w", err))
	}
	return exec.AsSafeValue(strings.TrimSuffix(out.String(), "\n"))
}

// generation marks the assistant's words for training; rendered, it is what it
// holds.
type generation struct {
	nodes.ControlStructure
	body *nodes.Wrapper
}

func (g *generation) Execute(r *exec.Renderer, _ *nodes.ControlStructureBlock) error {
	return r.ExecuteIfWrapper(g.body)
}

func parseGeneration(p, args *parser.Parser) (nodes.ControlStructure, error) {
	at := p.Current()
	body, _, err := p.WrapUntil("endgeneration")
	if err != nil {
		return nil, err
	}
	if !args.End() {
		return nil, args.Error("generation takes no arguments", nil)
	}
	return &generation{&nodes.Comment{Start: at}, body}, nil
}
