package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"

	"fabula/engine/tensorrt"
	"fabula/tui/screen/engines"
)

// Pull implements engines.Keeper, as 'models pull' does.
func (k *keeper) Pull(ctx context.Context, from string, report engines.Report) error {
	k.mu.Lock()
	cat := k.catalog
	k.mu.Unlock()
	_, err := cat.Pull(ctx, from, "", func(done, total int64) { report(int(done>>20), int(total>>20), "MiB") })
	return err
}

// noBuild says why 'engines build' could build nothing here.
func noBuild() string {
	if err := tensorrt.Available(); err != nil {
		return err.Error()
	}
	return ""
}

// buildGrace is how long a builder has to tidy up after an interrupt.
const buildGrace = 10 * time.Second

// Build implements engines.Keeper: it runs 'engines build' as a program of its own.
// The builder is native code, which may abort, and lowers the priority of whoever
// runs it.
func (k *keeper) Build(ctx context.Context, name string, report engines.Report) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.CommandContext(ctx, self, "engines", "build", name, "--json")
	c.Cancel = func() error { return c.Process.Signal(syscall.SIGINT) }
	c.WaitDelay = buildGrace
	var said strings.Builder
	c.Stderr = &said
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	if err := c.Start(); err != nil {
		return err
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		var p buildEvent
		if json.Unmarshal(lines.Bytes(), &p) == nil && p.Event == "progress" {
			report(int(100*p.Done), 100, p.Phase)
		}
	}
	switch err := c.Wait(); {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil && strings.TrimSpace(said.String()) != "":
		return fmt.Errorf("%s", strings.TrimSpace(said.String()))
	default:
		return err
	}
}
