package bridge

// Best are the best logits after a token, best first; of equals the lower id is first.
// With no IDs only the logits themselves can tell: there are too many equals among the
// best, or something that is no number. All of it is overwritten by the next call.
type Best struct {
	IDs    []int32
	Logits []float32
	LogSum float64 // log of the sum of exp over the vocabulary
}
