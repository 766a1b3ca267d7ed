package export

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"fabula/engine/safefile"
)

// Ledger remembers every line id that was given, so that an id is given once
// and never again: not when turns are purged from the store, and not to a line
// of another writer whose export was merged.
type Ledger struct {
	path  string
	Lines map[string]string `json:"lines"` // utterance, "turn" or "turn/alternative" → id
	Last  map[string]int    `json:"last"`  // "speaker.node" → highest number given
	// Authored reports whether an id is that of an authored line; may be nil.
	Authored func(id string) bool `json:"-"`
	grown    bool
	taken    map[string]bool // ids in Lines, once Adopt asked
}

// OpenLedger reads lines.json of a world's state folder; without the file it is
// empty. A damaged file is an error: ids would be given twice.
func OpenLedger(dir string) (*Ledger, error) {
	l := NewLedger()
	l.path = filepath.Join(dir, "lines.json")
	data, err := os.ReadFile(l.path)
	if errors.Is(err, fs.ErrNotExist) {
		return l, nil
	}
	if err == nil {
		l.Lines, l.Last = nil, nil
		err = json.Unmarshal(data, l)
	}
	if err != nil {
		return nil, fmt.Errorf("line ids given so far, %s: %w; restore the file, or move it away to count anew", l.path, err)
	}
	if l.Lines == nil || l.Last == nil {
		return nil, fmt.Errorf("line ids given so far, %s: no lines in it; restore the file, or move it away to count anew", l.path)
	}
	return l, nil
}

// NewLedger is empty, and is not saved.
func NewLedger() *Ledger { return &Ledger{Lines: map[string]string{}, Last: map[string]int{}} }

func (u Utterance) key() string {
	if u.Alternative == "" {
		return string(u.Turn)
	}
	return string(u.Turn) + "/" + string(u.Alternative)
}

// number gives every utterance its id: the one it has, or in the order of making
// the next of its speaker and node in steps of 100.
func (l *Ledger) number(all []spoken) Numbers {
	slices.SortFunc(all, func(a, b spoken) int { return strings.Compare(string(a.made), string(b.made)) })
	numbers := Numbers{}
	for _, s := range all {
		numbers[s.at] = l.Give(s.at, s.who+"."+s.where)
	}
	return numbers
}

// Give gives an utterance its id; stem is "speaker.node".
func (l *Ledger) Give(u Utterance, stem string) string {
	if id, ok := l.Lines[u.key()]; ok {
		return id
	}
	n := l.Last[stem] + 100
	id := lineID(stem, n)
	for l.Authored != nil && l.Authored(id) {
		n += 100
		id = lineID(stem, n)
	}
	l.keep(u, id)
	return id
}

func lineID(stem string, n int) string { return fmt.Sprintf("%s.l%04d", stem, n) }

// Adopt notes an id that an utterance got elsewhere, and gives it; where that
// id is another's here, the utterance gets the next one.
func (l *Ledger) Adopt(u Utterance, id string) string {
	if now, ok := l.Lines[u.key()]; ok {
		return now
	}
	if l.taken == nil {
		l.taken = map[string]bool{}
		for _, id := range l.Lines {
			l.taken[id] = true
		}
	}
	stem, _ := cutNumber(id)
	if !l.taken[id] {
		l.keep(u, id)
		return id
	}
	return l.Give(u, stem)
}

func (l *Ledger) keep(u Utterance, id string) {
	stem, n := cutNumber(id)
	l.Lines[u.key()], l.Last[stem], l.grown = id, max(l.Last[stem], n), true
	if l.taken != nil {
		l.taken[id] = true
	}
}

// cutNumber cuts "speaker.node.l0100".
func cutNumber(id string) (stem string, n int) {
	i := strings.LastIndex(id, ".l")
	if i < 0 {
		return id, 0
	}
	n, _ = strconv.Atoi(id[i+2:])
	return id[:i], n
}

// Save writes what was given since it was opened, beside the file and renamed.
func (l *Ledger) Save() error {
	if !l.grown || l.path == "" {
		return nil
	}
	data, err := json.MarshalIndent(l, "", " ")
	if err == nil {
		err = os.MkdirAll(filepath.Dir(l.path), 0o700)
	}
	if err == nil {
		err = safefile.Replace(l.path, append(data, '\n'))
	}
	if err != nil {
		return fmt.Errorf("keep line ids: %w", err)
	}
	l.grown = false
	return nil
}
