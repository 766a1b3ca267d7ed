package store

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// liveSuffix ends the names of live files.
const liveSuffix = ".jsonl"

// Live opens the file beside the store that a streaming reply is copied to. It
// is not synced: it survives a killed program, not a power cut.
func (s *Store) Live(turn, alternative story.ID) (io.WriteCloser, error) {
	f, err := os.OpenFile(s.livePath(turn, alternative), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fileMode)
	if err != nil {
		return nil, fmt.Errorf("open live file: %w", err)
	}
	return f, nil
}

// livePath names a live file TURN.ALTERNATIVE.jsonl, or as programs before
// several replies at once did, TURN.jsonl.
func (s *Store) livePath(turn, alternative story.ID) string {
	name := string(turn)
	if alternative != "" {
		name += "." + string(alternative)
	}
	return filepath.Join(s.dir, "live", inside.Replace(name)+liveSuffix)
}

// inside keeps names within the folder, whatever ids a restored store has.
var inside = strings.NewReplacer("/", "_", "\\", "_", "\x00", "_")

// liveFiles lists the live files by turn, oldest first.
func (s *Store) liveFiles() (turns []story.ID, alternatives map[story.ID][]story.ID, err error) {
	files, err := os.ReadDir(filepath.Join(s.dir, "live"))
	if err != nil {
		return nil, nil, fmt.Errorf("read live files: %w", err)
	}
	alternatives = map[story.ID][]story.ID{}
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Name(), liveSuffix)
		if !ok {
			continue
		}
		turn, alternative, _ := strings.Cut(name, ".")
		if id := story.ID(turn); alternatives[id] == nil {
			turns = append(turns, id)
		}
		alternatives[story.ID(turn)] = append(alternatives[story.ID(turn)], story.ID(alternative))
	}
	return turns, alternatives, nil
}

// Pending lists the turns whose reply was never stored, and finished turns
// with a live file: a retry that was cut off. A turn with several live files is
// listed once for each.
func (s *Store) Pending() ([]story.Unfinished, error) {
	turns, err := s.pendingTurns()
	if err != nil {
		return nil, err
	}
	with, alternatives, err := s.liveFiles()
	if err != nil {
		return nil, err
	}
	seen := map[story.ID]bool{}
	var all []story.Unfinished
	for _, t := range turns {
		seen[t.ID] = true
		if len(alternatives[t.ID]) == 0 {
			all = append(all, story.Unfinished{Turn: t})
		}
		if all, err = s.withLive(all, t, alternatives[t.ID]); err != nil {
			return nil, err
		}
	}
	for _, id := range with {
		if seen[id] {
			continue
		}
		t, err := s.Turn(id)
		if errors.Is(err, story.ErrNotFound) { // of a turn that does not exist
			for _, a := range alternatives[id] {
				_ = os.Remove(s.livePath(id, a))
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if all, err = s.withLive(all, t, alternatives[id]); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Store) withLive(all []story.Unfinished, t story.Turn, alternatives []story.ID) ([]story.Unfinished, error) {
	for _, a := range alternatives {
		live, err := os.ReadFile(s.livePath(t.ID, a))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read live file: %w", err)
		}
		all = append(all, story.Unfinished{Turn: t, Alternative: a, Live: live})
	}
	return all, nil
}

func (s *Store) pendingTurns() ([]story.Turn, error) {
	var all []story.Turn
	err := s.view(func(tx *bolt.Tx) error {
		return tx.Bucket([]byte("turns")).ForEach(func(k, data []byte) error {
			// A cheap look first: nearly every turn is finished.
			if !strings.Contains(string(data), `"status":"`+string(story.Pending)+`"`) {
				return nil
			}
			var rec turnRecord
			if err := json.Unmarshal(data, &rec); err != nil {
				return broken(s.file, "turn "+string(k), err)
			}
			if rec.Status != story.Pending {
				return nil
			}
			rec.Children = children(tx, rec.ID)
			all = append(all, rec.Turn)
			return nil
		})
	})
	return all, err
}

// DropLive removes the live file of a reply that came to nothing.
func (s *Store) DropLive(turn, alternative story.ID) error {
	err := os.Remove(s.livePath(turn, alternative))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove live file: %w", err)
	}
	return nil
}
