package remote

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/url"
	"slices"
	"strings"
	"time"

	"fabula/engine"
)

// Dialect says which fields beyond the common ones a server takes.
type Dialect string

// The dialects. A server of another kind gets what all understand:
// temperature, top_p, max_tokens, seed, stop; the other knobs are not sent.
const (
	Common Dialect = ""
	OpenAI Dialect = "openai" // max_completion_tokens in place of max_tokens
	VLLM   Dialect = "vllm"   // top_k, min_p, repetition_penalty, priority
	Llama  Dialect = "llama"  // llama-server: top_k, min_p, repeat_penalty, repeat_last_n
)

// Dialects lists those that are written in a configuration.
func Dialects() []Dialect { return []Dialect{OpenAI, VLLM, Llama} }

// Options say which server is asked and how patiently. URL and Model are needed.
type Options struct {
	Name      string   // what people call it; empty = "remote"
	URL       string   // up to and including /v1
	Model     string   // as the server calls it
	Languages []string // that it speaks; empty = any
	Context   int      // window in tokens; 0 = not known, the server refuses what is too long
	Dialect   Dialect
	// Priority sends the priority of background requests; vLLM takes it where it
	// was started with --scheduling-policy priority, and refuses it elsewhere.
	Priority bool

	// Key gives the API key, once, before the first request; nil = none.
	Key func(context.Context) (string, error)
	// PlainKey allows the key over http to other machines.
	PlainKey bool
	CA       string // PEM file of authorities trusted beside the system's

	Connect    time.Duration                   // to reach the server, 0 = 10 s
	FirstToken time.Duration                   // to the first text of an attempt, 0 = 60 s
	Gap        time.Duration                   // between two chunks, 0 = 30 s
	Attempts   int                             // while no text came, 0 = 4
	Backoff    func(attempt int) time.Duration // after attempt 1, 2, …; nil = 0.5 s, 1 s, 2 s …
	Log        *slog.Logger                    // retries and refusals; nil = nowhere
}

// longestWait is the most that a server's Retry-After is obeyed for.
const longestWait = 30 * time.Second

func (o Options) patience() Options {
	o.Name = cmp.Or(o.Name, string(engine.Remote))
	o.Connect = cmp.Or(o.Connect, 10*time.Second)
	o.FirstToken = cmp.Or(o.FirstToken, time.Minute)
	o.Gap = cmp.Or(o.Gap, 30*time.Second)
	o.Attempts = cmp.Or(o.Attempts, 4)
	if o.Backoff == nil {
		o.Backoff = func(attempt int) time.Duration { return 500 * time.Millisecond << min(attempt-1, 5) }
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return o
}

// check refuses what could only fail later, or would send a key in the open.
func (o Options) check() error {
	u, err := url.Parse(o.URL)
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		// The address is not repeated: it may hold what it should not.
		return o.wrong("the url is no http or https address; it looks like http://127.0.0.1:8000/v1")
	case u.User != nil || u.RawQuery != "" || u.Fragment != "":
		return o.wrong("the url holds a user, a question mark or a #; keys go under key, the rest away")
	case o.Model == "":
		return o.wrong("no model is named; the server lists its own under %s/models", strings.TrimRight(o.URL, "/"))
	case o.Dialect != Common && !slices.Contains(Dialects(), o.Dialect):
		return o.wrong("dialect %q is unknown; there are %v", o.Dialect, Dialects())
	case o.Key != nil && u.Scheme == "http" && !loopback(u.Hostname()) && !o.PlainKey:
		return o.wrong("a key would go over the network unencrypted; use https, or allow it with plain_key: true")
	}
	return nil
}

func (o Options) wrong(format string, args ...any) error {
	return fmt.Errorf("remote %s: %w: %s", o.Name, engine.ErrIncompatible, fmt.Sprintf(format, args...))
}

func loopback(host string) bool {
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
