package worker

import (
	"bytes"
	"encoding/binary"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"fabula/engine"
)

// maxFrame bounds one message in bytes. A prompt of a million tokens is
// smaller; a length beyond it is garbage.
const maxFrame = 16 << 20

// ErrFrame marks bytes that are not a frame: something else writes to the pipe,
// or the two ends are of different builds.
var ErrFrame = errors.New("not a frame of the worker protocol")

type kind uint8

// Parent to child: load, count, prepare, run, cancel, ping. Child to parent:
// the rest. prepare tokenises a prompt and refuses it early; run starts it.
const (
	kindLoad kind = iota + 1
	kindCount
	kindPrepare
	kindRun
	kindCancel
	kindPing
	kindProgress
	kindReady
	kindCounted
	kindPrepared
	kindPrefill
	kindToken
	kindScored
	kindDone
	kindFailed
	kindPong
	kindEnd
)

// frame is one message. Kind says which of the pointers is set.
type frame struct {
	Kind     kind
	ID       uint64 // request; 0 = the model or the connection itself
	Load     *Load
	Messages []engine.Message
	Request  *engine.Request
	Score    *engine.ScoreRequest
	Warm     bool          // prepare, run: the prompt only, kept in the cache
	Waited   time.Duration // run: how long the request was queued
	Progress float64
	Steps    uint64 // pong: decode calls so far; a figure that stands still while busy means a hang
	Facts    *Facts
	Count    *engine.Count
	Prefill  *engine.Prefill
	Token    *engine.Token
	Scored   *scored
	Done     *done
	Failure  *failure
}

// done is engine.Done with its error in a form that can travel.
type done struct {
	Reason       engine.Reason
	Detail, Tail string
	Stats        engine.Stats
	Failure      *failure
}

// check refuses a frame that lacks what its kind needs.
func (f *frame) check() error {
	missing := false
	switch f.Kind {
	case kindLoad:
		missing = f.Load == nil
	case kindPrepare:
		missing = f.Request == nil && f.Score == nil
	case kindReady:
		missing = f.Facts == nil
	case kindCounted:
		missing = f.Count == nil
	case kindPrefill:
		missing = f.Prefill == nil
	case kindToken:
		missing = f.Token == nil
	case kindScored:
		missing = f.Scored == nil
	case kindDone:
		missing = f.Done == nil
	case kindFailed:
		missing = f.Failure == nil
	}
	if missing || f.Kind == 0 || f.Kind >= kindEnd {
		return fmt.Errorf("%w: kind %d without its content", ErrFrame, f.Kind)
	}
	return nil
}

// frameWriter sends frames; it is safe for concurrent use. Gob describes a type
// once per connection, so a token costs a few dozen bytes.
type frameWriter struct {
	mu  sync.Mutex
	w   io.Writer
	buf bytes.Buffer
	enc *gob.Encoder
}

func newFrameWriter(w io.Writer) *frameWriter {
	f := &frameWriter{w: w}
	f.enc = gob.NewEncoder(&f.buf)
	return f
}

func (f *frameWriter) write(m frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.buf.Reset()
	f.buf.Write([]byte{0, 0, 0, 0})
	if err := f.enc.Encode(m); err != nil {
		return fmt.Errorf("frame: %w", err)
	}
	body := f.buf.Bytes()
	if len(body)-4 > maxFrame {
		return fmt.Errorf("frame of %d bytes: the limit is %d", len(body)-4, maxFrame)
	}
	binary.BigEndian.PutUint32(body, uint32(len(body)-4))
	_, err := f.w.Write(body)
	return err
}

// frameReader receives frames; it has one user.
type frameReader struct {
	r    io.Reader
	body bytes.Buffer
	dec  *gob.Decoder
}

func newFrameReader(r io.Reader) *frameReader {
	f := &frameReader{r: r}
	f.dec = gob.NewDecoder(&f.body)
	return f
}

// read returns the next frame, io.EOF when the other end is gone between
// frames, and an error that wraps ErrFrame for anything else than a frame.
func (f *frameReader) read() (frame, error) {
	var head [4]byte
	if _, err := io.ReadFull(f.r, head[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return frame{}, fmt.Errorf("%w: cut off", ErrFrame)
		}
		return frame{}, err
	}
	size := binary.BigEndian.Uint32(head[:])
	if size == 0 || size > maxFrame {
		return frame{}, fmt.Errorf("%w: length %d", ErrFrame, size)
	}
	f.body.Reset()
	if n, err := io.CopyN(&f.body, f.r, int64(size)); err != nil {
		return frame{}, fmt.Errorf("%w: %d of %d bytes came", ErrFrame, n, size)
	}
	var m frame
	if err := f.dec.Decode(&m); err != nil {
		return frame{}, fmt.Errorf("%w: %v", ErrFrame, err)
	}
	if f.body.Len() > 0 {
		return frame{}, fmt.Errorf("%w: %d bytes too many", ErrFrame, f.body.Len())
	}
	return m, m.check()
}
