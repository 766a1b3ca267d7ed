package remote

import (
	"cmp"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/openai/openai-go/v3/option"
)

// newClient makes the connections of one server.
func newClient(o Options) (*http.Client, error) {
	settings := &tls.Config{MinVersion: tls.VersionTLS12}
	if o.CA != "" {
		pem, err := os.ReadFile(o.CA)
		if err != nil {
			return nil, o.wrong("ca: %v", err)
		}
		roots, err := x509.SystemCertPool()
		if err != nil {
			roots = x509.NewCertPool()
		}
		if !roots.AppendCertsFromPEM(pem) {
			return nil, o.wrong("ca: %s holds no PEM certificate", o.CA)
		}
		settings.RootCAs = roots
	}
	return &http.Client{
		Transport: &http.Transport{
			Proxy:                 http.ProxyFromEnvironment,
			DialContext:           (&net.Dialer{Timeout: o.Connect}).DialContext,
			TLSHandshakeTimeout:   o.Connect,
			TLSClientConfig:       settings,
			ForceAttemptHTTP2:     true,
			DisableCompression:    true, // a compressed stream comes in lumps
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   8,
			ExpectContinueTimeout: time.Second,
		},
		CheckRedirect: func(r *http.Request, _ []*http.Request) error {
			return &redirected{to: r.URL.Scheme + "://" + r.URL.Host}
		},
	}, nil
}

// redirected: a server sends requests elsewhere, where the key must not follow.
type redirected struct{ to string }

func (r *redirected) Error() string { return "redirected to " + r.to }

// refused is an answer that is no stream.
type refused struct {
	status  int
	kind    string // the server's own code or type of error
	message string // the server's words
	after   time.Duration
}

func (r *refused) Error() string { return fmt.Sprintf("HTTP %d: %s", r.status, r.message) }

// mostComplaint is how much of an error's body is read, in bytes.
const mostComplaint = 64 << 10

// errNoStream: HTTP says that all is well, but no events come.
var errNoStream = errors.New("the answer is no event stream")

// examine turns every answer that is no event stream into an error, before the
// library can read a body of any length.
func examine(r *http.Request, next option.MiddlewareNext) (*http.Response, error) {
	res, err := next(r)
	if err != nil {
		return res, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	if res.StatusCode == http.StatusOK && kind == "text/event-stream" {
		return res, nil
	}
	defer res.Body.Close()
	body, _ := io.ReadAll(io.LimitReader(res.Body, mostComplaint)) // a broken complaint is still one
	why := complaint(body)
	why.status, why.after = res.StatusCode, retryAfter(res.Header.Get("Retry-After"), time.Now())
	if res.StatusCode >= http.StatusMultipleChoices || why.kind != "" {
		return nil, &why
	}
	return nil, fmt.Errorf("%w but %q", errNoStream, res.Header.Get("Content-Type"))
}

// complaint reads the body of an error: {"error": {message, type, code}} as
// OpenAI, {"error": text}, {"message": text} and {"detail": …} as others write
// it, else the beginning of whatever it is.
func complaint(body []byte) refused {
	var whole struct {
		Error   json.RawMessage `json:"error"`
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Type    string          `json:"type"`
	}
	if json.Unmarshal(body, &whole) != nil {
		return refused{message: brief(string(body))}
	}
	var inner struct {
		Message string          `json:"message"`
		Type    string          `json:"type"`
		Code    json.RawMessage `json:"code"`
	}
	if json.Unmarshal(whole.Error, &inner) == nil && inner.Message != "" {
		kind := strings.TrimSpace(inner.Type + " " + strings.Trim(string(inner.Code), `"`))
		return refused{kind: cmp.Or(kind, "error"), message: brief(inner.Message)}
	}
	for _, raw := range []json.RawMessage{whole.Error, whole.Detail} {
		text := string(raw)
		if json.Unmarshal(raw, &text) == nil || len(raw) > 0 {
			return refused{kind: "error", message: brief(text)}
		}
	}
	return refused{kind: whole.Type, message: brief(whole.Message)}
}

// mostWords is how much of a server's words is repeated, in characters.
const mostWords = 300

// brief makes one short line of a server's words.
func brief(text string) string {
	line := []rune(strings.Join(strings.Fields(strings.ToValidUTF8(text, "\ufffd")), " "))
	if len(line) > mostWords {
		line = append(line[:mostWords-1], '…')
	}
	return string(line)
}

// retryAfter reads the header's seconds or date.
func retryAfter(value string, now time.Time) time.Duration {
	if seconds, err := strconv.ParseFloat(value, 64); err == nil && seconds > 0 && seconds < 1e6 {
		return time.Duration(seconds * float64(time.Second))
	}
	if at, err := http.ParseTime(value); err == nil {
		return max(at.Sub(now), 0)
	}
	return 0
}
