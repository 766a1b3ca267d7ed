package main

import (
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"fabula/engine/tensorrt"
	"fabula/engine/tensorrt/graph"
)

// eightBits are the flags that say which products take eight bits.
type eightBits struct {
	scheme, skip string
	dynamic      bool
	alpha        float64
}

func (e *eightBits) flags(f *pflag.FlagSet) {
	f.StringVar(&e.scheme, "int8", "", "products of eight bits: weights, attention, mlp or all (default: none)")
	f.StringVar(&e.skip, "int8-skip", "", "layers that stay as they are, such as 0,29; head for the last product")
	f.BoolVar(&e.dynamic, "int8-dynamic", false, "find the scale of each token as it comes, without a calibration set")
	f.Float64Var(&e.alpha, "int8-alpha", tensorrt.Alpha, "how much of the spread of activations moves into weights, 0 to 1")
}

// chosen gives what the flags say. alphaGiven: somebody gave --int8-alpha; smoothing
// needs ranges, which --int8-dynamic is to do without.
func (e *eightBits) chosen(alphaGiven bool) (tensorrt.Int8, error) {
	i := tensorrt.Int8{Scheme: graph.Scheme(e.scheme), Tokens: e.dynamic, Alpha: e.alpha}
	if e.dynamic && !alphaGiven {
		i.Alpha = 0
	}
	switch {
	case e.scheme == "" && (e.skip != "" || e.dynamic || alphaGiven):
		return i, usage("--int8-skip, --int8-dynamic and --int8-alpha go with --int8")
	case e.alpha < 0 || e.alpha > 1:
		return i, usage("--int8-alpha %g: 0 to 1 can be", e.alpha)
	}
	for _, word := range strings.FieldsFunc(e.skip, func(r rune) bool { return r == ',' || r == ' ' }) {
		if word == "head" {
			i.Head = true
			continue
		}
		layer, err := strconv.Atoi(word)
		if err != nil {
			return i, usage("--int8-skip %s: numbers of layers with commas between, and head", e.skip)
		}
		i.Skip = append(i.Skip, layer)
	}
	return i, nil
}
