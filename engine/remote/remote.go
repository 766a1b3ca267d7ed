package remote

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"fabula/engine"
	"fabula/engine/sampling"
)

// Engine asks a server. It is an engine.Engine, safe for concurrent use.
type Engine struct {
	o      Options
	chats  openai.ChatCompletionService
	client *http.Client
	key    key

	mute    atomic.Bool // the server refused logprobs
	over    context.Context
	end     context.CancelFunc
	running sync.WaitGroup
}

// New checks the options and sends nothing.
func New(o Options) (*Engine, error) {
	o = o.patience()
	if err := o.check(); err != nil {
		return nil, err
	}
	client, err := newClient(o)
	if err != nil {
		return nil, err
	}
	e := &Engine{o: o, client: client, key: key{find: o.Key}}
	e.over, e.end = context.WithCancel(context.Background())
	// The service is made bare: a whole client would read OPENAI_API_KEY and
	// send it to whatever server is configured here.
	e.chats = openai.NewChatCompletionService(append(quiet(), option.WithBaseURL(o.URL), option.WithHTTPClient(client),
		option.WithMaxRetries(0), option.WithMiddleware(examine))...)
	return e, nil
}

// quiet leaves out what the library tells servers about this machine.
func quiet() []option.RequestOption {
	var all []option.RequestOption
	for _, name := range []string{"Lang", "Package-Version", "OS", "Arch", "Runtime", "Runtime-Version", "Retry-Count", "Timeout"} {
		all = append(all, option.WithHeaderDel("X-Stainless-"+name))
	}
	return append(all, option.WithHeader("User-Agent", "fabula"))
}

// Info describes the server as it was configured.
func (e *Engine) Info() engine.Info {
	runtime := "chat completions"
	if e.o.Dialect != Common {
		runtime += ", " + string(e.o.Dialect)
	}
	return engine.Info{Kind: engine.Remote, Name: e.o.Name, Model: e.o.Model, Languages: e.o.Languages, Context: e.o.Context,
		Build: engine.Build{Runtime: runtime}}
}

// Generate asks for a reply and waits until the server took the request, up to
// Options.Attempts times. The error wraps a sentinel of package engine or is
// that of ctx.
func (e *Engine) Generate(ctx context.Context, r engine.Request) (engine.Stream, error) {
	born := time.Now()
	if len(r.Begin) > 0 {
		return nil, fmt.Errorf("remote %s: %w: it begins no reply with given tokens, for it knows no token ids", e.o.Name, engine.ErrUnsupported)
	}
	if err := sampling.Check(r.Sampling); err != nil {
		return nil, fmt.Errorf("remote %s: %w", e.o.Name, err)
	}
	if e.over.Err() != nil {
		return nil, fmt.Errorf("remote %s: %w: closed", e.o.Name, engine.ErrUnavailable)
	}
	secret, err := e.key.get(ctx)
	if err != nil {
		return nil, fmt.Errorf("remote %s: %w: %w", e.o.Name, engine.ErrUnavailable, err)
	}
	ctx, cancel := context.WithCancel(ctx)
	detach := context.AfterFunc(e.over, cancel)
	rep := newReply(e, ctx, r, secret, born)
	began := make(chan error, 1)
	e.running.Go(func() {
		defer cancel()
		defer detach()
		rep.run(began)
	})
	if err := <-began; err != nil {
		return nil, err
	}
	return rep.events, nil
}

// Close cancels the replies that run and forgets the key.
func (e *Engine) Close() error {
	e.end()
	e.running.Wait()
	e.client.CloseIdleConnections()
	e.key.forget()
	return nil
}
