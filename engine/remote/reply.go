package remote

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/openai/openai-go/v3"
	"github.com/openai/openai-go/v3/option"

	"fabula/engine"
	"fabula/engine/chat"
)

// mostText is the longest reply that is taken, in bytes: no reply of an NPC is
// longer, and a server must not fill the memory.
const mostText = 1 << 20

var errFlood = errors.New("it sent more text than any reply has")

// reply is one request on its way, through all its attempts.
type reply struct {
	e       *Engine
	ctx     context.Context
	request engine.Request
	secret  string
	born    time.Time
	events  *events
	began   chan<- error // nil once Generate has returned

	letters chat.Assembler
	hold    *chat.Holder
	asked   bool // for logprobs, by the running attempt
	chunks  int  // with text
	bytes   int
	refusal strings.Builder
	thought bool   // hidden reasoning came
	finish  string // the server's reason
	usage   usage
	stats   engine.Stats
}

func newReply(e *Engine, ctx context.Context, r engine.Request, secret string, born time.Time) *reply {
	return &reply{e: e, ctx: ctx, request: r, secret: secret, born: born, events: newEvents(), hold: chat.NewHolder(r.Stop)}
}

// run asks until a reply came, text came, or there is no point in asking.
func (r *reply) run(began chan<- error) {
	r.began = began
	for attempt := 1; ; attempt++ {
		d, err := r.attempt()
		switch {
		case err == nil:
			r.end(d)
			return
		case r.ctx.Err() != nil:
			r.cancelled()
			return
		}
		f := r.e.o.failure(err, r.secret)
		if r.muted(f) {
			attempt--
			continue
		}
		if !f.again || r.chunks > 0 || attempt >= r.e.o.Attempts {
			r.failed(f)
			return
		}
		if !r.rest(f, attempt) {
			r.cancelled()
			return
		}
	}
}

// muted gives up on logprobs where the server refuses them. Replies beside this
// one may find that out at the same time; each is asked for anew.
func (r *reply) muted(f *Failure) bool {
	if f.Status < 400 || f.Status >= 500 || !r.asked || !strings.Contains(strings.ToLower(f.text), "logprob") {
		return false
	}
	if !r.e.mute.Swap(true) {
		r.e.o.Log.Info("server gives no logprobs", "engine", r.e.o.Name)
	}
	return true
}

// rest waits before the next attempt; false when the person did not.
func (r *reply) rest(f *Failure, attempt int) bool {
	wait := max(r.e.o.Backoff(attempt), f.after)
	r.e.o.Log.Warn("server is asked again", "engine", r.e.o.Name, "attempt", attempt+1, "in", wait, "error", f)
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-r.ctx.Done():
		return false
	}
}

// attempt asks once. The error is that of the network, of the server, or of
// this side's patience.
func (r *reply) attempt() (engine.Done, error) {
	ctx, give := context.WithCancelCause(r.ctx)
	defer give(nil)
	watch := time.AfterFunc(r.e.o.FirstToken, func() { give(errSlowStart) })
	defer func() { watch.Stop() }()    // the one that runs by then
	r.stats.Queue = time.Since(r.born) // nothing ran for earlier attempts
	r.finish, r.thought, r.usage = "", false, usage{}
	r.refusal.Reset()
	params, extras := r.e.ask(r.request)
	r.asked = params.Logprobs.Valid()
	if r.secret != "" {
		extras = append(extras, option.WithAPIKey(r.secret))
	}
	stream := r.e.chats.NewStreaming(ctx, params, extras...)
	defer stream.Close()
	if stream.Err() == nil {
		r.tell(nil)
	}
	for stream.Next() {
		before := r.chunks
		d, err := r.chunk(stream.Current())
		if d != nil || err != nil {
			return deref(d), err
		}
		if r.chunks > before {
			watch.Stop()
			watch = time.AfterFunc(r.e.o.Gap, func() { give(errStalled) })
		}
	}
	watch.Stop()
	if r.finish != "" { // what failed after the end cannot harm
		return r.ended()
	}
	return engine.Done{}, cmp.Or(own(context.Cause(ctx)), stream.Err(), errCut)
}

// own is why this side gave up, nil if it did not.
func own(cause error) error {
	if errors.Is(cause, errSlowStart) || errors.Is(cause, errStalled) {
		return cause
	}
	return nil
}

func deref(d *engine.Done) engine.Done {
	if d == nil {
		return engine.Done{}
	}
	return *d
}

// chunk takes one event of the stream; a Done ends the reply before the server
// does.
func (r *reply) chunk(c openai.ChatCompletionChunk) (*engine.Done, error) {
	r.usage.read(c)
	for _, choice := range c.Choices {
		if choice.Index != 0 {
			continue
		}
		if len(choice.Delta.ToolCalls) > 0 {
			return nil, errTools
		}
		r.think(choice.Delta)
		if text := choice.Delta.Content; text != "" {
			if d, err := r.text(text, choice.Logprobs.Content); d != nil || err != nil {
				return d, err
			}
		}
		if choice.FinishReason != "" {
			r.finish = choice.FinishReason
		}
	}
	return nil, nil
}

// think notes what is not said: refusals, and reasoning as vLLM and others
// send it beside the content.
func (r *reply) think(d openai.ChatCompletionChunkChoiceDelta) {
	if room := mostWords - r.refusal.Len(); room > 0 {
		r.refusal.WriteString(d.Refusal[:min(len(d.Refusal), room)])
	}
	for _, name := range []string{"reasoning_content", "reasoning"} {
		if raw := d.JSON.ExtraFields[name].Raw(); raw != "" && raw != "null" && raw != `""` {
			r.thought = true
		}
	}
}

// text takes what the server decoded and tells what became visible.
func (r *reply) text(text string, probs []openai.ChatCompletionTokenLogprob) (*engine.Done, error) {
	if r.bytes += len(text); r.bytes > mostText {
		return nil, errFlood
	}
	at := time.Since(r.born)
	if r.chunks == 0 {
		r.stats.Prefill = at - r.stats.Queue
		r.tellPrompt(at)
	}
	r.chunks++
	shown, stopped := r.hold.Write(r.letters.Write([]byte(text)))
	t := engine.Token{ID: int32(r.chunks), Text: shown, At: at}
	t.Logprob, t.Top = explain(probs)
	r.events.push(t)
	most := r.request.Sampling.MaxTokens
	switch {
	case stopped:
		return &engine.Done{Reason: engine.Stop, Detail: r.hold.Stop()}, nil
	case most > 0 && r.chunks > most: // every chunk holds a token at least
		return &engine.Done{Reason: engine.Length}, nil
	}
	return nil, nil
}

// tellPrompt reports the prompt once its figures are known: with the last
// chunk, of some servers with the first.
func (r *reply) tellPrompt(at time.Duration) {
	if p, ok := r.usage.prompt(); ok {
		p.At = at
		r.events.push(p)
	}
}

// ended says how a reply ended that the server brought to its end.
func (r *reply) ended() (engine.Done, error) {
	if said := r.refusal.String(); said != "" {
		return engine.Done{}, &declined{said}
	}
	switch r.finish {
	case "stop":
		if r.chunks == 0 && r.thought {
			return engine.Done{}, &declined{"it only thought, and said nothing; switch reasoning off, or raise max_tokens"}
		}
		return engine.Done{Reason: engine.Stop}, nil
	case "length":
		if r.chunks == 0 && r.thought {
			return engine.Done{}, &declined{"all tokens went into hidden reasoning; switch it off, or raise max_tokens"}
		}
		return engine.Done{Reason: engine.Length}, nil
	case "content_filter":
		return engine.Done{}, &declined{"its content filter stopped the reply"}
	case "tool_calls", "function_call":
		return engine.Done{}, errTools
	}
	return engine.Done{Reason: engine.Stop, Detail: redact(brief(r.finish), r.secret)}, nil
}

// end closes the stream.
func (r *reply) end(d engine.Done) {
	r.tell(nil)
	if !r.events.prefilled() && r.chunks > 0 {
		r.tellPrompt(r.stats.Queue + r.stats.Prefill)
	}
	r.usage.stats(&r.stats)
	r.stats.Tokens = max(r.usage.completion, r.chunks)
	r.letters.Flush()
	d.Tail, d.Stats = r.hold.Flush(), r.stats
	r.events.push(d)
}

func (r *reply) failed(f *Failure) {
	r.e.o.Log.Warn("server gave no whole reply", "engine", r.e.o.Name, "error", f)
	if !r.tell(f) {
		r.end(engine.Done{Reason: engine.Fault, Detail: f.Error(), Err: f})
	}
}

func (r *reply) cancelled() {
	if !r.tell(fmt.Errorf("remote %s: %w", r.e.o.Name, context.Canceled)) {
		r.end(engine.Done{Reason: engine.Cancelled})
	}
}

// tell lets Generate return; false if it has already.
func (r *reply) tell(err error) bool {
	if r.began == nil {
		return false
	}
	r.began <- err
	r.began = nil
	return true
}
