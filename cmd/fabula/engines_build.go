package main

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/engine/catalog"
	"fabula/engine/tensorrt"
)

// enginesDir is where plans are kept.
func enginesDir() string { return filepath.Join(filepath.Dir(modelsDir()), "engines") }

// tensorrtRoot is where a person keeps TensorRT; empty means where the system does.
func tensorrtRoot() string { return os.Getenv("TENSORRT_ROOT") }

// chosenPlan is the file of the engine that a person wants instead of the usual one, ""
// = the usual one.
func chosenPlan() string {
	name := os.Getenv("FABULA_TENSORRT_PLAN")
	if name == "" || filepath.IsAbs(name) {
		return name
	}
	return filepath.Join(enginesDir(), name)
}

// newEnginesBuild builds the TensorRT engine of a model for the card of this machine.
func newEnginesBuild() *cobra.Command {
	o := tensorrt.BuildOptions{}
	var eight eightBits
	var workspace int64
	var untested, asJSON bool
	c := &cobra.Command{
		Use:   "build MODEL",
		Short: "Build the TensorRT engine of a model for the NVIDIA card of this machine",
		Long: `Build the TensorRT engine of a model for the NVIDIA card of this machine.
It takes from seconds to minutes, is interrupted by ctrl+c without a trace, and is
compared with the CPU engine before it may answer. It runs at low priority: a
chat on this machine keeps the processor. MODEL is a name that
'fabula models' lists, or a GGUF file. TENSORRT_ROOT names the folder of TensorRT
if the system's loader does not find it.

--int8 gives products eight bits: 'weights' halves what a token reads and needs
nothing more; 'attention', 'mlp' and 'all' quantise the activations of prompts as
well, by scales that --calibration finds (or each token for itself: --int8-dynamic).
Such an engine stands beside the usual one, which is taken unless
FABULA_TENSORRT_PLAN names another file of 'engines info'.`,
		Example: "  fabula engines build SmolLM2-135M-Instruct.Q4_1 --context 4096\n  fabula engines build SmolLM2-135M-Instruct.Q4_1 --int8 all --calibration sets/fox --int8-skip 0,29",
		Args:    exactly("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			model, err := modelFile(args[0])
			if err != nil {
				return err
			}
			if o.Int8, err = eight.chosen(c.Flags().Changed("int8-alpha")); err != nil {
				return err
			}
			o.Model, o.Dir, o.Root, o.Workspace, o.Unrun = model, enginesDir(), tensorrtRoot(), workspace<<20, untested
			if err := tensorrt.LoaderFinds(o.Root); err != nil {
				return err
			}
			yieldToChat()
			report := buildProgress(c.ErrOrStderr())
			if asJSON {
				report = buildEvents(c.OutOrStdout())
			}
			plan, m, err := tensorrt.Build(c.Context(), o, report)
			if err != nil {
				return err
			}
			if !untested {
				open := tensorrt.OpenOptions{Dir: o.Dir, Root: o.Root, Card: o.Card, Plan: plan}
				if m.SelfTest, err = tensorrt.Verify(c.Context(), open, model, "", report); err != nil {
					return err
				}
			}
			return printPlan(c.OutOrStdout(), plan, m, asJSON)
		},
	}
	f := c.Flags()
	f.StringVar(&o.Precision, "precision", "", "fp16 or bf16 (default: as the weights were)")
	eight.flags(f)
	f.StringVar(&o.Calibration, "calibration", "", "calibration set, for --int8 all, attention and mlp: a folder of 'calibrate', or the file of one of its draws")
	f.IntVar(&o.Context, "context", 0, "tokens of a sequence (default: the model's, at most 4096)")
	f.IntVar(&o.Chunk, "chunk", 0, "tokens of one prefill step (default 1024)")
	f.IntVar(&o.Batch, "batch", 0, "sequences of one decode step (default 8)")
	f.Int64Var(&workspace, "workspace", 0, "MB for the builder (default: half of what is free on the card)")
	f.IntVar(&o.Level, "level", -1, "optimisation level 0 to 5 (default: TensorRT's)")
	f.IntVar(&o.Card, "card", 0, "number of the card on the bus")
	f.BoolVar(&o.NoFew, "small", false, "no second plan for steps of a few tokens: slower, but the weights are on the card once")
	f.BoolVar(&untested, "no-test", false, "skip the comparison with the CPU engine; the engine will not answer until 'engines verify'")
	f.BoolVar(&asJSON, "json", false, "progress and the manifest as JSON objects, one a line")
	return c
}

// modelFile finds a model by name in the data folder, or takes a file.
func modelFile(name string) (string, error) {
	if info, err := os.Stat(name); err == nil && !info.IsDir() {
		return name, nil
	}
	file := ""
	err := withCatalog(func(cat *catalog.Catalog) error {
		models, err := cat.List()
		for _, m := range models {
			if strings.EqualFold(m.Name, name) || strings.EqualFold(filepath.Base(m.File), name) {
				file = m.File
			}
		}
		return err
	})
	if err == nil && file == "" {
		err = usage("model %s: no such file, and no model of this name in %s; 'fabula models' lists them", name, modelsDir())
	}
	return file, err
}

// buildProgress shows one line on a terminal, and nothing elsewhere.
func buildProgress(w io.Writer) func(tensorrt.Progress) {
	f, ok := w.(interface{ Fd() uintptr })
	if !ok || !term.IsTerminal(int(f.Fd())) {
		return nil
	}
	var last time.Time
	return func(p tensorrt.Progress) {
		if time.Since(last) < 100*time.Millisecond && p.Done < 1 {
			return
		}
		last = time.Now()
		left := ""
		if p.Estimate > 0 {
			left = fmt.Sprintf(" of about %s", p.Estimate.Round(time.Second))
		}
		fmt.Fprintf(w, "\r\x1b[K%3.0f%%  %s%s  %.40s", 100*p.Done, p.Elapsed.Round(time.Second), left, printable(p.Phase))
		if p.Done >= 1 {
			fmt.Fprintln(w)
		}
	}
}

// buildEvent is how far a build is, as --json prints it.
type buildEvent struct {
	Event    string  `json:"event"`
	Done     float64 `json:"done"` // 0 to 1
	Phase    string  `json:"phase"`
	Elapsed  float64 `json:"elapsed_s"`
	Estimate float64 `json:"estimate_s,omitempty"`
}

// buildEvents prints progress, two lines a second at most.
func buildEvents(w io.Writer) func(tensorrt.Progress) {
	var last time.Time
	return func(p tensorrt.Progress) {
		if time.Since(last) < 500*time.Millisecond && p.Done < 1 {
			return
		}
		last = time.Now()
		_ = writeJSON(w, buildEvent{"progress", p.Done, p.Phase, p.Elapsed.Seconds(), p.Estimate.Seconds()}) // whoever reads may be gone; the build is not
	}
}

// printPlan prints what a manifest says.
func printPlan(w io.Writer, plan string, m *tensorrt.Manifest, asJSON bool) error {
	if asJSON {
		return writeJSON(w, struct {
			Event string `json:"event"`
			File  string `json:"file"`
			*tensorrt.Manifest
		}{"engine_plan", plan, m})
	}
	test := "not compared with the CPU engine yet"
	if t := m.SelfTest; t != nil {
		test = fmt.Sprintf("self-test passed: top-1 %.1f%% of %d, mean KL %.4f", 100*t.Top1, t.Positions, t.MeanKL)
		if !t.Passed {
			test = "! self-test failed: " + t.Why
		}
	}
	_, err := fmt.Fprintf(w, "%s\n  %s, %s, context %d, %.0f MB, %s, %s, built in %.0f s\n  %s\n", printable(filepath.Base(plan)),
		printable(m.Model), m.Precision, m.Context, float64(m.Plan.Bytes)/1e6, m.Library, printable(m.Card.Name), m.Seconds, printable(test))
	return err
}
