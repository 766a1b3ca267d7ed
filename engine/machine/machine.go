// Package machine tells what a program runs on, as far as the system lets it be
// read: processor, memory and its bandwidth, graphics cards, utilisation. What
// cannot be read is left out, never guessed.
package machine

import (
	"bufio"
	"context"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/klauspost/cpuid/v2"
)

// Machine is what figures were measured on.
type Machine struct {
	OS        string   `json:"os"`
	Arch      string   `json:"arch"`
	Processor string   `json:"processor,omitempty"`
	Cores     int      `json:"cores"`               // logical ones that this program may use
	Memory    int64    `json:"memory,omitempty"`    // bytes
	Bandwidth float64  `json:"bandwidth,omitempty"` // bytes read a second by all cores; 0 = not measured
	Load      float64  `json:"load,omitempty"`      // average of the last minute, before the first measurement
	Cards     []string `json:"cards,omitempty"`     // name and driver, as nvidia-smi tells
}

// Read looks at the machine; it takes no time to speak of but for asking a card.
func Read(ctx context.Context) Machine {
	m := Machine{OS: runtime.GOOS, Arch: runtime.GOARCH, Processor: cpuid.CPU.BrandName, Cores: runtime.GOMAXPROCS(0)}
	if kib, ok := field("/proc/meminfo", "MemTotal:"); ok {
		m.Memory = kib << 10
	}
	if raw, err := os.ReadFile("/proc/loadavg"); err == nil {
		first, _, _ := strings.Cut(string(raw), " ")
		m.Load, _ = strconv.ParseFloat(first, 64)
	}
	for _, row := range smi(ctx, "name,driver_version") {
		m.Cards = append(m.Cards, strings.Join(row, ", driver "))
	}
	return m
}

// Peak is the most memory that a process ever held, in bytes.
func Peak(pid int) (int64, bool) {
	kib, ok := field("/proc/"+strconv.Itoa(pid)+"/status", "VmHWM:")
	return kib << 10, ok
}

// field reads the number behind a name in one of the kernel's tables.
func field(file, name string) (int64, bool) {
	f, err := os.Open(file)
	if err != nil {
		return 0, false
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		if rest, ok := strings.CutPrefix(lines.Text(), name); ok {
			words := strings.Fields(rest)
			if len(words) == 0 {
				return 0, false
			}
			n, err := strconv.ParseInt(words[0], 10, 64)
			return n, err == nil
		}
	}
	return 0, false
}

// smiPatience bounds asking a card.
const smiPatience = 5 * time.Second

// smi asks nvidia-smi, which comes with the driver; nothing where it is not
// there. One row a card.
func smi(ctx context.Context, query string) [][]string {
	program, err := exec.LookPath("nvidia-smi")
	if err != nil {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, smiPatience)
	defer cancel()
	out, err := exec.CommandContext(ctx, program, "--query-gpu="+query, "--format=csv,noheader,nounits").Output()
	if err != nil {
		return nil
	}
	return table(string(out))
}

// table reads comma-separated rows.
func table(out string) [][]string {
	var rows [][]string
	for line := range strings.Lines(out) {
		var row []string
		for cell := range strings.SplitSeq(strings.TrimSpace(line), ",") {
			row = append(row, strings.TrimSpace(cell))
		}
		if len(row) > 0 && row[0] != "" {
			rows = append(rows, row)
		}
	}
	return rows
}
