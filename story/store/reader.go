package store

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// reader is the reading side: of the holder's file, of a snapshot, or of
// nothing (db is nil: no store was made yet). Every method is one View.
type reader struct {
	db   *bolt.DB
	file string
}

func (r *reader) view(do func(*bolt.Tx) error) error {
	if r.db == nil {
		return nil
	}
	return guard(r.file, func() error { return r.db.View(do) })
}

// get decodes one value. what names it in errors.
func (r *reader) get(bucket, what string, id story.ID, decode func([]byte) error) error {
	found := false
	err := r.view(func(tx *bolt.Tx) error {
		data := tx.Bucket([]byte(bucket)).Get([]byte(id))
		if found = data != nil; !found {
			return nil
		}
		if err := decode(data); err != nil {
			return broken(r.file, what+" "+string(id), err)
		}
		return nil
	})
	if err == nil && !found {
		err = fmt.Errorf("%s %s: %w", what, id, story.ErrNotFound)
	}
	return err
}

// Playthrough gives a playthrough by id.
func (r *reader) Playthrough(id story.ID) (story.Playthrough, error) {
	var rec playthroughRecord
	err := r.get("playthroughs", "playthrough", id, func(data []byte) error { return json.Unmarshal(data, &rec) })
	return rec.Playthrough, err
}

// Turn gives a turn by id, with its alternatives' ids.
func (r *reader) Turn(id story.ID) (story.Turn, error) {
	var t story.Turn
	err := r.view(func(tx *bolt.Tx) (err error) {
		t, err = r.turn(tx, id)
		return err
	})
	return t, r.missing(err, "turn", id)
}

// Alternative gives an alternative by id, with the ids of the turns below.
func (r *reader) Alternative(id story.ID) (story.Alternative, error) {
	var a story.Alternative
	err := r.view(func(tx *bolt.Tx) (err error) {
		a, err = r.alternative(tx, id, chunksOf(tx))
		return err
	})
	return a, r.missing(err, "alternative", id)
}

// missing makes "not found" of a lookup in no store at all.
func (r *reader) missing(err error, what string, id story.ID) error {
	if err == nil && r.db == nil {
		return fmt.Errorf("%s %s: %w", what, id, story.ErrNotFound)
	}
	return err
}

func (r *reader) turn(tx *bolt.Tx, id story.ID) (story.Turn, error) {
	data := tx.Bucket([]byte("turns")).Get([]byte(id))
	if data == nil {
		return story.Turn{}, fmt.Errorf("turn %s: %w", id, story.ErrNotFound)
	}
	var rec turnRecord
	if err := json.Unmarshal(data, &rec); err != nil {
		return story.Turn{}, broken(r.file, "turn "+string(id), err)
	}
	rec.Children = children(tx, id)
	return rec.Turn, nil
}

func (r *reader) alternative(tx *bolt.Tx, id story.ID, c chunks) (story.Alternative, error) {
	data := tx.Bucket([]byte("alternatives")).Get([]byte(id))
	if data == nil {
		return story.Alternative{}, fmt.Errorf("alternative %s: %w", id, story.ErrNotFound)
	}
	a, err := decodeAlternative(data, c)
	if err != nil {
		return a, broken(r.file, "alternative "+string(id), err)
	}
	a.Children = children(tx, id)
	return a, nil
}

// Path lists the steps from the opening to an alternative.
func (r *reader) Path(leaf story.ID) ([]story.Step, error) {
	var steps []story.Step
	err := r.view(func(tx *bolt.Tx) error {
		c := chunksOf(tx)
		for id := leaf; id != ""; {
			a, err := r.alternative(tx, id, c)
			if err != nil {
				return err
			}
			t, err := r.turn(tx, a.Turn)
			if err != nil {
				return err
			}
			steps = append(steps, story.Step{Turn: t, Alternative: a})
			id = t.Parent
		}
		return nil
	})
	slices.Reverse(steps)
	return steps, r.missing(err, "alternative", leaf)
}

// Branches lists the branches, last touched first. One whose opening is not
// stored yet is none: its program is at it, or died and the next writer mends it.
func (r *reader) Branches() ([]story.Branch, error) {
	all, err := r.allBranches()
	return slices.DeleteFunc(all, func(b story.Branch) bool { return b.Leaf == "" || !b.Hidden.IsZero() }), err
}

// Hidden lists the branches that were deleted and not purged, last hidden first.
func (r *reader) Hidden() ([]story.Branch, error) {
	all, err := r.allBranches()
	all = slices.DeleteFunc(all, func(b story.Branch) bool { return b.Hidden.IsZero() })
	slices.SortStableFunc(all, func(a, b story.Branch) int { return b.Hidden.Compare(a.Hidden) })
	return all, err
}

func (r *reader) allBranches() ([]story.Branch, error) {
	var all []story.Branch
	err := r.view(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("branches")).ForEach(func(k, data []byte) error {
			var rec branchRecord
			if err := json.Unmarshal(data, &rec); err != nil {
				return broken(r.file, "branch "+string(k), err)
			}
			all = append(all, rec.Branch)
			return nil
		})
	})
	slices.SortFunc(all, func(a, b story.Branch) int {
		return cmp.Or(b.Touched.Compare(a.Touched), cmp.Compare(b.ID, a.ID))
	})
	return all, err
}

// Branch finds by id, by exact name, or by a prefix of the id that only one
// branch has. One without an opening is found by its whole id alone.
func (r *reader) Branch(ref string) (story.Branch, error) {
	all, err := r.allBranches()
	if err != nil {
		return story.Branch{}, err
	}
	all = slices.DeleteFunc(all, func(b story.Branch) bool { return !b.Hidden.IsZero() || b.Leaf == "" && string(b.ID) != ref })
	return Named(all, ref)
}

// Named finds the branch that ref means: by id, by exact name, or by a prefix of
// the id that only one branch has.
func Named(all []story.Branch, ref string) (story.Branch, error) {
	for _, match := range []func(story.Branch) bool{
		func(b story.Branch) bool { return string(b.ID) == ref },
		func(b story.Branch) bool { return b.Name == ref },
		func(b story.Branch) bool { return ref != "" && strings.HasPrefix(string(b.ID), strings.ToUpper(ref)) },
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(b story.Branch) bool { return !match(b) })
		switch len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			return story.Branch{}, fmt.Errorf("branch %q: %w", ref, story.ErrAmbiguous)
		}
	}
	return story.Branch{}, fmt.Errorf("branch %q: %w", ref, story.ErrNotFound)
}

// Blob gives a prompt text by its SHA-256 in hex.
func (r *reader) Blob(hash string) (string, error) {
	text := ""
	err := r.get("blobs", "prompt text", story.ID(hash), func(data []byte) error {
		text = string(data)
		return nil
	})
	return text, err
}

// Index keys: "c" parent child, "u" id → parent, "v" alternative → last visit,
// "o" number → the alternative that was stored as that.
func childKey(parent, child story.ID) []byte { return []byte("c" + string(parent) + string(child)) }
func upKey(id story.ID) []byte               { return []byte("u" + string(id)) }
func visitKey(id story.ID) []byte            { return []byte("v" + string(id)) }
func orderKey(n uint64) []byte               { return binary.BigEndian.AppendUint64([]byte("o"), n) }

// children lists what lies below an id, oldest first.
func children(tx *bolt.Tx, id story.ID) []story.ID {
	var all []story.ID
	prefix := childKey(id, "")
	c := tx.Bucket([]byte("index")).Cursor()
	for k, _ := c.Seek(prefix); k != nil && strings.HasPrefix(string(k), string(prefix)); k, _ = c.Next() {
		all = append(all, story.ID(k[len(prefix):]))
	}
	return all
}

func visited(tx *bolt.Tx, id story.ID) uint64 {
	data := tx.Bucket([]byte("index")).Get(visitKey(id))
	if len(data) != 8 {
		return 0
	}
	return binary.BigEndian.Uint64(data)
}

// Latest gives the alternative at or below the given one on which a branch
// stood last.
func (r *reader) Latest(alternative story.ID) (story.ID, error) {
	best, newest := alternative, uint64(0)
	err := r.view(func(tx *bolt.Tx) error {
		if tx.Bucket([]byte("alternatives")).Get([]byte(alternative)) == nil {
			return fmt.Errorf("alternative %s: %w", alternative, story.ErrNotFound)
		}
		for todo := []story.ID{alternative}; len(todo) > 0; {
			id := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if at := visited(tx, id); at > newest {
				best, newest = id, at
			}
			for _, turn := range children(tx, id) {
				todo = append(todo, children(tx, turn)...)
			}
		}
		return nil
	})
	return best, r.missing(err, "alternative", alternative)
}

// Newest gives the greatest id of the tree, empty in an empty one: ids made from
// now on have to sort after it, whatever the clock says.
func (r *reader) Newest() (story.ID, error) {
	var newest story.ID
	err := r.view(func(tx *bolt.Tx) error {
		for _, bucket := range []string{"playthroughs", "turns", "alternatives", "branches"} {
			k, _ := tx.Bucket([]byte(bucket)).Cursor().Last()
			newest = max(newest, story.ID(k))
		}
		return nil
	})
	return newest, err
}

// Life names the store and what it went through: it changes when turns are
// purged, or another state of the store is put in its place. Empty in a store
// that no writer of this version opened yet.
func (r *reader) Life() (string, error) {
	life := ""
	err := r.view(func(tx *bolt.Tx) error {
		life = string(tx.Bucket([]byte("meta")).Get([]byte("life")))
		return nil
	})
	return life, err
}
