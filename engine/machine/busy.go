package machine

import (
	"bufio"
	"context"
	"os"
	"strconv"
	"strings"
)

// Ticks are how long all processors worked and how long they could have, since
// the system was started, in the kernel's ticks.
type Ticks struct{ Busy, All uint64 }

// Processors reads the ticks; ok is false where the system does not tell.
func Processors() (t Ticks, ok bool) {
	f, err := os.Open("/proc/stat")
	if err != nil {
		return Ticks{}, false
	}
	defer f.Close()
	line, err := bufio.NewReader(f).ReadString('\n')
	words := strings.Fields(line)
	if err != nil || len(words) < 6 || words[0] != "cpu" {
		return Ticks{}, false
	}
	for i, w := range words[1:] {
		n, err := strconv.ParseUint(w, 10, 64)
		if err != nil {
			return Ticks{}, false
		}
		if i >= 8 { // guests are inside user already
			break
		}
		t.All += n
		if i != 3 && i != 4 { // idle, waiting for a disk
			t.Busy += n
		}
	}
	return t, true
}

// Since is the share of the time since before in which processors worked, 0 to
// 1; ok is false where no time passed.
func (t Ticks) Since(before Ticks) (share float64, ok bool) {
	if t.All <= before.All || t.Busy < before.Busy {
		return 0, false
	}
	return float64(t.Busy-before.Busy) / float64(t.All-before.All), true
}

// Card is a graphics card at one moment.
type Card struct {
	ID, Name    string
	Utilization float64 // 0 to 1, as the driver averages it
	Used, All   float64 // memory, bytes
}

// Cards asks the NVIDIA driver; none where it is not there or does not tell.
func Cards(ctx context.Context) []Card {
	var cards []Card
	for _, row := range smi(ctx, "index,name,utilization.gpu,memory.used,memory.total") {
		if c, ok := card(row); ok {
			cards = append(cards, c)
		}
	}
	return cards
}

func card(row []string) (Card, bool) {
	if len(row) != 5 {
		return Card{}, false
	}
	var numbers [3]float64
	for i := range numbers {
		n, err := strconv.ParseFloat(row[2+i], 64)
		if err != nil { // "[N/A]"
			return Card{}, false
		}
		numbers[i] = n
	}
	return Card{ID: row[0], Name: row[1], Utilization: numbers[0] / 100, Used: numbers[1] * (1 << 20), All: numbers[2] * (1 << 20)}, true
}
