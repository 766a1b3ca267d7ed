package metrics_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/VictoriaMetrics/metricsql"
	"github.com/prometheus/client_golang/prometheus/testutil/promlint"
	"gopkg.in/yaml.v3"

	"fabula/engine"
	"fabula/engine/metrics"
	"fabula/engine/scripted"
)

const script = `engine lamp
reply
  match   "good"
  queue   3ms
  prefill 20 80 4ms
  text    "a" 1ms
  text    "b" 2ms times=4
reply
  match   "broken"
  text    "a" 1ms
  fault   "device lost"
reply
  match   "no"
  refuse  "no memory"
`

// ladder is one rung, with a guard that must be asked.
type ladder struct {
	e       engine.Engine
	guarded *int
}

func (l ladder) Rungs(engine.Ask) iter.Seq[engine.Rung] {
	return func(yield func(engine.Rung) bool) {
		yield(engine.Rung{Engine: l.e, Step: engine.StepFull, Guard: l})
	}
}

func (l ladder) Generate(ctx context.Context, e engine.Engine, r engine.Request) (engine.Stream, error) {
	*l.guarded++
	return e.Generate(ctx, r)
}

// used is a meter that saw a good reply, a broken one, a refusal and a move.
func used(t *testing.T) *metrics.Meter {
	t.Helper()
	e, err := scripted.Parse([]byte(script))
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New("test")
	guarded := 0
	for r := range m.Watch(ladder{e, &guarded}).Rungs(engine.Ask{}) {
		for _, query := range []string{"good", "broken", "no"} {
			s, err := r.Generate(t.Context(), engine.Request{Query: query})
			if err != nil {
				if query != "no" || !errors.Is(err, engine.ErrUnavailable) {
					t.Fatal(err)
				}
				continue
			}
			for err == nil {
				_, err = s.Next()
			}
			if err != io.EOF {
				t.Fatal(err)
			}
		}
	}
	if guarded != 3 {
		t.Errorf("the rung's own guard was asked %d times", guarded)
	}
	m.Moved("lamp", false, "crashed")
	m.Moved("lamp", true, "")
	return m
}

// figures asks as Prometheus does.
func figures(t *testing.T, m *metrics.Meter) string {
	t.Helper()
	s, err := metrics.Serve("127.0.0.1:0", m)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}()
	res, err := http.Get("http://" + s.Addr() + "/metrics")
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil || res.StatusCode != http.StatusOK {
		t.Fatal(res.Status, err)
	}
	return string(body)
}

// Ensure that figures are those of the script, under the conventions' names.
func TestFigures(t *testing.T) {
	m := used(t)
	got := figures(t, m)
	common := `gen_ai_operation_name="chat",gen_ai_provider_name="scripted",gen_ai_request_model="lamp"`
	for _, want := range []string{
		`gen_ai_server_time_to_first_token_seconds_count{` + common + `} 1`,
		`gen_ai_server_time_to_first_token_seconds_sum{` + common + `} 0.008`,
		`gen_ai_server_time_per_output_token_seconds_sum{` + common + `} 0.002`,
		`gen_ai_client_token_usage_sum{` + common + `,gen_ai_token_type="output"} 6`,
		`gen_ai_server_request_duration_seconds_count{error_type="",` + common + `} 1`,
		`gen_ai_server_request_duration_seconds_count{error_type="unavailable",` + common + `} 1`,
		`fabula_queue_seconds_sum{` + common + `} 0.003`,
		`fabula_token_gap_seconds_count{` + common + `} 4`,
		`fabula_prompt_tokens_total{gen_ai_request_model="lamp",source="reused"} 80`,
		`fabula_replies_total{gen_ai_provider_name="scripted",gen_ai_request_model="lamp",reason="fault",step="full"} 1`,
		`fabula_replies_total{gen_ai_provider_name="scripted",gen_ai_request_model="lamp",reason="refused",step="full"} 1`,
		`fabula_replies_in_flight{gen_ai_request_model="lamp"} 0`,
		`fabula_engine_moves_total{direction="down",gen_ai_request_model="lamp",why="crashed"} 1`,
		`fabula_engine_moves_total{direction="up",gen_ai_request_model="lamp",why=""} 1`,
		`fabula_build_info{version="test"} 1`,
	} {
		if !strings.Contains(got, want+"\n") {
			t.Errorf("no %s", want)
		}
	}
	if problems, err := promlint.New(strings.NewReader(got)).Lint(); err != nil || len(problems) > 0 {
		t.Errorf("%v, %v", err, problems)
	}
	if t.Failed() {
		t.Log(got)
	}
}

// Ensure that a stream that nobody reads to its end is seen to be in flight.
func TestInFlight(t *testing.T) {
	e, err := scripted.Parse([]byte("engine slow\nreply\n  hang\n"))
	if err != nil {
		t.Fatal(err)
	}
	m := metrics.New("test")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	for r := range m.Watch(ladder{e, new(int)}).Rungs(engine.Ask{}) {
		s, err := r.Generate(ctx, engine.Request{})
		if err != nil {
			t.Fatal(err)
		}
		if got := figures(t, m); !strings.Contains(got, `fabula_replies_in_flight{gen_ai_request_model="slow"} 1`) {
			t.Error("not in flight")
		}
		cancel()
		for err == nil {
			_, err = s.Next()
		}
	}
	if got := figures(t, m); !strings.Contains(got, `fabula_replies_in_flight{gen_ai_request_model="slow"} 0`) || !strings.Contains(got, `error_type="cancelled"`) {
		t.Error("still in flight")
	}
}

// Ensure that figures leave the machine only where a person said so.
func TestAddress(t *testing.T) {
	for _, tc := range []struct {
		address string
		public  bool
		want    string
	}{
		{"127.0.0.1:9464", false, "127.0.0.1:9464"}, {":9464", false, "127.0.0.1:9464"}, {"[::1]:1", false, "[::1]:1"}, {"localhost:1", false, "localhost:1"},
		{"0.0.0.0:9464", false, ""}, {"192.0.2.1:1", false, ""}, {"example.com:1", false, ""}, {"9464", false, ""}, {"", false, ""},
		{"0.0.0.0:9464", true, "0.0.0.0:9464"}, {":9464", true, ":9464"},
	} {
		got, err := metrics.Address(tc.address, tc.public)
		if got != tc.want || (err == nil) != (tc.want != "") {
			t.Errorf("%q, public %t: %q, %v", tc.address, tc.public, got, err)
		}
	}
	if _, err := metrics.Serve("256.0.0.1:1", metrics.New("test")); err == nil {
		t.Error("served nowhere")
	}
}

// rules is the shape of a file of Prometheus rules.
type rules struct {
	Groups []struct {
		Name  string
		Rules []struct {
			Alert, Expr         string
			For                 time.Duration
			Labels, Annotations map[string]string
		}
	}
}

var (
	metric = regexp.MustCompile(`\b(gen_ai|fabula|system|hw)_[a-z0-9_]+`)
	by     = regexp.MustCompile(`by \([a-z_, ]*\)`)
	label  = regexp.MustCompile(`\$labels\.([a-z_]+)`)
)

// Ensure that the alert rules are rules, that their expressions parse, and that
// they ask for figures that are there.
func TestAlerts(t *testing.T) {
	raw, err := os.Open("alerts.yaml")
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	var file rules
	dec := yaml.NewDecoder(raw)
	dec.KnownFields(true)
	if err := dec.Decode(&file); err != nil {
		t.Fatal(err)
	}
	card := t.TempDir() // a card, so that its figures are there
	if err := os.WriteFile(card+"/nvidia-smi", []byte("#!/bin/sh\necho 0, Card, 37, 1024, 2048\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", card+":"+os.Getenv("PATH"))
	m := used(t)
	there := figures(t, m)
	names := map[string]bool{}
	for _, g := range file.Groups {
		for _, r := range g.Rules {
			names[r.Alert] = true
			if _, err := metricsql.Parse(r.Expr); err != nil {
				t.Errorf("%s: %v", r.Alert, err)
			}
			if r.For <= 0 || r.Labels["severity"] == "" || r.Annotations["summary"] == "" || r.Annotations["description"] == "" {
				t.Errorf("%s lacks for, severity, summary or description", r.Alert)
			}
			for _, name := range metric.FindAllString(by.ReplaceAllString(r.Expr, ""), -1) {
				if !strings.Contains(there, "\n"+name+"{") && !strings.Contains(there, "\n"+name+" ") && name != "system_cpu_utilization_ratio" {
					t.Errorf("%s asks for %s, which nobody counts", r.Alert, name)
				}
			}
			for _, name := range label.FindAllStringSubmatch(r.Annotations["description"], -1) {
				if !strings.Contains(r.Expr, name[1]) {
					t.Errorf("%s speaks of %s, which its result lacks", r.Alert, name[1])
				}
			}
		}
	}
	if fmt.Sprint(names) != "map[FabulaFirstTokenSlow:true FabulaMachineBusy:true]" {
		t.Errorf("rules %v", names)
	}
	for _, name := range []string{"hw_gpu_utilization_ratio", "hw_gpu_memory_utilization_ratio"} {
		if !strings.Contains(there, name+`{hw_id="0",hw_name="Card"}`) {
			t.Errorf("no %s", name)
		}
	}
}
