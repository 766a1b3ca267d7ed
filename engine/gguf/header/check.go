package header

import (
	"fmt"
	"math"
)

// check holds the tensor table and the token ids against the file.
func (h *Header) check(align int64) error {
	end := uint64(0)
	for _, t := range h.Tensors {
		block, _ := t.Type.Block()
		switch {
		case t.Offset%uint64(align) != 0:
			return fmt.Errorf("%w: tensor %.80q begins at %d, which is no multiple of %d", ErrMalformed, t.Name, t.Offset, align)
		case block > 0 && t.Dims[0]%uint64(block) != 0:
			return fmt.Errorf("%w: tensor %.80q has rows of %d, which do not fill blocks of %d (%s)",
				ErrMalformed, t.Name, t.Dims[0], block, t.Type)
		case t.Offset > math.MaxInt64/2:
			return fmt.Errorf("%w: tensor %.80q begins at %d", ErrMalformed, t.Name, t.Offset)
		}
		end = max(end, t.Offset+t.Bytes())
	}
	if end > uint64(math.MaxInt64-h.Data) || len(h.Tensors) > 0 && h.Data+int64(end) > h.Size {
		return fmt.Errorf("%w: its tensors end at byte %d, the file has %d", ErrTruncated, uint64(h.Data)+end, h.Size)
	}
	return h.checkTokens()
}

// checkTokens refuses ids beyond the vocabulary; a runtime may load them and
// fail later.
func (h *Header) checkTokens() error {
	size := h.Vocabulary()
	if size == 0 {
		return nil
	}
	for _, key := range []string{"tokenizer.ggml.bos_token_id", "tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id"} {
		if id, said := h.token(key); said && id >= int64(size) {
			return fmt.Errorf("%w: %s is %d, the vocabulary has %d tokens", ErrMalformed, key, id, size)
		}
	}
	return nil
}
