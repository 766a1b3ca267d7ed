package stats

// Verdict names the outcome of a sign test.
type Verdict string

// The verdicts of a sign test.
const (
	Undecided Verdict = "undecided"
	First     Verdict = "first"  // the side whose votes are the wins
	Second    Verdict = "second" // the other one
)

// Decision is the verdict of a count.
func Decision(wins, losses int) Verdict {
	switch {
	case !SignTest(wins, losses).Decided():
		return Undecided
	case wins > losses:
		return First
	}
	return Second
}

// Far is the number of votes beyond which nobody goes on.
const Far = 2000

// Way says how far a count is from a decision.
type Way struct {
	Verdict Verdict `json:"verdict"`
	Least   int     `json:"least"`    // further decisive votes, all one way, that would change the verdict
	AtShare int     `json:"at_share"` // further decisive votes to a decision at the present share; 0 = decided, -1 = not within Far
	Final   bool    `json:"final"`    // no outcome of the votes that are still planned changes the verdict
}

// Remaining says what further votes can do. Planned is how many decisive votes
// were to be held in all, fixed before the first; a verdict read earlier is sound
// only if Final: to stop where the rest cannot matter changes neither the verdict
// nor its error (the deterministic case of K. K. G. Lan, R. Simon and
// M. Halperin, Stochastically curtailed tests in long-term clinical trials,
// Sequential Analysis 1, 1982).
func Remaining(wins, losses, planned int) Way {
	now := Decision(wins, losses)
	return Way{now, least(wins, losses, now), atShare(wins, losses, now), final(wins, losses, planned-wins-losses)}
}

func least(wins, losses int, now Verdict) int {
	k := 1
	for Decision(wins+k, losses) == now && Decision(wins, losses+k) == now {
		k++
	}
	return k
}

// atShare counts the larger side down, so that a share is never made better than
// it is.
func atShare(wins, losses int, now Verdict) int {
	n, more := wins+losses, max(wins, losses)
	if now != Undecided {
		return 0
	}
	if n == 0 {
		return -1
	}
	for total := n + 1; total <= n+Far; total++ {
		if w := more * total / n; Decision(w, total-w) != Undecided {
			return total - n
		}
	}
	return -1
}

// final looks at both ends only: a verdict that survives all further votes for
// either side survives every mixture.
func final(wins, losses, left int) bool {
	left = max(left, 0)
	return Decision(wins+left, losses) == Decision(wins, losses+left)
}
