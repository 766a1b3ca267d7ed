package store

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"math"
	"strings"
	"time"

	"fabula/engine"
	"fabula/story"
	"fabula/story/prompt"
)

// replyRecord is a reply with its bulk packed: the token texts are not stored
// at all where they concatenate to the alternative's text, which they do
// unless a person edited it.
type replyRecord struct {
	story.Reply
	Chunks   []byte        `json:"chunks,omitempty"`   // SHA-256 of the chunks before Segments
	Segments []byte        `json:"segments,omitempty"` // packed, see packSegments
	Tokens   *tokenRecord  `json:"tokens,omitempty"`
	TTFT     time.Duration `json:"ttft,omitempty"`
}

// tokenRecord holds tokens by column; numbers are varints.
type tokenRecord struct {
	N       int                 `json:"n"`
	Given   int                 `json:"given,omitempty"` // the first so many were given, not decoded
	ID      []byte              `json:"id"`
	At      []byte              `json:"at"`             // µs since the token before
	Len     []byte              `json:"len"`            // bytes of text
	Text    *string             `json:"text,omitempty"` // where it differs from the alternative's
	Logprob []byte              `json:"lp,omitempty"`   // float32, little endian
	Top     [][]engine.TopToken `json:"top,omitempty"`
}

var errPacked = errors.New("packed figures are cut short")

func packReply(r *story.Reply, text string, c chunks) (*replyRecord, error) {
	if r == nil {
		return nil, nil
	}
	rec := &replyRecord{Reply: *r, Tokens: packTokens(r.Tokens, text), TTFT: r.TTFT}
	rec.Reply.Segments, rec.Reply.Tokens = nil, nil
	var err error
	rec.Chunks, rec.Segments, err = c.pack(r.Segments)
	return rec, err
}

func (rec *replyRecord) unpack(text string, c chunks) (*story.Reply, error) {
	if rec == nil {
		return nil, nil
	}
	r := rec.Reply
	r.TTFT = rec.TTFT
	var err error
	if r.Segments, err = c.unpack(rec.Chunks, rec.Segments); err != nil {
		return nil, err
	}
	r.Tokens, err = rec.Tokens.unpack(text)
	return &r, err
}

func packTokens(tokens []engine.Token, text string) *tokenRecord {
	if len(tokens) == 0 {
		return nil
	}
	rec := &tokenRecord{N: len(tokens)}
	var all strings.Builder
	var last int64
	probs, tops := false, false
	for i, t := range tokens {
		if t.Given {
			rec.Given = i + 1
		}
		rec.ID = binary.AppendVarint(rec.ID, int64(t.ID))
		at := t.At.Microseconds()
		rec.At = binary.AppendVarint(rec.At, at-last)
		last = at
		rec.Len = binary.AppendUvarint(rec.Len, uint64(len(t.Text)))
		all.WriteString(t.Text)
		probs = probs || t.Logprob != 0
		tops = tops || len(t.Top) > 0
	}
	if s := all.String(); s != text {
		rec.Text = &s
	}
	for _, t := range tokens {
		if probs {
			rec.Logprob = binary.LittleEndian.AppendUint32(rec.Logprob, math.Float32bits(t.Logprob))
		}
		if tops {
			rec.Top = append(rec.Top, t.Top)
		}
	}
	return rec
}

func (rec *tokenRecord) unpack(text string) ([]engine.Token, error) {
	if rec == nil {
		return nil, nil
	}
	if rec.Text != nil {
		text = *rec.Text
	}
	if rec.N < 0 || rec.N > len(rec.ID) || (rec.Logprob != nil && len(rec.Logprob) < 4*rec.N) {
		return nil, errPacked
	}
	tokens := make([]engine.Token, rec.N)
	ids, ats, lens := unpacker{rec.ID}, unpacker{rec.At}, unpacker{rec.Len}
	var at int64
	for i := range tokens {
		id, ok1 := ids.varint()
		gap, ok2 := ats.varint()
		n, ok3 := lens.uvarint()
		if !ok1 || !ok2 || !ok3 || n > uint64(len(text)) {
			return nil, errPacked
		}
		at += gap
		tokens[i] = engine.Token{ID: int32(id), At: time.Duration(at) * time.Microsecond, Text: text[:n], Given: i < rec.Given}
		text = text[n:]
		if rec.Logprob != nil {
			tokens[i].Logprob = math.Float32frombits(binary.LittleEndian.Uint32(rec.Logprob[4*i:]))
		}
		if i < len(rec.Top) {
			tokens[i].Top = rec.Top[i]
		}
	}
	return tokens, nil
}

// packSegments writes kind, source, role, tokens and the 32 bytes of the hash
// of each segment.
func packSegments(refs []story.SegmentRef) []byte {
	var out []byte
	for _, s := range refs {
		out = appendString(out, string(s.Kind))
		out = appendString(out, s.Source)
		out = appendString(out, string(s.Role))
		out = binary.AppendVarint(out, int64(s.Tokens))
		hash, err := hex.DecodeString(s.Blob)
		if err != nil || len(hash) != 32 {
			hash = make([]byte, 32)
		}
		out = append(out, hash...)
	}
	return out
}

func unpackSegments(packed []byte) ([]story.SegmentRef, error) {
	var refs []story.SegmentRef
	in := unpacker{packed}
	for len(in.rest) > 0 {
		kind, ok1 := in.text()
		source, ok2 := in.text()
		role, ok3 := in.text()
		tokens, ok4 := in.varint()
		if !ok1 || !ok2 || !ok3 || !ok4 || len(in.rest) < 32 {
			return nil, errPacked
		}
		refs = append(refs, story.SegmentRef{Kind: prompt.Kind(kind), Source: source, Role: engine.Role(role),
			Tokens: int(tokens), Blob: hex.EncodeToString(in.rest[:32])})
		in.rest = in.rest[32:]
	}
	return refs, nil
}

func appendString(out []byte, s string) []byte {
	return append(binary.AppendUvarint(out, uint64(len(s))), s...)
}

// unpacker reads what the pack functions wrote; ok is false at the end.
type unpacker struct{ rest []byte }

func (u *unpacker) varint() (int64, bool) {
	v, n := binary.Varint(u.rest)
	if n <= 0 {
		return 0, false
	}
	u.rest = u.rest[n:]
	return v, true
}

func (u *unpacker) uvarint() (uint64, bool) {
	v, n := binary.Uvarint(u.rest)
	if n <= 0 {
		return 0, false
	}
	u.rest = u.rest[n:]
	return v, true
}

func (u *unpacker) text() (string, bool) {
	n, ok := u.uvarint()
	if !ok || n > uint64(len(u.rest)) {
		return "", false
	}
	s := string(u.rest[:n])
	u.rest = u.rest[n:]
	return s, true
}

// turnRecord and the others are values of their buckets. Children are in the
// index, so that a new turn does not rewrite its parent.
type turnRecord struct {
	V int `json:"v"`
	story.Turn
}

type alternativeRecord struct {
	V int `json:"v"`
	story.Alternative
	Reply *replyRecord `json:"reply,omitempty"`
}

type playthroughRecord struct {
	V int `json:"v"`
	story.Playthrough
}

type branchRecord struct {
	V int `json:"v"`
	story.Branch
}

func recordOf(a story.Alternative, c chunks) (alternativeRecord, error) {
	reply, err := packReply(a.Reply, a.Text, c)
	rec := alternativeRecord{V: version, Alternative: a, Reply: reply}
	rec.Alternative.Reply, rec.Alternative.Children = nil, nil
	return rec, err
}

func decodeAlternative(data []byte, c chunks) (story.Alternative, error) {
	var rec alternativeRecord
	if err := json.Unmarshal(data, &rec); err != nil {
		return story.Alternative{}, err
	}
	reply, err := rec.Reply.unpack(rec.Text, c)
	rec.Alternative.Reply = reply
	return rec.Alternative, err
}
