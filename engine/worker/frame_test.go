package worker_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"fabula/engine/worker"
)

func sample(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := worker.WriteSample(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestFrames(t *testing.T) {
	good := sample(t)
	tests := []struct {
		name  string
		bytes []byte
		n     int
		eof   bool
	}{
		{"all", good, 6, true},
		{"nothing", nil, 0, true},
		{"cut in a length", good[:2], 0, false},
		{"cut in a frame", good[:len(good)-1], 5, false},
		{"length of zero", []byte{0, 0, 0, 0}, 0, false},
		{"oversized", []byte{0xff, 0xff, 0xff, 0xff, 1, 2, 3}, 0, false},
		{"printed text", []byte(strings.Repeat("loading model\n", 9)), 0, false},
		{"no gob", []byte{0, 0, 0, 4, 9, 9, 9, 9}, 0, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			n, err := worker.ReadFrames(bytes.NewReader(tt.bytes))
			if n != tt.n || errors.Is(err, io.EOF) != tt.eof || !tt.eof && !errors.Is(err, worker.ErrFrame) {
				t.Errorf("%d frames, then %v", n, err)
			}
		})
	}
}

// Garbage is an error, never a panic and never a huge allocation.
func FuzzFrames(f *testing.F) {
	f.Add(sample(f))
	f.Fuzz(func(t *testing.T, b []byte) {
		_, err := worker.ReadFrames(bytes.NewReader(b))
		if !errors.Is(err, io.EOF) && !errors.Is(err, worker.ErrFrame) {
			t.Errorf("error %v", err)
		}
	})
}
