package tensorrt

import (
	"bufio"
	"os"
	"strconv"
	"strings"
)

// anonymousMemory is what this process holds without files that are mapped, such as
// libraries, in bytes; 0 = unknown.
func anonymousMemory() int64 { return field("/proc/self/status", "RssAnon:") }

// field reads a number of kB behind a name, as bytes.
func field(path, name string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, "kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n << 10
		}
	}
	return 0
}
