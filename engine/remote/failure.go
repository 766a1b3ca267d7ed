package remote

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/packages/ssestream"

	"fabula/engine"
)

// Failure is why a server gave no whole reply, in words for a person. It wraps
// engine.ErrUnavailable, engine.ErrIncompatible or engine.ErrTooLong, and holds
// neither key nor prompt.
type Failure struct {
	Status int           // of HTTP, 0 if it did not come to one
	again  bool          // another attempt may succeed
	after  time.Duration // asked for by the server
	is     error
	text   string
}

// Error gives what, why and what to do.
func (f *Failure) Error() string { return f.text }

// Unwrap gives the sentinel.
func (f *Failure) Unwrap() error { return f.is }

// Ends of an attempt that this side decided on.
var (
	errSlowStart = errors.New("no text in time")
	errStalled   = errors.New("the stream stalled")
	errCut       = errors.New("the stream ended before the reply did")
	errTools     = errors.New("the server wants to call a tool")
)

// declined: the server's model or filter does not want to answer.
type declined struct{ words string }

func (d *declined) Error() string { return d.words }

// failure words an error. secret is cut out of everything.
func (o Options) failure(err error, secret string) *Failure {
	f := o.judge(err)
	f.text = redact(fmt.Sprintf("remote %s: %v: %s", o.Name, f.is, f.text), secret)
	return f
}

func (o Options) judge(err error) *Failure {
	var no *refused
	var away *redirected
	var said *declined
	var event *ssestream.StreamError
	switch {
	case errors.As(err, &no):
		return o.status(no)
	case errors.As(err, &away):
		return &Failure{is: engine.ErrUnavailable, text: "the server sends requests on to " + away.to + ", where the key must not follow; put the final address under url"}
	case errors.As(err, &said):
		return &Failure{is: engine.ErrUnavailable, text: "the server declined to answer: " + brief(said.words) + "; change the line, or use another engine for this scene"}
	case errors.As(err, &event):
		return o.event(event)
	case errors.Is(err, errSlowStart):
		return &Failure{again: true, is: engine.ErrUnavailable, text: fmt.Sprintf("no text within %v; the server may be loading or full: raise first_token_s, or add replicas", o.FirstToken)}
	case errors.Is(err, errStalled):
		return &Failure{again: true, is: engine.ErrUnavailable, text: fmt.Sprintf("nothing for %v in the middle of the reply; retry, or raise gap_s", o.Gap)}
	case errors.Is(err, errFlood):
		return &Failure{is: engine.ErrIncompatible, text: err.Error() + "; look at the server"}
	case errors.Is(err, errTools):
		return &Failure{is: engine.ErrIncompatible, text: "the server wants to call a tool; start it without tools"}
	case errors.Is(err, errNoStream):
		return &Failure{is: engine.ErrIncompatible, text: err.Error() + "; check that the url ends where /chat/completions begins"}
	}
	return o.network(err)
}

// network words what happened below HTTP, or inside its stream.
func (o Options) network(err error) *Failure {
	var name *net.DNSError
	var unknown x509.UnknownAuthorityError
	var host x509.HostnameError
	var cert *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	f := &Failure{again: true, is: engine.ErrUnavailable}
	switch {
	case errors.As(err, &unknown), errors.As(err, &host), errors.As(err, &cert):
		f.again, f.text = false, "its certificate is not trusted: "+brief(cause(err))+"; name the authority's PEM file under ca"
	case errors.As(err, &record), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		f.again, f.text = false, "it speaks no TLS; write http:// under url if that is meant"
	case errors.As(err, &name):
		f.again, f.text = name.IsTemporary || name.IsTimeout, "no such host "+name.Name+"; check url"
	case errors.Is(err, errCut), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		f.text = "the connection broke before the reply ended; retry, and look at the server's log"
	case isNetwork(err):
		f.text = "cannot reach it: " + brief(cause(err)) + "; is it running?"
	default: // the library could not read an event
		f.is, f.text = engine.ErrUnavailable, "it sent what is no chat completion: "+brief(err.Error())+"; retry, and look at the server's log"
	}
	return f
}

func isNetwork(err error) bool {
	var op net.Error
	var dial *net.OpError
	return errors.As(err, &op) || errors.As(err, &dial) || errors.Is(err, context.DeadlineExceeded)
}

// cause is the innermost error: the outer ones repeat the address.
func cause(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			return err.Error()
		}
		err = inner
	}
}

// status words an answer that HTTP marks as an error.
func (o Options) status(r *refused) *Failure {
	f := &Failure{Status: r.status, after: r.after, is: engine.ErrUnavailable}
	words := fmt.Sprintf("HTTP %d %s", r.status, http.StatusText(r.status))
	if r.message != "" {
		words += ": " + r.message
	}
	advice := ""
	switch {
	case tooLong(r):
		f.is, advice = engine.ErrTooLong, "set context in the configuration to the server's window"
	case r.status == http.StatusUnauthorized, r.status == http.StatusForbidden:
		advice = "check the key"
	case r.status == http.StatusNotFound:
		advice = "check that url ends in /v1 and that the server has model " + o.Model
	case strings.Contains(r.kind, "insufficient_quota"):
		advice = "the account has no quota left"
	case r.status == http.StatusTooManyRequests:
		f.again, advice = true, "the server is full; wait, or add replicas"
	case r.status == http.StatusRequestTimeout, r.status == http.StatusConflict, r.status == http.StatusTooEarly, r.status >= 500 && r.status != http.StatusNotImplemented:
		f.again, advice = true, "retry, and look at the server's log"
	default:
		f.is, advice = engine.ErrIncompatible, "check model and dialect in the configuration"
	}
	if f.after > longestWait {
		f.again = false
	}
	f.text = words + "; " + advice
	return f
}

// tooLong recognises a prompt over the window: vLLM and OpenAI say "maximum
// context length" and context_length_exceeded, llama-server
// exceed_context_size_error.
func tooLong(r *refused) bool {
	all := strings.ToLower(r.kind + " " + r.message)
	return r.status == http.StatusRequestEntityTooLarge ||
		r.status < 500 && strings.Contains(all, "context") && (strings.Contains(all, "length") || strings.Contains(all, "size") || strings.Contains(all, "exceed"))
}

// event words an error that came inside the stream.
func (o Options) event(e *ssestream.StreamError) *Failure {
	why := complaint(e.Event.Data)
	if tooLong(&why) {
		return &Failure{is: engine.ErrTooLong, text: why.message + "; set context in the configuration to the server's window"}
	}
	return &Failure{again: true, is: engine.ErrUnavailable, text: "the server failed: " + why.message + "; retry, and look at its log"}
}
