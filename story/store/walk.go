package store

import (
	"encoding/json"
	"slices"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
	"fabula/story/plot"
)

// batch is how many turns one View of Walk reads: callbacks run between
// Views, so that a slow one never holds back a writer.
const batch = 64

// Walk visits every turn with its alternatives, parents first. A turn that is
// stored meanwhile may be missed, never half seen.
func (r *reader) Walk(visit func(story.Turn, []story.Alternative) error) error {
	order, err := r.order()
	if err != nil {
		return err
	}
	for ids := range slices.Chunk(order, batch) {
		turns, alts, err := r.read(ids)
		if err != nil {
			return err
		}
		for i, t := range turns {
			if err := visit(t, alts[i]); err != nil {
				return err
			}
		}
	}
	return nil
}

// order lists the ids of all turns, parents first.
func (r *reader) order() ([]story.ID, error) {
	var order []story.ID
	err := r.view(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("playthroughs")).ForEach(func(k, data []byte) error {
			var rec playthroughRecord
			if err := json.Unmarshal(data, &rec); err != nil {
				return broken(r.file, "playthrough "+string(k), err)
			}
			for todo := []story.ID{rec.Root}; len(todo) > 0; {
				id := todo[len(todo)-1]
				todo = todo[:len(todo)-1]
				order = append(order, id)
				below := children(tx, id)
				for i := len(below) - 1; i >= 0; i-- {
					turns := children(tx, below[i])
					slices.Reverse(turns)
					todo = append(todo, turns...)
				}
			}
			return nil
		})
	})
	return order, err
}

func (r *reader) read(ids []story.ID) (turns []story.Turn, alts [][]story.Alternative, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		c := chunksOf(tx)
		for _, id := range ids {
			t, err := r.turn(tx, id)
			if err != nil {
				return err
			}
			var all []story.Alternative
			for _, child := range t.Children {
				a, err := r.alternative(tx, child, c)
				if err != nil {
					return err
				}
				all = append(all, a)
			}
			turns, alts = append(turns, t), append(alts, all)
		}
		return nil
	})
	return turns, alts, err
}

// Find lists every text that holds needle, case folded: the player's lines,
// replies and authored lines as they were played. A text that no branch leads
// to is listed under the branch that passes closest by.
func (r *reader) Find(needle string) ([]story.Hit, error) {
	needle = strings.ToLower(needle)
	if needle == "" {
		return nil, nil
	}
	where, err := r.owners()
	if err != nil {
		return nil, err
	}
	var hits []story.Hit
	err = r.Walk(func(t story.Turn, alts []story.Alternative) error {
		branch := where.of(t)
		add := func(alt story.ID, text string) {
			if strings.Contains(strings.ToLower(text), needle) {
				hits = append(hits, story.Hit{Branch: branch, Turn: t.ID, Alternative: alt, Depth: t.Depth, Text: text})
			}
		}
		shown := story.ID("")
		if len(alts) > 0 {
			shown = alts[0].ID
		}
		for _, a := range alts {
			if _, ok := where.path[a.ID]; ok {
				shown = a.ID
				break
			}
		}
		add(shown, t.Input.Text)
		for _, a := range alts {
			branch = where.of(t)
			if b, ok := where.path[a.ID]; ok {
				branch = b
			}
			eachText(a, func(text string) { add(a.ID, text) })
		}
		return nil
	})
	return hits, err
}

func eachText(a story.Alternative, do func(string)) {
	lines := func(played []plot.Played) {
		for _, p := range played {
			do(p.Text)
		}
	}
	lines(a.Lines)
	do(a.Text)
	lines(a.After)
}

// owners says which branch leads to a turn or an alternative.
type owners struct {
	path        map[story.ID]story.ID // turn or alternative → branch
	playthrough map[story.ID]story.ID // playthrough → branch
}

func (o owners) of(t story.Turn) story.ID {
	if b, ok := o.path[t.ID]; ok {
		return b
	}
	if b, ok := o.path[t.Parent]; ok {
		return b
	}
	return o.playthrough[t.Playthrough]
}

func (r *reader) owners() (owners, error) {
	o := owners{path: map[story.ID]story.ID{}, playthrough: map[story.ID]story.ID{}}
	branches, err := r.Branches()
	if err != nil {
		return o, err
	}
	err = r.view(func(tx *bolt.Tx) error {
		up := tx.Bucket([]byte("index"))
		for _, b := range branches {
			if _, ok := o.playthrough[b.Playthrough]; !ok {
				o.playthrough[b.Playthrough] = b.ID
			}
			for id := b.Leaf; id != ""; id = story.ID(up.Get(upKey(id))) {
				if _, ok := o.path[id]; ok {
					break
				}
				o.path[id] = b.ID
			}
		}
		return nil
	})
	return o, err
}
