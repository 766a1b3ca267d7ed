package sampling

// Limits of Loop, chosen so that people's repetitions pass: a laugh or a
// stammer of fewer than 24 tokens, a refrain said twice, a list whose items
// differ in one word.
const (
	loopPeriods = 64 // longest repeating stretch that is looked for, in tokens
	loopRepeats = 3  // times it must stand in a row
	loopTokens  = 24 // tokens that the repeats must cover together
)

// Loop finds a reply that repeats itself: a stretch of 1 to 64 tokens that
// stands at least 3 times in a row and covers at least 24 tokens. It compares
// token ids, so it costs the same in every language, and sees exact repeats
// only. The zero value is ready for use.
type Loop struct {
	ring  [loopPeriods]int32
	seen  int
	equal [loopPeriods + 1]int // equal[p]: tokens in a row equal to the one p before
	found int
}

// Add takes the next token of the reply and says whether the reply now ends in
// a loop. It stays true until the loop is broken.
func (l *Loop) Add(id int32) bool {
	l.found = 0
	for p := 1; p <= min(loopPeriods, l.seen); p++ {
		if l.ring[(l.seen-p)%loopPeriods] != id {
			l.equal[p] = 0
			continue
		}
		l.equal[p]++
		if l.found == 0 && l.equal[p]+p >= max(loopRepeats*p, loopTokens) {
			l.found = p
		}
	}
	l.ring[l.seen%loopPeriods] = id
	l.seen++
	return l.found > 0
}

// Period is the length of the repeating stretch in tokens, 0 without a loop.
func (l *Loop) Period() int { return l.found }
