package store

import (
	"crypto/sha256"
	"encoding/hex"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
	"fabula/story/prompt"
)

// chunkSize is how many segments make a chunk.
const chunkSize = 16

// chunks keeps the stable head of prompts once: the segments up to the end of
// the history are cut into chunks by position, and as a history only grows at
// its end, the prompts of a branch share all but the last of them. A chunk is
// a blob like any other, named by the hash of its packed segments. seen keeps
// what one transaction has read.
type chunks struct {
	bucket *bolt.Bucket
	seen   map[string][]story.SegmentRef
}

func chunksOf(tx *bolt.Tx) chunks {
	return chunks{bucket: tx.Bucket([]byte("blobs")), seen: map[string][]story.SegmentRef{}}
}

// pack gives the hashes of the chunks, which it stores, and the packed rest.
func (c chunks) pack(refs []story.SegmentRef) (hashes, rest []byte, err error) {
	for stable := stableHead(refs); stable >= chunkSize; stable -= chunkSize {
		packed := packSegments(refs[:chunkSize])
		refs = refs[chunkSize:]
		sum := sha256.Sum256(packed)
		hashes = append(hashes, sum[:]...)
		key := []byte(hex.EncodeToString(sum[:]))
		if c.bucket.Get(key) == nil {
			if err := c.bucket.Put(key, packed); err != nil {
				return nil, nil, err
			}
		}
	}
	return hashes, packSegments(refs), nil
}

// stableHead counts the segments up to the last of the history.
func stableHead(refs []story.SegmentRef) int {
	for i := len(refs); i > 0; i-- {
		if refs[i-1].Kind == prompt.History {
			return i
		}
	}
	return 0
}

func (c chunks) unpack(hashes, rest []byte) ([]story.SegmentRef, error) {
	var refs []story.SegmentRef
	for ; len(hashes) >= sha256.Size; hashes = hashes[sha256.Size:] {
		chunk, err := c.read(hex.EncodeToString(hashes[:sha256.Size]))
		if err != nil {
			return nil, err
		}
		refs = append(refs, chunk...)
	}
	last, err := unpackSegments(rest)
	return append(refs, last...), err
}

func (c chunks) read(key string) ([]story.SegmentRef, error) {
	if chunk, ok := c.seen[key]; ok {
		return chunk, nil
	}
	data := c.bucket.Get([]byte(key))
	if data == nil {
		return nil, errPacked
	}
	chunk, err := unpackSegments(data)
	c.seen[key] = chunk
	return chunk, err
}
