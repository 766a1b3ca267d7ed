package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"fabula/engine/ladder"
	"fabula/engine/metrics"
	"fabula/story"
)

// meterFlags are the flags of commands that can be watched from outside.
type meterFlags struct {
	address string
	public  bool
	meter   *metrics.Meter // nil: nobody watches
}

func (f *meterFlags) registerMetrics(c *cobra.Command) {
	c.Flags().StringVar(&f.address, "metrics", "", "serve figures for Prometheus at this address of this machine, like 127.0.0.1:9464")
	c.Flags().BoolVar(&f.public, "metrics-public", false, "let --metrics be an address that other machines reach")
}

// serveMetrics begins to serve where that was asked for. Close ends it.
func (f *meterFlags) serveMetrics() (io.Closer, error) {
	if f.address == "" {
		if f.public {
			return nil, usage("--metrics-public needs --metrics and an address")
		}
		return io.NopCloser(nil), nil
	}
	address, err := metrics.Address(f.address, f.public)
	if err != nil {
		return nil, usage("--metrics: %v; add --metrics-public if that is meant", err)
	}
	f.meter = metrics.New(version)
	s, err := metrics.Serve(address, f.meter)
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(os.Stderr, "figures for Prometheus: http://%s/metrics\n", s.Addr())
	return s, nil
}

// watch counts what answers, where somebody watches.
func (f *meterFlags) watch(engines story.Engines) story.Engines {
	if f.meter == nil {
		return engines
	}
	return f.meter.Watch(engines)
}

// moved counts a move of trust, where somebody watches.
func (f *meterFlags) moved(m ladder.Move) {
	if f.meter == nil {
		return
	}
	why := ""
	if m.Why != nil {
		why = m.Why.Code
	}
	f.meter.Moved(m.Name, m.Up, why)
}
