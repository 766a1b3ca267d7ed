package memory_test

import (
	"os"
	"path/filepath"
	"testing"

	"fabula/engine/gguf/memory"
)

func TestGroupLeft(t *testing.T) {
	tests := []struct {
		name string
		max  string
		left int64
	}{
		{"no limit", "max", 0},
		{"limit", "1000", 700}, // 600 used, of which 300 are file cache
		{"spent", "100", 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{
				"memory.max": tt.max + "\n", "memory.current": "600\n", "memory.stat": "anon 300\nfile 300\nfile_mapped 5\n",
			} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if left := memory.GroupLeft(dir); left != tt.left {
				t.Errorf("left %d, want %d", left, tt.left)
			}
		})
	}
}
