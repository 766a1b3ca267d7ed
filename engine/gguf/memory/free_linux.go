package memory

import (
	"bufio"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Free is how many bytes can be taken without swapping: what the kernel
// calls available, less when the control group of this process allows less.
// 0 = unknown.
func Free() int64 {
	free := field("/proc/meminfo", "MemAvailable:") << 10
	if left := groupLeft("/sys/fs/cgroup"); left > 0 && (free == 0 || left < free) {
		free = left
	}
	return free
}

// field reads the number behind a name at the start of a line; 0 if there is
// none.
func field(path, name string) int64 {
	f, err := os.Open(path)
	if err != nil {
		return 0
	}
	defer f.Close()
	for s := bufio.NewScanner(f); s.Scan(); {
		if rest, ok := strings.CutPrefix(s.Text(), name); ok {
			n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(rest, " kB")), 10, 64)
			if err != nil {
				return 0
			}
			return n
		}
	}
	return 0
}

// groupLeft is what a control group may still take; 0 without a limit. File
// cache counts as usage there, but is given back when asked for.
func groupLeft(dir string) int64 {
	most, err := number(filepath.Join(dir, "memory.max"))
	if err != nil {
		return 0
	}
	used, err := number(filepath.Join(dir, "memory.current"))
	if err != nil {
		return 0
	}
	return max(most-used+field(filepath.Join(dir, "memory.stat"), "file "), 1)
}

func number(path string) (int64, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return 0, err
	}
	return strconv.ParseInt(strings.TrimSpace(string(b)), 10, 64)
}
