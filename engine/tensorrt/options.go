package tensorrt

import (
	"cmp"
	"fmt"

	"fabula/engine"
	"fabula/engine/tensorrt/graph"
)

// BuildOptions say what to build and how. Only Model and Dir are needed.
type BuildOptions struct {
	Model string // GGUF file
	Dir   string // folder of plans
	Root  string // where TensorRT is, "" = the system's
	Card  int    // number on the bus; -1 = none, which only flavours that need no card can build with

	Precision string // fp16 or bf16, "" = what the weights were
	Int8      Int8   // products of eight bits; Scheme "" = none
	// Calibration is a calibration set (ReadCalibration), which schemes that quantise
	// activations by fixed scales need.
	Calibration string
	Attention   Attention // "" = Own where it can be
	Context     int       // positions of a sequence, 0 = the model's, at most 4096
	Chunk       int       // tokens of one prefill step, 0 = 1024
	Batch       int       // sequences of one decode step, 0 = 8
	Workspace   int64     // bytes, 0 = half of what is free on the card
	Level       int       // 0..5, -1 = the library's choice
	Unrun       bool      // builds what this version cannot run, too
	NoFew       bool      // no second plan for steps of a few tokens, which is faster but holds the weights again
}

func (o BuildOptions) filled(c graph.Config) (BuildOptions, graph.Type, error) {
	o.Context = min(cmp.Or(o.Context, min(c.Context, 4096)), c.Context)
	o.Chunk = min(cmp.Or(o.Chunk, 1024), o.Context)
	o.Batch = cmp.Or(o.Batch, 8)
	var compute graph.Type
	switch o.Precision {
	case "":
		compute = c.Source
	case "fp16":
		compute = graph.F16
	case "bf16":
		compute = graph.BF16
	default:
		return o, compute, fmt.Errorf("precision %q: %w: fp16 and bf16 can be built", o.Precision, engine.ErrIncompatible)
	}
	if err := o.Int8.check(o.Calibration, c); err != nil {
		return o, compute, err
	}
	if o.Level < -1 || o.Level > 5 {
		return o, compute, fmt.Errorf("level %d: 0 to 5 can be", o.Level)
	}
	return o, compute, nil
}

// precisionOf is the name that a person knows a type by.
func precisionOf(t graph.Type) string {
	if t == graph.BF16 {
		return "BF16"
	}
	return "FP16"
}

// OpenOptions say where plans and TensorRT are and how a plan is run.
type OpenOptions struct {
	Dir      string // folder of plans
	Root     string // where TensorRT is, "" = the system's
	Card     int
	Slots    int    // sequences that stay cached, 0 = 8
	Plain    bool   // no CUDA graphs
	Apart    bool   // kernels do not read their weights while the one before still runs
	Plan     string // a plan to take, "" = the one of the model in Dir
	Untested bool   // takes a plan without a self-test, or with one that failed
}

// MeasureOptions say what to measure.
type MeasureOptions struct {
	Open    OpenOptions
	Model   string // GGUF file
	Steps   int    // of each decode series
	Cycles  int    // loads and unloads
	Cancels int    // prompts and replies that are stopped
	Against bool   // hold it against the CPU engine on the same weights, expanded to FP16
	Bare    bool   // no series of times, only what is asked for besides
	Keep    string // where the copy of the weights in FP16 stays, "" = nowhere
}
