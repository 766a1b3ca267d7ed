package catalog_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/gguf/header/sample"
	"fabula/engine/remote"
)

// Ensure that servers answer where a ladder or a person says so, in the order
// of the configuration, and nowhere else.
func TestRemotes(t *testing.T) {
	servers := []remote.Options{
		{Name: "studio", URL: "http://127.0.0.1:1/v1", Model: "m", Languages: []string{"en"}},
		{Name: "wrong", URL: "nowhere", Model: "m"},
		{Name: "abroad", URL: "http://127.0.0.1:2/v1", Model: "m"},
	}
	dir := pool(t, map[string]sample.File{"m": sample.Model("M", 64)})
	tests := map[string]struct {
		o    catalog.Options
		lang string
		want []string
	}{
		"by nobody":           {catalog.Options{Remotes: servers}, "en", []string{"m full ", "recall recall failed"}},
		"by a ladder":         {catalog.Options{Remotes: servers, Ladder: []string{"remote", "gguf"}}, "en", []string{"studio full ", "abroad smaller failed", "m smaller failed", "recall recall failed"}},
		"that speaks":         {catalog.Options{Remotes: servers, Ladder: []string{"remote"}}, "zh", []string{"abroad smaller failed", "recall recall failed"}},
		"by name in a ladder": {catalog.Options{Remotes: servers, Ladder: []string{"abroad"}}, "zh", []string{"abroad full ", "recall recall failed"}},
		"by a person":         {catalog.Options{Remotes: servers, Choice: "Studio"}, "zh", []string{"studio full ", "recall recall failed"}},
		"none configured":     {catalog.Options{Ladder: []string{"remote"}}, "en", []string{"recall recall no_server"}},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			test.o.Dir, test.o.OpenModel = dir, (&opener{}).open
			c := open(t, test.o)
			if diff := cmp.Diff(test.want, steps(rungs(c, test.lang))); diff != "" {
				t.Errorf("rungs (-want +got):\n%s\nreasons %v", diff, c.Reasons())
			}
			first, again := rungs(c, test.lang)[0], rungs(c, test.lang)[0]
			if first.Engine != again.Engine {
				t.Error("a client was made twice")
			}
			if name == "by a person" {
				if err := c.Ready(t.Context(), engine.Ask{Language: test.lang}); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for choice, says := range map[string]string{"remote": "FABULA_REMOTE_URL", "wrong": "looks like"} {
		o := catalog.Options{Dir: dir, Choice: choice}
		if choice != "remote" {
			o.Remotes = servers
		}
		if _, err := catalog.Open(o); !errors.Is(err, engine.ErrUnavailable) || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v", choice, err)
		}
	}
}
