// Package hub finds a model file in a public library of models by its id, such
// as owner/repo:Q4_K_M, and says where it is, how long it is and which SHA-256
// it has, before anything of it is fetched.
//
// The protocol is that of the Hugging Face hub (its API for model information
// with blobs, and "resolve" addresses), which mirrors speak too. Non-goals:
// fetching, uploading, searching, models in several parts.
package hub

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
)

// DefaultEndpoint is the library that is asked when no other one is named.
const DefaultEndpoint = "https://huggingface.co"

// maxAnswer bounds the description of a repository, in bytes.
const maxAnswer = 16 << 20

// Errors that callers test with errors.Is.
var (
	ErrRef      = errors.New("no id of a model: owner/repo[@revision][:file or precision] is")
	ErrNotFound = errors.New("the hub has no such model, or shows it to nobody without a token")
	ErrChoice   = errors.New("which file is meant")
)

// Client asks one library.
type Client struct {
	Endpoint string // https address without a path; "" = DefaultEndpoint
	Token    string // for models behind a licence that a person accepted; "" = none
	HTTP     *http.Client
}

// File is one file of a model, found.
type File struct {
	Repo     string // owner/repo
	Revision string // commit: the content of Address never changes
	Path     string // in the repository
	Size     int64  // bytes, 0 = not told
	SHA256   string // in hexadecimal, "" = not told
	Licence  string // as the repository states it
	Address  *url.URL
}

// Origin names the file for a person and for a record of where it came from.
func (f File) Origin() string { return f.Repo + "@" + f.Revision + ":" + f.Path }

// Find resolves a reference to one file. It fails with ErrRef, ErrNotFound, or
// ErrChoice and a list of what is there.
func (c Client) Find(ctx context.Context, r Ref) (File, error) {
	base, err := url.Parse(c.endpoint())
	if err != nil || base.Scheme != "https" || base.Host == "" {
		return File{}, fmt.Errorf("hub %s: an https address is needed", c.endpoint())
	}
	about, err := c.about(ctx, base, r)
	if err != nil {
		return File{}, fmt.Errorf("hub %s: %s: %w", base.Host, r.Repo, err)
	}
	blob, err := about.choose(r.File)
	if err != nil {
		return File{}, fmt.Errorf("hub %s: %s: %w", base.Host, r.Repo, err)
	}
	f := File{Repo: r.Repo, Revision: about.SHA, Path: blob.Path, Size: blob.Size, Licence: about.Card.Licence}
	if blob.LFS != nil {
		f.Size, f.SHA256 = blob.LFS.Size, blob.LFS.SHA256
	}
	if f.SHA256 != "" {
		if raw, err := hex.DecodeString(f.SHA256); err != nil || len(raw) != 32 {
			return File{}, fmt.Errorf("hub %s: %s: it gives %q as a SHA-256", base.Host, r.Repo, f.SHA256)
		}
	}
	f.Address = base.JoinPath(r.Repo, "resolve", about.SHA, blob.Path)
	return f, nil
}

func (c Client) endpoint() string {
	if c.Endpoint == "" {
		return DefaultEndpoint
	}
	return strings.TrimRight(c.Endpoint, "/")
}

// Header is what a request for a file needs besides its address. Clients drop
// it when an address leads to another host.
func (c Client) Header() http.Header {
	h := http.Header{}
	if c.Token != "" {
		h.Set("Authorization", "Bearer "+c.Token)
	}
	return h
}

// about asks for the description of a repository.
func (c Client) about(ctx context.Context, base *url.URL, r Ref) (description, error) {
	var d description
	u := base.JoinPath("api/models", r.Repo, "revision", r.revision())
	u.RawQuery = "blobs=true"
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return d, err
	}
	request.Header = c.Header()
	answer, err := c.client().Do(request)
	if err != nil {
		return d, plain(err)
	}
	defer answer.Body.Close()
	switch answer.StatusCode {
	case http.StatusOK:
	case http.StatusNotFound, http.StatusUnauthorized, http.StatusForbidden:
		return d, fmt.Errorf("%w (%s)", ErrNotFound, answer.Status)
	default:
		return d, fmt.Errorf("it answers %s", answer.Status)
	}
	if err := json.NewDecoder(io.LimitReader(answer.Body, maxAnswer)).Decode(&d); err != nil {
		return d, fmt.Errorf("its answer cannot be read: %w", err)
	}
	if d.SHA == "" || strings.ContainsAny(d.SHA, "/?#") {
		return d, errors.New("its answer names no revision")
	}
	return d, nil
}

func (c Client) client() *http.Client {
	if c.HTTP != nil {
		return c.HTTP
	}
	return http.DefaultClient
}

// plain drops the address from an error of the HTTP client; Find names the host.
func plain(err error) error {
	var wrapped *url.Error
	if errors.As(err, &wrapped) {
		return wrapped.Err
	}
	return err
}
