package metrics

import (
	"context"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"fabula/engine/machine"
)

// fresh is how long figures of cards stay good: asking them costs a process.
const fresh = 5 * time.Second

// load tells how busy the machine is, whenever it is asked.
type load struct {
	processors, card, memory *prometheus.Desc

	mu     sync.Mutex
	before machine.Ticks
	cards  []machine.Card
	at     time.Time
}

func newLoad() *load {
	of := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc(name, help, labels, nil)
	}
	l := &load{
		processors: of("system_cpu_utilization_ratio", "Share of the time since the last look in which processors worked, 0 to 1."),
		card:       of("hw_gpu_utilization_ratio", "Share of the time in which a card worked, as its driver averages it, 0 to 1.", "hw_id", "hw_name"),
		memory:     of("hw_gpu_memory_utilization_ratio", "Share of a card's memory in use, 0 to 1.", "hw_id", "hw_name"),
	}
	l.before, _ = machine.Processors()
	return l
}

// Describe implements prometheus.Collector.
func (l *load) Describe(out chan<- *prometheus.Desc) {
	out <- l.processors
	out <- l.card
	out <- l.memory
}

// Collect implements prometheus.Collector. What the system does not tell is
// left out.
func (l *load) Collect(out chan<- prometheus.Metric) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if now, ok := machine.Processors(); ok {
		if share, ok := now.Since(l.before); ok {
			out <- prometheus.MustNewConstMetric(l.processors, prometheus.GaugeValue, share)
			l.before = now
		}
	}
	if time.Since(l.at) > fresh {
		l.cards, l.at = machine.Cards(context.Background()), time.Now()
	}
	for _, c := range l.cards {
		out <- prometheus.MustNewConstMetric(l.card, prometheus.GaugeValue, c.Utilization, c.ID, c.Name)
		if c.All > 0 {
			out <- prometheus.MustNewConstMetric(l.memory, prometheus.GaugeValue, c.Used/c.All, c.ID, c.Name)
		}
	}
}
