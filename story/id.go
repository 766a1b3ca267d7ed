package story

import (
	"crypto/rand"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/oklog/ulid/v2"
)

// idSource makes ids that sort in the order of making, even within one
// millisecond and when the clock is set back.
type idSource struct {
	mu      sync.Mutex
	entropy *ulid.MonotonicEntropy
	last    uint64 // ms
}

// newIDs gives a source whose ids sort after one that is there already: the
// clock may have been set back since it was made.
func newIDs(after ID) *idSource {
	s := &idSource{entropy: ulid.Monotonic(rand.Reader, 1<<20)}
	if last, err := ulid.ParseStrict(string(after)); err == nil {
		s.last = last.Time() + 1
	}
	return s
}

func (s *idSource) next(now time.Time) ID {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last = max(s.last, ulid.Timestamp(now))
	id, err := ulid.New(s.last, s.entropy)
	if err != nil { // 2^60 ids in one millisecond
		s.last++
		id = ulid.MustNew(s.last, rand.Reader)
	}
	return ID(id.String())
}

func (s *Session) id() ID { return s.ids.next(s.now()) }

// seedBits keeps a drawn seed exact in programs that read JSON numbers as
// floating point.
const seedBits = 53

// seed gives the asked seed or draws one.
func seed(o Options) (uint64, error) {
	if o.Seed != nil {
		return *o.Seed, nil
	}
	var b [8]byte
	if _, err := rand.Read(b[:]); err != nil {
		return 0, fmt.Errorf("draw seed: %w", err)
	}
	return binary.LittleEndian.Uint64(b[:]) >> (64 - seedBits), nil
}
