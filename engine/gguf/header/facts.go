package header

import (
	"fmt"
	"math"
	"strings"
)

// Architecture is the family by which a runtime builds the model ("llama").
func (h *Header) Architecture() string { return h.text("general.architecture") }

// Name is the model's name in its author's words, empty if the file has none.
func (h *Header) Name() string { return strings.TrimSpace(h.text("general.name")) }

// Licence is the licence as the file states it, empty if it does not.
func (h *Header) Licence() string { return h.text("general.license") }

// Template is the chat template, empty if the file has none.
func (h *Header) Template() string { return h.text("tokenizer.chat_template") }

// Edition is the version of the model as the file states it, empty if it does not.
func (h *Header) Edition() string { return h.text("general.version") }

// Languages are the codes that the file states, none if it does not. They come
// from a model's description and may name fewer than it speaks.
func (h *Header) Languages() []string {
	list, _ := h.Values["general.languages"].Texts()
	return list
}

// Context is the longest sequence the model was made for, in tokens; 0 if the
// file does not say.
func (h *Header) Context() int { return h.count(h.Architecture() + ".context_length") }

// Vocabulary is the number of tokens; 0 if the file does not say.
func (h *Header) Vocabulary() int {
	if tokens, said := h.Values["tokenizer.ggml.tokens"]; said && tokens.Kind == Array {
		return tokens.Len
	}
	return h.count(h.Architecture() + ".vocab_size")
}

// BOS is the id of the token that begins a text, -1 if there is none.
func (h *Header) BOS() int32 { return h.tokenOr("tokenizer.ggml.bos_token_id") }

// EOS is the id of the token that ends a text, -1 if there is none.
func (h *Header) EOS() int32 { return h.tokenOr("tokenizer.ggml.eos_token_id") }

// Parts is the number of files that the model is split into, 1 if it is whole.
func (h *Header) Parts() int { return max(h.count("split.count"), 1) }

// Precision names the storage format: the file's own word for its mixture, else
// the format that holds most elements.
func (h *Header) Precision() string {
	if n, ok := h.Values["general.file_type"].Uint(); ok {
		if name, known := mixture(n); known {
			return name
		}
	}
	share, most := map[Type]uint64{}, Type(0)
	for _, t := range h.Tensors {
		share[t.Type] += t.Elements()
	}
	for t, n := range share {
		if n > share[most] || n == share[most] && t < most {
			most = t
		}
	}
	if len(share) == 0 {
		return ""
	}
	return most.String()
}

// Parameters is the number of elements in all tensors.
func (h *Header) Parameters() uint64 {
	n := uint64(0)
	for _, t := range h.Tensors {
		n += t.Elements()
	}
	return n
}

// TensorBytes is the size of all tensor data together. A file is longer: header
// and padding.
func (h *Header) TensorBytes() uint64 {
	n := uint64(0)
	for _, t := range h.Tensors {
		n += t.Bytes()
	}
	return n
}

func (h *Header) text(key string) string {
	s, _ := h.Values[key].Text()
	return s
}

func (h *Header) count(key string) int {
	n, ok := h.Values[key].Uint()
	if !ok || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}

// token gives an id; the largest number of 32 bits is how some files write none.
func (h *Header) token(key string) (int64, bool) {
	v, said := h.Values[key]
	if !said {
		return 0, false
	}
	id, ok := v.Int()
	if !ok || id < 0 || id == math.MaxUint32 {
		return 0, false
	}
	return id, true
}

func (h *Header) tokenOr(key string) int32 {
	id, said := h.token(key)
	if !said || id > math.MaxInt32 {
		return -1
	}
	return int32(id)
}

// Describe says in a few words what a file is that begins with these bytes and
// is no GGUF file.
func Describe(start []byte) string {
	has := func(prefix string) bool { return strings.HasPrefix(string(start), prefix) }
	trimmed := strings.ToLower(strings.TrimSpace(string(start)))
	switch {
	case len(start) == 0:
		return "empty"
	case has("PK\x03\x04"):
		return "a zip archive (PyTorch weights are kept in these)"
	case has("\x1f\x8b"):
		return "a gzip archive"
	case has("ggml") || has("lmgg") || has("ggjt") || has("tjgg") || has("fmgg"):
		return "a GGML file from before GGUF"
	case has("FUGG"):
		return "a GGUF file with its bytes in the wrong order"
	case has("version https://git-lfs"):
		return "a Git LFS pointer, not the file it points to"
	case strings.HasPrefix(trimmed, "<!doctype") || strings.HasPrefix(trimmed, "<html") || strings.HasPrefix(trimmed, "<?xml"):
		return "a web page"
	case len(start) > 9 && start[8] == '{':
		return "a safetensors file"
	case has("{"):
		return "JSON"
	}
	return fmt.Sprintf("something that begins with %q", start[:min(8, len(start))])
}
