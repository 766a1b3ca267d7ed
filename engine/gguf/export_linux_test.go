//go:build llama

package gguf

import "github.com/klauspost/cpuid/v2"

// Supported is the processor check with the features that has reports.
func Supported(has func(...cpuid.FeatureID) bool) error { return supported(has) }
