package hub_test

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path"
	"strings"
	"testing"

	"fabula/engine/hub"
)

const sum = "6a1a2eb6d15622bf3c96857206351ba97e1af16c30d7a74ee38970e434e9407e"

// listing is what a hub tells of a repository.
func listing(files ...string) string {
	var out []string
	for i, f := range files {
		out = append(out, fmt.Sprintf(`{"rfilename":%q,"size":%d,"lfs":{"sha256":%q,"size":%d,"pointerSize":135}}`, f, 1000+i, sum, 1000+i))
	}
	return `{"id":"x/y","sha":"c0ffee","cardData":{"license":"apache-2.0"},"siblings":[{"rfilename":"README.md","size":9},` + strings.Join(out, ",") + `]}`
}

func library(t *testing.T, answer func(w http.ResponseWriter, r *http.Request)) hub.Client {
	t.Helper()
	s := httptest.NewTLSServer(http.HandlerFunc(answer))
	t.Cleanup(s.Close)
	return hub.Client{Endpoint: s.URL + "/", HTTP: s.Client()}
}

func TestParse(t *testing.T) {
	tests := map[string]hub.Ref{
		"Qwen/Qwen2.5-1.5B-Instruct-GGUF":        {Repo: "Qwen/Qwen2.5-1.5B-Instruct-GGUF"},
		"a/b:Q4_K_M":                             {Repo: "a/b", File: "Q4_K_M"},
		"a/b@main:sub/m.gguf":                    {Repo: "a/b", Revision: "main", File: "sub/m.gguf"},
		"a/b@0c1e57098":                          {Repo: "a/b", Revision: "0c1e57098"},
		"https://example.org/m.gguf":             {},
		"https://user:pass@example.org/m.gguf":   {},
		"a":                                      {},
		"a/b/c":                                  {},
		"../b":                                   {},
		"a/..":                                   {},
		"a/b@x/y":                                {},
		"a/b c":                                  {},
		"a/b:m.gguf?download=true":               {},
		"":                                       {},
		"a/" + strings.Repeat("b", 200):          {},
		"C:\\models\\m.gguf":                     {},
		"/home/me/m.gguf":                        {},
		"hf.co/bartowski/Llama-3.2-3B-Instruct:": {},
	}
	for text, want := range tests {
		got, err := hub.Parse(text)
		if got != want || errors.Is(err, hub.ErrRef) != (want == hub.Ref{}) {
			t.Errorf("%q: %+v, %v", text, got, err)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a/b@c:d")
	f.Fuzz(func(t *testing.T, text string) {
		if r, err := hub.Parse(text); err == nil && (strings.Count(r.Repo, "/") != 1 || path.Clean(r.Repo) != r.Repo) {
			t.Errorf("%q gives %+v", text, r)
		}
	})
}

func TestFind(t *testing.T) {
	many := []string{"m-Q4_K_M.gguf", "m-Q4_K_S.gguf", "m-IQ4_K_M.gguf", "mmproj-m-Q4_K_M.gguf", "sub/m-f16.gguf", "big-Q8_0-00001-of-00002.gguf", "big-Q8_0-00002-of-00002.gguf"}
	tests := map[string]struct {
		files []string
		want  string
		path  string
		says  string
	}{
		"usual precision":   {many, "", "m-Q4_K_M.gguf", ""},
		"precision":         {many, "q4_k_s", "m-Q4_K_S.gguf", ""},
		"eight bits":        {[]string{"m-Q8_0.gguf", "m-Q4_K_M.gguf"}, "int8", "m-Q8_0.gguf", ""},
		"a family of them":  {many, "q4_k", "m-Q4_K_M.gguf", ""},
		"in other words":    {many, "fp16", "sub/m-f16.gguf", ""},
		"whole word only":   {many, "4_K_M", "", "none is 4_K_M; there are m-Q4_K_M.gguf, m-Q4_K_S.gguf"},
		"file":              {many, "M-F16.gguf", "sub/m-f16.gguf", ""},
		"path":              {many, "sub/m-f16.gguf", "sub/m-f16.gguf", ""},
		"in parts":          {many, "Q8_0", "", "one part of several"},
		"one part":          {many, "big-Q8_0-00002-of-00002.gguf", "", "one part of several"},
		"the only one":      {[]string{"m-Q8_0.gguf"}, "", "m-Q8_0.gguf", ""},
		"no usual one":      {[]string{"m-Q8_0.gguf", "m-F16.gguf"}, "", "", "none is Q4_K_M; there are"},
		"two of that name":  {[]string{"a-Q4_K_M.gguf", "b-Q4_K_M.gguf"}, "", "", "a-Q4_K_M.gguf, b-Q4_K_M.gguf are Q4_K_M"},
		"no model at all":   {[]string{"model.safetensors"}, "", "", "no GGUF file"},
		"projector is none": {[]string{"mmproj-m-Q4_K_M.gguf"}, "", "", "no GGUF file"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			c := library(t, func(w http.ResponseWriter, r *http.Request) {
				if r.URL.Path != "/api/models/x/y/revision/main" || r.URL.RawQuery != "blobs=true" {
					t.Errorf("asked for %s", r.URL)
				}
				_, _ = w.Write([]byte(listing(test.files...)))
			})
			f, err := c.Find(t.Context(), hub.Ref{Repo: "x/y", File: test.want})
			if test.says != "" {
				if !errors.Is(err, hub.ErrChoice) || !strings.Contains(err.Error(), test.says) {
					t.Errorf("error %v, want one with %q", err, test.says)
				}
				return
			}
			if err != nil || f.Path != test.path || f.SHA256 != sum || f.Size < 1000 || f.Licence != "apache-2.0" {
				t.Fatalf("%+v, %v", f, err)
			}
			if want := c.Endpoint + "x/y/resolve/c0ffee/" + test.path; f.Address.String() != want {
				t.Errorf("address %s, want %s", f.Address, want)
			}
			if want := "x/y@c0ffee:" + test.path; f.Origin() != want {
				t.Errorf("origin %s", f.Origin())
			}
		})
	}
}

func TestFindRefuses(t *testing.T) {
	answers := map[string]struct {
		status int
		body   string
		says   string
		is     error
	}{
		"unknown":       {404, `{}`, "no such model", hub.ErrNotFound},
		"gated":         {401, `{}`, "without a token", hub.ErrNotFound},
		"down":          {503, ``, "503", nil},
		"a page":        {200, `<!doctype html>`, "cannot be read", nil},
		"no revision":   {200, `{"siblings":[]}`, "no revision", nil},
		"odd revision":  {200, `{"sha":"../../x","siblings":[]}`, "no revision", nil},
		"broken digest": {200, `{"sha":"c","siblings":[{"rfilename":"m.gguf","lfs":{"sha256":"12","size":1}}]}`, "as a SHA-256", nil},
	}
	for name, test := range answers {
		t.Run(name, func(t *testing.T) {
			c := library(t, func(w http.ResponseWriter, _ *http.Request) {
				w.WriteHeader(test.status)
				_, _ = w.Write([]byte(test.body))
			})
			_, err := c.Find(t.Context(), hub.Ref{Repo: "x/y"})
			if err == nil || !strings.Contains(err.Error(), test.says) || test.is != nil && !errors.Is(err, test.is) {
				t.Errorf("error %v, want one with %q", err, test.says)
			}
		})
	}
	if _, err := (hub.Client{Endpoint: "http://127.0.0.1:1"}).Find(t.Context(), hub.Ref{Repo: "x/y"}); err == nil || !strings.Contains(err.Error(), "https") {
		t.Errorf("plain http: %v", err)
	}
}

// TestToken sends it to the hub, and only there.
func TestToken(t *testing.T) {
	var got string
	c := library(t, func(w http.ResponseWriter, r *http.Request) {
		got = r.Header.Get("Authorization")
		_, _ = w.Write([]byte(listing("m.gguf")))
	})
	c.Token = "secret"
	f, err := c.Find(t.Context(), hub.Ref{Repo: "x/y"})
	if err != nil || got != "Bearer secret" || strings.Contains(f.Address.String()+f.Origin(), "secret") {
		t.Errorf("sent %q: %+v, %v", got, f, err)
	}
}
