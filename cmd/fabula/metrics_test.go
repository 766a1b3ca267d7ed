package main

import (
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/adrg/xdg"

	"fabula/engine/metrics"
	"fabula/story"
)

// Ensure that a turn is counted, and that neither its words nor its world are
// in the figures.
func TestATurnIsCounted(t *testing.T) {
	for _, v := range []string{"XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"} {
		t.Setenv(v, t.TempDir())
	}
	xdg.Reload()
	script := filepath.Join(t.TempDir(), "lamp.script")
	if err := os.WriteFile(script, []byte("engine lamp\nreply\n  prefill 10 0 2ms\n  say \"A fox did.\" 1ms\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	f := playFlags{engine: "scripted:" + script}
	f.meter = metrics.New("test")
	o, err := openWorld(demoWorld, &shell{lang: "en"}, f)
	if err != nil {
		t.Fatal(err)
	}
	defer o.Close()
	branch, _, err := o.session.Begin(story.Start{})
	if err != nil {
		t.Fatal(err)
	}
	running, err := o.session.Say(context.Background(), branch.ID, story.Input{To: "laozhou", Text: "Who lit the lamp?"}, story.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := running.Wait(); err != nil {
		t.Fatal(err)
	}
	s, err := metrics.Serve("127.0.0.1:0", f.meter)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	res, err := http.Get("http://" + s.Addr() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	got := string(body)
	if !strings.Contains(got, `fabula_replies_total{gen_ai_provider_name="scripted",gen_ai_request_model="lamp",reason="stop",step="full"} 1`) {
		t.Errorf("the reply was not counted:\n%.2000s", got)
	}
	for _, secret := range []string{"laozhou", "fox", "Who lit"} {
		if strings.Contains(got, secret) {
			t.Errorf("the figures tell of %q", secret)
		}
	}
}

// Ensure that the commands which play can be watched, and that none lets others
// watch unasked.
func TestMetricsStayHere(t *testing.T) {
	for _, args := range [][]string{{demoWorld}, {"play", demoWorld}} {
		root, _ := newRoot()
		root.SetArgs(append(args, "--plain", "--engine", "recall", "--metrics", "192.0.2.1:9464"))
		if err := root.Execute(); err == nil || !strings.Contains(err.Error(), "--metrics-public") {
			t.Errorf("%v: %v", args, err)
		}
	}
}
