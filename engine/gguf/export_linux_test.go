//go:build llama

package gguf

import "github.com/klauspost/cpuid/v2"

// Supported is the processor check with the features that has reports.
func Supported(has func(...cpuid.FeatureID) bool) error { return supported(has) }

// Plan fits a context for a model of these figures into free bytes.
func Plan(weights, cell int64, trained, asked int, free int64) (window, sequences int, err error) {
	p, err := demand{weights: weights, cell: cell, trained: trained}.plan(asked, free)
	return p.window, p.sequences, err
}

// GroupLeft reads a control group's folder.
func GroupLeft(dir string) int64 { return groupLeft(dir) }
