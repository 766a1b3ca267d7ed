package header_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/header/sample"
)

func read(data []byte) (*header.Header, error) {
	return header.Read(bytes.NewReader(data), int64(len(data)))
}

func TestFacts(t *testing.T) {
	f := sample.Model("Small Llama", 64,
		sample.Pair{Key: "general.languages", Value: []string{"en", "zh"}},
		sample.Pair{Key: "general.license", Value: "apache-2.0"},
		sample.Pair{Key: "tokenizer.chat_template", Value: "{{ messages }}"},
		sample.Pair{Key: "tokenizer.ggml.add_bos_token", Value: true},
		sample.Pair{Key: "llama.rope.freq_base", Value: float32(10000)},
		sample.Pair{Key: "x.negative", Value: int32(-3)},
		sample.Pair{Key: "x.big", Value: uint64(1) << 63},
		sample.Pair{Key: "x.many", Value: make([]int32, 5000)},
	)
	f.Tensors = append(f.Tensors, sample.Tensor{Name: "q", Type: 3, Dims: []uint64{64, 2}, Bytes: 80})
	data := f.Bytes()
	h, err := header.Read(iotest.OneByteReader(bytes.NewReader(data)), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	type facts struct {
		Version                             uint32
		Arch, Name, Licence, Template, Prec string
		Languages                           []string
		Context, Vocabulary, Parts          int
		BOS, EOS                            int32
		Parameters, Bytes                   uint64
		Size                                int64
	}
	got := facts{h.Version, h.Architecture(), h.Name(), h.Licence(), h.Template(), h.Precision(), h.Languages(),
		h.Context(), h.Vocabulary(), h.Parts(), h.BOS(), h.EOS(), h.Parameters(), h.TensorBytes(), h.Size}
	want := facts{3, "llama", "Small Llama", "apache-2.0", "{{ messages }}", "Q4_1", []string{"en", "zh"},
		2048, 4, 1, 0, 1, 192, 336, int64(len(data))}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("facts (-want +got):\n%s", diff)
	}
	tensors := []header.Tensor{
		{Name: "token_embd.weight", Type: 0, Dims: []uint64{64}, Offset: 0},
		{Name: "q", Type: 3, Dims: []uint64{64, 2}, Offset: 256},
	}
	if diff := cmp.Diff(tensors, h.Tensors); diff != "" {
		t.Errorf("tensors (-want +got):\n%s", diff)
	}
	if h.Data+256+80 != h.Size {
		t.Errorf("data begins at %d of %d", h.Data, h.Size)
	}
	checkValues(t, h)
}

func checkValues(t *testing.T, h *header.Header) {
	t.Helper()
	if on, ok := h.Values["tokenizer.ggml.add_bos_token"].Flag(); !on || !ok {
		t.Error("add_bos_token is lost")
	}
	if f, ok := h.Values["llama.rope.freq_base"].Float(); f != 10000 || !ok {
		t.Errorf("freq_base is %v", f)
	}
	if n, ok := h.Values["x.negative"].Int(); n != -3 || !ok {
		t.Errorf("negative number is %d", n)
	}
	if _, ok := h.Values["x.negative"].Uint(); ok {
		t.Error("a negative number passes as one from 0 up")
	}
	if n, ok := h.Values["x.big"].Uint(); n != 1<<63 || !ok {
		t.Errorf("big number is %d", n)
	}
	if many := h.Values["x.many"]; many.Len != 5000 || many.Items != nil {
		t.Errorf("long list: length %d, %d items kept", many.Len, len(many.Items))
	}
	if _, ok := h.Values["absent"].Text(); ok {
		t.Error("an absent key has a text")
	}
}

func TestPrecisionWithoutFileType(t *testing.T) {
	f := sample.Model("x", 64, sample.Pair{Key: "general.file_type", Value: uint32(999)})
	f.Tensors = append(f.Tensors, sample.Tensor{Name: "q", Type: 8, Dims: []uint64{64, 9}, Bytes: 612})
	h, err := read(f.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if p := h.Precision(); p != "Q8_0" {
		t.Errorf("precision %s, want that of most elements, Q8_0", p)
	}
}

// bad makes one broken file of a sound one.
func bad(change func([]byte)) []byte {
	data := sample.Model("x", 64).Bytes()
	change(data)
	return data
}

func put64(at int, n uint64) func([]byte) {
	return func(b []byte) { binary.LittleEndian.PutUint64(b[at:], n) }
}

func pair(key string, value any) []byte {
	return sample.Model("x", 64, sample.Pair{Key: key, Value: value}).Bytes()
}

func tensor(t sample.Tensor) []byte {
	f := sample.Model("x", 64)
	f.Tensors = append(f.Tensors, t)
	return f.Bytes()
}

func TestRefusals(t *testing.T) {
	sound := sample.Model("x", 64).Bytes()
	tests := map[string]struct {
		data []byte
		want error
		says string
	}{
		"empty":              {nil, header.ErrNotGGUF, "empty"},
		"short":              {[]byte("GG"), header.ErrNotGGUF, `"GG"`},
		"web page":           {[]byte("<!DOCTYPE html><html>"), header.ErrNotGGUF, "web page"},
		"zip":                {[]byte("PK\x03\x04zzzzzzzz"), header.ErrNotGGUF, "zip"},
		"safetensors":        {[]byte("\x10\x00\x00\x00\x00\x00\x00\x00{\"a\":1}"), header.ErrNotGGUF, "safetensors"},
		"lfs pointer":        {[]byte("version https://git-lfs.github.com/spec/v1\n"), header.ErrNotGGUF, "Git LFS"},
		"old ggml":           {[]byte("tjgg\x01\x00\x00\x00"), header.ErrNotGGUF, "before GGUF"},
		"magic only":         {[]byte("GGUF"), header.ErrTruncated, "after 4 bytes"},
		"big-endian":         {bad(func(b []byte) { copy(b[4:], "\x00\x00\x00\x03") }), header.ErrBigEndian, "version 3"},
		"version 1":          {bad(func(b []byte) { b[4] = 1 }), header.ErrVersion, "version 1"},
		"version 9":          {bad(func(b []byte) { b[4] = 9 }), header.ErrVersion, "version 9"},
		"a myriad tensors":   {bad(put64(8, 1<<60)), header.ErrMalformed, "tensors"},
		"a myriad values":    {bad(put64(16, 1<<60)), header.ErrMalformed, "values"},
		"more values":        {bad(put64(16, 60_000)), nil, ""},
		"huge key":           {bad(put64(24, 1<<62)), header.ErrTruncated, "announced"},
		"long key":           {append(bad(put64(24, 1<<17)), make([]byte, 1<<18)...), header.ErrMalformed, "text of 131072"},
		"within header":      {sound[:100], header.ErrTruncated, ""},
		"tensors cut":        {sound[:len(sound)-1], header.ErrTruncated, "tensors end"},
		"unknown kind":       {pair("a", struct{}{}), nil, ""},
		"alignment 0":        {pair("general.alignment", uint32(0)), header.ErrMalformed, "alignment"},
		"alignment 33":       {pair("general.alignment", uint32(33)), header.ErrMalformed, "alignment"},
		"alignment text":     {pair("general.alignment", "x"), header.ErrMalformed, "alignment"},
		"alignment 64":       {tensorAt64(), header.ErrMalformed, "multiple of 64"},
		"bos out of range":   {pair("tokenizer.ggml.bos_token_id", uint32(4)), header.ErrMalformed, "vocabulary has 4"},
		"twice the tensor":   {tensor(sample.Tensor{Name: "token_embd.weight", Dims: []uint64{1}, Bytes: 4}), header.ErrMalformed, "stands twice"},
		"no dimensions":      {tensor(sample.Tensor{Name: "t"}), header.ErrMalformed, "0 dimensions"},
		"five dimensions":    {tensor(sample.Tensor{Name: "t", Dims: []uint64{1, 1, 1, 1, 1}}), header.ErrMalformed, "5 dimensions"},
		"empty dimension":    {tensor(sample.Tensor{Name: "t", Dims: []uint64{0}}), header.ErrMalformed, "dimension 0"},
		"overflowing":        {tensor(sample.Tensor{Name: "t", Dims: []uint64{1 << 40, 1 << 40}}), header.ErrMalformed, "dimension"},
		"part of a block":    {tensor(sample.Tensor{Name: "t", Type: 2, Dims: []uint64{33}, Bytes: 18}), header.ErrMalformed, "blocks of 32"},
		"larger than a disk": {tensor(sample.Tensor{Name: "t", Dims: []uint64{1 << 50}, Bytes: 4}), header.ErrTruncated, "tensors end"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := read(test.data)
			if err == nil || test.want != nil && !errors.Is(err, test.want) || !strings.Contains(err.Error(), test.says) {
				t.Errorf("error %v, want %v with %q", err, test.want, test.says)
			}
		})
	}
}

// tensorAt64 has a tensor that an alignment of 64 does not allow.
func tensorAt64() []byte {
	f := sample.Model("x", 8, sample.Pair{Key: "general.alignment", Value: uint32(64)})
	f.Tensors = append(f.Tensors, sample.Tensor{Name: "t", Dims: []uint64{8}, Bytes: 32})
	return append(f.Bytes(), make([]byte, 64)...)
}

func TestNoTokenIsNoFault(t *testing.T) {
	h, err := read(pair("tokenizer.ggml.bos_token_id", uint32(1<<32-1)))
	if err != nil || h.BOS() != -1 {
		t.Errorf("bos %d, error %v; want none", h.BOS(), err)
	}
}

func TestUnknownTypeIsNamed(t *testing.T) {
	h, err := read(tensor(sample.Tensor{Name: "t", Type: 77, Dims: []uint64{3}, Bytes: 4}))
	if err != nil || h.Tensors[1].Type.String() != "type 77" || h.Tensors[1].Bytes() != 0 {
		t.Errorf("%v, %v", h, err)
	}
}

func TestEveryPrefixIsTruncated(t *testing.T) {
	sound := sample.Model("x", 8, sample.Pair{Key: "general.languages", Value: []string{"en"}}).Bytes()
	for n := range sound {
		if _, err := read(sound[:n]); !errors.Is(err, header.ErrTruncated) && !errors.Is(err, header.ErrNotGGUF) {
			t.Errorf("%d of %d bytes: error %v", n, len(sound), err)
		}
	}
}

// A length in a short file must not make memory; nor may a file that is shorter
// than its size says.
func TestDeclaredLengthsMakeNoMemory(t *testing.T) {
	data := bad(put64(24, 15<<20))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, err := header.Read(bytes.NewReader(data), 1<<40)
	runtime.ReadMemStats(&after)
	if err == nil {
		t.Error("accepted")
	}
	if used := after.TotalAlloc - before.TotalAlloc; used > 1<<20 {
		t.Errorf("%d bytes were made for a file of %d", used, len(data))
	}
}

func TestOpen(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "m.gguf")
	if err := os.WriteFile(file, sample.Model("x", 64).Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if h, err := header.Open(file); err != nil || h.Name() != "x" {
		t.Errorf("%v, %v", h, err)
	}
	if _, err := header.Open(filepath.Join(dir, "none")); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("absent file: %v", err)
	}
	if _, err := header.Open(dir); !errors.Is(err, header.ErrNotGGUF) {
		t.Errorf("folder: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add(sample.Model("x", 8, sample.Pair{Key: "general.languages", Value: []string{"en"}}).Bytes())
	f.Add(tensor(sample.Tensor{Name: "t", Type: 2, Dims: []uint64{32, 2}, Bytes: 36}))
	f.Add(pair("x", make([]int32, 5000)))
	f.Add([]byte("GGUF\x03\x00\x00\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		h, err := read(data)
		if err != nil {
			for _, known := range []error{header.ErrNotGGUF, header.ErrBigEndian, header.ErrVersion, header.ErrTruncated, header.ErrMalformed} {
				if errors.Is(err, known) {
					return
				}
			}
			t.Fatalf("error without a name: %v", err)
		}
		if len(h.Tensors) > 0 && uint64(h.Data)+h.Tensors[0].Offset+h.Tensors[0].Bytes() > uint64(len(data)) {
			t.Fatal("a tensor lies beyond the end")
		}
		_, _, _, _ = h.Precision(), h.Vocabulary(), h.Languages(), h.Template()
	})
}
