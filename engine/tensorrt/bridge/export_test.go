package bridge

// Texts gives the PTX texts that a card loads, by name; overlap as cards of compute
// capability 9 take them.
func Texts(size int, bf16, overlap bool) (map[string]string, error) {
	t, err := kernels(size, bf16)
	if overlap {
		t = t.overlapped()
	}
	return map[string]string{
		"attention": t.attention, "linear": t.linear, "few": t.few, "best": t.best, "linear of codes": t.linearCodes, "few of codes": t.fewCodes,
	}, err
}
