package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"fabula/engine/tensorrt"
)

// newEnginesInfo tells what is built, without loading any of it.
func newEnginesInfo(sh *shell) *cobra.Command {
	var asJSON bool
	c := &cobra.Command{
		Use:     "info",
		Short:   "Tell what every built TensorRT engine is and whether its file is whole, and which cards llama.cpp can use",
		Example: "  fabula engines info --json",
		Args:    atMost(0, "nothing"),
		RunE: func(c *cobra.Command, _ []string) error {
			if err := printCards(c.OutOrStdout(), asJSON); err != nil {
				return err
			}
			plans := tensorrt.Plans(enginesDir())
			if len(plans) == 0 {
				printSaid(c.ErrOrStderr(), sh.lang, "no engines in %s; 'fabula engines build MODEL' makes one", enginesDir())
			}
			for _, plan := range plans {
				m, err := tensorrt.ReadManifest(plan)
				if err == nil {
					err = m.Intact(plan)
				}
				if err != nil {
					fmt.Fprintf(c.OutOrStdout(), "! %s\n", printable(err.Error()))
					continue
				}
				if err := printPlan(c.OutOrStdout(), plan, m, asJSON); err != nil {
					return err
				}
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asJSON, "json", false, "one JSON object a line")
	return c
}

// newEnginesVerify compares an engine with the CPU engine again.
func newEnginesVerify() *cobra.Command {
	var reference string
	var card int
	var asJSON bool
	c := &cobra.Command{
		Use:     "verify MODEL",
		Short:   "Compare a built engine with the CPU engine and note the result in its manifest",
		Example: "  fabula engines verify SmolLM2-135M-Instruct.Q4_1",
		Args:    exactly("MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			model, err := modelFile(args[0])
			if err != nil {
				return err
			}
			o := tensorrt.OpenOptions{Dir: enginesDir(), Root: tensorrtRoot(), Card: card, Plan: chosenPlan()}
			t, err := tensorrt.Verify(c.Context(), o, model, reference, nil)
			if err != nil {
				return err
			}
			if asJSON {
				err = writeJSON(c.OutOrStdout(), t)
			} else {
				_, err = fmt.Fprintf(c.OutOrStdout(), "%d positions after %d: top-1 %.1f%%, mean KL %.5f, 99%% KL %.5f, against %s\n",
					t.Positions, t.Prefix, 100*t.Top1, t.MeanKL, t.KL99, t.Reference)
			}
			if err == nil && !t.Passed {
				err = coded{exitFindings, fmt.Errorf("the engine failed its self-test: %s", t.Why)}
			}
			return err
		},
	}
	c.Flags().StringVar(&reference, "against", "", "GGUF file for the CPU engine instead; the manifest then stays as it is")
	c.Flags().IntVar(&card, "card", 0, "number of the card on the bus")
	c.Flags().BoolVar(&asJSON, "json", false, "the result as one JSON object")
	return c
}

// newEnginesMeasure takes the times that MEASURED.md is made of.
func newEnginesMeasure() *cobra.Command {
	o := tensorrt.MeasureOptions{}
	var out, plan, shape string
	var eight eightBits
	b := tensorrt.BuildOptions{Dir: os.TempDir(), Level: -1}
	c := &cobra.Command{
		Use:    "measure [MODEL]",
		Short:  "Measure a built engine on the card",
		Hidden: true,
		Args:   atMost(1, "MODEL"),
		RunE: func(c *cobra.Command, args []string) error {
			o.Open.Dir, o.Open.Root, o.Open.Plan = enginesDir(), tensorrtRoot(), cmp.Or(plan, chosenPlan())
			eighth, err := eight.chosen(c.Flags().Changed("int8-alpha"))
			if err != nil {
				return err
			}
			b.Int8 = eighth
			var r *tensorrt.Report
			if shape != "" {
				if err := tensorrt.LoaderFinds(o.Open.Root); err != nil {
					return err
				}
				r, err = tensorrt.MeasureShape(c.Context(), o, shape, b)
			} else if o.Model, err = modelFile(strings.Join(args, "")); err == nil {
				r, err = tensorrt.Measure(c.Context(), o)
			}
			if r == nil {
				return err
			}
			raw, failed := json.MarshalIndent(r, "", "\t")
			if failed == nil && out != "" {
				failed = os.WriteFile(out, append(raw, '\n'), 0o600)
			}
			for _, s := range r.Series {
				fmt.Fprintf(c.OutOrStdout(), "%-36s %4d× p50 %.3f ms  p95 %.3f ms  max %.3f ms\n", s.Name, len(s.Nanoseconds), s.Quantile(0.5), s.Quantile(0.95), s.Quantile(1))
			}
			return firstError(err, failed)
		},
	}
	c.Flags().IntVar(&o.Steps, "steps", 200, "steps of each decode series")
	c.Flags().IntVar(&o.Cycles, "cycles", 0, "loads and unloads")
	c.Flags().IntVar(&o.Cancels, "cancels", 0, "prompts and replies that are stopped")
	c.Flags().BoolVar(&o.Against, "against", false, "hold it against the CPU engine on the same weights in FP16")
	c.Flags().IntVar(&o.Open.Slots, "slots", 8, "sequences")
	c.Flags().BoolVar(&o.Open.Plain, "no-graphs", false, "no CUDA graphs")
	c.Flags().BoolVar(&o.Open.Apart, "apart", false, "kernels do not overlap")
	c.Flags().BoolVar(&o.Bare, "bare", false, "take no times, only what --against, --cycles and --cancels ask for")
	c.Flags().StringVar(&o.Keep, "expanded", "", "with --against: file that keeps that copy of the weights")
	c.Flags().StringVar(&out, "out", "", "file for the raw report")
	c.Flags().StringVar(&plan, "plan", "", "plan to take")
	c.Flags().StringVar(&shape, "shape", "", "a known shape with seeded weights instead of MODEL: phi3-mini, tiny")
	eight.flags(c.Flags())
	c.Flags().IntVar(&b.Batch, "batch", 0, "sequences of one decode step, of a shape")
	c.Flags().IntVar(&b.Level, "level", -1, "optimisation level, of a shape")
	return c
}

// newEnginesMeasured makes MEASURED.md of MEASURED.json, and that of what measure.sh left.
func newEnginesMeasured() *cobra.Command {
	var gather string
	c := &cobra.Command{
		Use:    "measured FILE",
		Short:  "Print a file of measurements for people",
		Hidden: true,
		Args:   exactly("FILE"),
		RunE: func(c *cobra.Command, args []string) error {
			m := &tensorrt.Measured{}
			raw, err := os.ReadFile(args[0])
			if gather != "" {
				if m, err = tensorrt.Gather(gather); err != nil {
					return err
				}
				if raw, err = json.Marshal(m); err == nil {
					err = os.WriteFile(args[0], append(raw, '\n'), 0o600)
				}
			}
			if err != nil {
				return err
			}
			if err := json.Unmarshal(raw, m); err != nil {
				return fmt.Errorf("measurements %s: %w", args[0], err)
			}
			_, err = fmt.Fprint(c.OutOrStdout(), m.Markdown())
			return err
		},
	}
	c.Flags().StringVar(&gather, "gather", "", "folder of measure.sh that FILE is written from first")
	return c
}
