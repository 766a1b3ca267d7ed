package vote

import (
	"bytes"
	"os/user"
	"slices"
	"time"
	"unicode"
)

// Choice is an answer, in the order of the batch file.
type Choice string

// The choices.
const (
	First  Choice = "first"
	Second Choice = "second"
	Tie    Choice = "tie" // no difference
)

// Turned gives the choice with the sides swapped.
func (c Choice) Turned() Choice {
	switch c {
	case First:
		return Second
	case Second:
		return First
	}
	return c
}

// Answers are the choices to all questions.
type Answers map[Question]Choice

// whole reports whether every question has an answer, and nothing else has.
func (a Answers) whole() bool {
	for _, q := range Questions() {
		if c := a[q]; c != First && c != Second && c != Tie {
			return false
		}
	}
	return len(a) == len(Questions())
}

// Turned gives the answers with the sides swapped.
func (a Answers) Turned() Answers {
	out := Answers{}
	for q, c := range a {
		out[q] = c.Turned()
	}
	return out
}

// Vote is what one voter said of one item.
type Vote struct {
	Item    string
	Answers Answers
	Tags    []string // reasons
	At      time.Time
}

// Ballot is the votes of one voter in one batch, in the order in which they were
// cast, without those that were taken back.
type Ballot struct {
	Batch string
	Voter string
	Votes []Vote

	sum   string // of the last line
	whole int    // bytes up to the end of it
}

// record is a line of a ballot file.
type record struct {
	Vote    string    `json:"vote,omitempty"` // BallotFormat, in the first line
	Batch   string    `json:"batch,omitempty"`
	Voter   string    `json:"voter,omitempty"`
	Item    string    `json:"item,omitempty"`
	Answers Answers   `json:"answers,omitempty"`
	Tags    []string  `json:"tags,omitempty"`
	Undo    string    `json:"undo,omitempty"` // item whose vote is taken back
	At      time.Time `json:"at"`
	Sum     string    `json:"sum,omitempty"`
}

// sealed gives the line as it is written, chained to the sum of the one before.
func (r record) sealed(before string) (line []byte, sum string) {
	r.Sum = ""
	r.Sum = hash([]byte(before), encode(r))[:short]
	return encode(r), r.Sum
}

// longest name of a voter, in characters.
const longest = 40

// ValidVoter reports whether a name can be one of a voter, and of a file.
func ValidVoter(name string) bool {
	n := 0
	for _, r := range name {
		if n++; !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '-' && r != '_' {
			return false
		}
	}
	return n > 0 && n <= longest
}

// UserName is who sits here, as far as it can be a voter's name.
func UserName() string {
	u, err := user.Current()
	if err == nil && ValidVoter(u.Username) {
		return u.Username
	}
	return "voter"
}

// ReadBallot reads a ballot file of a batch. A last line that was cut short, as
// by a fall of power, is passed over: no vote was ever confirmed for it. Every
// other oddity is a *Fault.
func ReadBallot(name string, data []byte, b *Batch) (*Ballot, error) {
	out := &Ballot{}
	for i, line := range lines(data) {
		var r record
		if strict(line, &r) != nil {
			return nil, &Fault{name, i + 1, FaultLine, nil}
		}
		code, args := FaultEdited, []string(nil)
		written, sum := r.sealed(out.sum)
		if bytes.Equal(written, append(slices.Clone(line), '\n')) {
			code, args = out.take(r, i == 0, b)
		}
		if code != "" {
			return nil, &Fault{name, i + 1, code, args}
		}
		out.sum, out.whole = sum, out.whole+len(line)+1
	}
	if out.Batch == "" {
		return nil, &Fault{name, 1, FaultFormat, []string{BallotFormat}}
	}
	return out, nil
}

// take adds one line; the code of what is wrong with it, or "".
func (l *Ballot) take(r record, first bool, b *Batch) (code string, args []string) {
	switch {
	case first && r.Vote != BallotFormat:
		return FaultFormat, []string{BallotFormat}
	case first && r.Batch != b.ID:
		return FaultBatch, []string{r.Batch, b.ID}
	case first && !ValidVoter(r.Voter):
		return FaultVoter, []string{r.Voter}
	case first:
		l.Batch, l.Voter = r.Batch, r.Voter
		return "", nil
	case r.Undo != "":
		if n := len(l.Votes); n == 0 || l.Votes[n-1].Item != r.Undo {
			return FaultUndo, []string{r.Undo}
		}
		l.Votes = l.Votes[:len(l.Votes)-1]
		return "", nil
	case !slices.ContainsFunc(b.Items, func(it Item) bool { return it.ID == r.Item }):
		return FaultItem, []string{r.Item}
	case l.on(r.Item) != nil:
		return FaultTwice, []string{r.Item}
	case !r.Answers.whole():
		return FaultAnswer, []string{r.Item}
	}
	l.Votes = append(l.Votes, Vote{r.Item, r.Answers, r.Tags, r.At})
	return "", nil
}

// on gives the vote on an item, nil if there is none.
func (l *Ballot) on(item string) *Vote {
	for i := range l.Votes {
		if l.Votes[i].Item == item {
			return &l.Votes[i]
		}
	}
	return nil
}
