package score

import "math"

// Softmax gives exp(v) over their sum, for values of any size.
func Softmax(values []float64) []float64 {
	top := math.Inf(-1)
	for _, v := range values {
		top = max(top, v)
	}
	out, sum := make([]float64, len(values)), 0.0
	for i, v := range values {
		out[i] = math.Exp(v - top)
		sum += out[i]
	}
	for i := range out {
		out[i] /= sum
	}
	return out
}

// LogSumExp is the logarithm of the sum of exp(v).
func LogSumExp(values []float32) float64 {
	top := float32(math.Inf(-1))
	for _, v := range values {
		top = max(top, v)
	}
	if math.IsInf(float64(top), 0) {
		return float64(top)
	}
	sum := 0.0
	for _, v := range values {
		sum += math.Exp(float64(v - top))
	}
	return float64(top) + math.Log(sum)
}
