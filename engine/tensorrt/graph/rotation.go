package graph

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"

	"fabula/engine/gguf/header"
)

// Rotation says by which angles positions rotate keys and queries.
type Rotation struct {
	Dims     int     // elements of each head that are rotated
	Base     float64 // of the geometric row of frequencies
	Scaling  string  // none, linear, yarn or longrope
	Factor   float64 // positions are divided by it (linear, yarn), 1 = not
	Original int     // context before it was stretched, in tokens
	// Magnitude multiplies sines and cosines (longrope), 1 = not.
	Magnitude float64
	// Fast and Slow are yarn's turns within Original above which a frequency is
	// kept and below which it is divided; LogMul weakens its magnitude.
	Fast, Slow, LogMul float64
	// Factors divide the frequencies, one each (Llama 3); nil = not.
	Factors []float32
	// Short and Long are the factors of longrope: Long where the context that an
	// engine is built for is larger than Original.
	Short, Long []float32
}

func (k *keys) rotation(c Config) Rotation {
	r := Rotation{
		Dims: k.countOr("rope.dimension_count", c.HeadDim), Base: k.numberOr("rope.freq_base", 10000),
		Scaling: k.text("rope.scaling.type"), Factor: k.numberOr("rope.scaling.factor", k.numberOr("rope.scale_linear", 1)),
		Original: k.countOr("rope.scaling.original_context_length", c.Context), Magnitude: k.numberOr("rope.scaling.attn_factor", 1),
		Fast: 32, Slow: 1,
	}
	if c.Family == "mistral3" { // llama.cpp reads these for this family only
		r.Fast = k.numberOr("rope.scaling.yarn_beta_fast", 32)
		r.Slow = k.numberOr("rope.scaling.yarn_beta_slow", 1)
		r.LogMul = k.numberOr("rope.scaling.yarn_log_multiplier", 0)
	}
	if r.Factor == 0 {
		r.Factor = 1
	}
	switch r.Scaling {
	case "":
		r.Scaling = "linear"
	case "none":
		r.Factor = 1
	case "linear", "yarn", "longrope":
	default:
		k.fail("rope.scaling.type", fmt.Sprintf("is %.40q, not none, linear, yarn or longrope", r.Scaling))
	}
	return r
}

// readFactors reads the factors that the file keeps as tensors.
func (r *Rotation) readFactors(h *header.Header, file io.ReaderAt) error {
	for _, t := range h.Tensors {
		var into *[]float32
		switch t.Name {
		case "rope_freqs.weight":
			into = &r.Factors
		case "rope_factors_short.weight":
			into = &r.Short
		case "rope_factors_long.weight":
			into = &r.Long
		default:
			continue
		}
		var err error
		if *into, err = r.factors(h, t, file); err != nil {
			return fmt.Errorf("tensor %s: %w", t.Name, err)
		}
	}
	if (r.Short == nil) != (r.Long == nil) {
		return fmt.Errorf("only one of rope_factors_short.weight and rope_factors_long.weight is there")
	}
	return nil
}

func (r *Rotation) factors(h *header.Header, t header.Tensor, file io.ReaderAt) ([]float32, error) {
	if t.Type.String() != "F32" || t.Elements() != uint64(r.Dims/2) {
		return nil, fmt.Errorf("%d numbers of type %s, not %d of F32", t.Elements(), t.Type, r.Dims/2)
	}
	raw := make([]byte, t.Bytes())
	if _, err := file.ReadAt(raw, h.Data+int64(t.Offset)); err != nil {
		return nil, err
	}
	list := make([]float32, r.Dims/2)
	for i := range list {
		list[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
		if !(list[i] > 0) || math.IsInf(float64(list[i]), 0) {
			return nil, fmt.Errorf("factor %d is %g", i, list[i])
		}
	}
	return list, nil
}

// Tables gives the cosines and sines of positions 0 to context-1, each
// [context, Dims/2], for an engine of that context. All scaling is in them.
func (r Rotation) Tables(context int) (cos, sin []float32) {
	half := r.Dims / 2
	cos, sin = make([]float32, context*half), make([]float32, context*half)
	angle, magnitude := r.angles(context)
	for pos := range context {
		for i := range half {
			s, c := math.Sincos(float64(pos) * angle[i])
			cos[pos*half+i], sin[pos*half+i] = float32(c*magnitude), float32(s*magnitude)
		}
	}
	return cos, sin
}

// angles gives the angle of each frequency at position 1, and the factor of
// sines and cosines.
func (r Rotation) angles(context int) ([]float64, float64) {
	angles := make([]float64, r.Dims/2)
	factors := r.factorsFor(context)
	for i := range angles {
		full := math.Pow(r.Base, -2*float64(i)/float64(r.Dims))
		if factors != nil {
			full /= float64(factors[i])
		}
		angles[i] = full / r.Factor
		if r.Scaling == "yarn" {
			keep := r.kept(i)
			angles[i] = full/r.Factor*(1-keep) + full*keep
		}
	}
	return angles, r.magnitude()
}

func (r Rotation) factorsFor(context int) []float32 {
	switch {
	case r.Factors != nil:
		return r.Factors
	case context > r.Original:
		return r.Long
	}
	return r.Short
}

// kept is the share of frequency i that yarn does not divide: 1 for those that
// turn often within the original context, 0 for those that turn seldom.
func (r Rotation) kept(i int) float64 {
	at := func(turns float64) float64 { // index of the frequency that makes so many turns
		return float64(r.Dims) * math.Log(float64(r.Original)/(turns*2*math.Pi)) / (2 * math.Log(r.Base))
	}
	low := max(0, math.Floor(at(r.Fast)))
	high := min(float64(r.Dims-1), math.Ceil(at(r.Slow)))
	ramp := (float64(i) - low) / max(0.001, high-low)
	return 1 - min(1, max(0, ramp))
}

// magnitude of sines and cosines. Yarn's own, 1 + 0.1·ln(Factor), is divided by
// its weakening where the file has one.
func (r Rotation) magnitude() float64 {
	m := r.Magnitude
	if r.Scaling == "yarn" && r.Factor > 1 {
		m *= 1 + 0.1*math.Log(r.Factor)
		if r.LogMul != 0 {
			m /= 1 + 0.1*r.LogMul*math.Log(r.Factor)
		}
	}
	return m
}
