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

// Live opens the file beside the store that a streaming turn is copied to. It
// is not synced: it survives a killed program, not a power cut.
func (s *Store) Live(turn story.ID) (io.WriteCloser, error) {
	f, err := os.OpenFile(s.livePath(turn), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o644)
	if err != nil {
		return nil, fmt.Errorf("open live file: %w", err)
	}
	return f, nil
}

func (s *Store) livePath(turn story.ID) string {
	return filepath.Join(s.dir, "live", string(turn)+liveSuffix)
}

// Pending lists the turns whose reply was never stored, and finished turns
// with a live file: a retry that was cut off.
func (s *Store) Pending() ([]story.Unfinished, error) {
	turns, err := s.pendingTurns()
	if err != nil {
		return nil, err
	}
	seen := map[story.ID]bool{}
	var all []story.Unfinished
	for _, t := range turns {
		seen[t.ID] = true
		live, err := os.ReadFile(s.livePath(t.ID))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read live file: %w", err)
		}
		all = append(all, story.Unfinished{Turn: t, Live: live})
	}
	retries, err := s.cutRetries(seen)
	return append(all, retries...), err
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

// cutRetries reads the live files of turns that are not pending, and removes
// those of turns that do not exist.
func (s *Store) cutRetries(seen map[story.ID]bool) ([]story.Unfinished, error) {
	files, err := os.ReadDir(filepath.Join(s.dir, "live"))
	if err != nil {
		return nil, fmt.Errorf("read live files: %w", err)
	}
	var all []story.Unfinished
	for _, f := range files {
		id, ok := strings.CutSuffix(f.Name(), liveSuffix)
		if !ok || seen[story.ID(id)] {
			continue
		}
		t, err := s.Turn(story.ID(id))
		if errors.Is(err, story.ErrNotFound) {
			_ = os.Remove(s.livePath(story.ID(id)))
			continue
		}
		if err != nil {
			return nil, err
		}
		live, err := os.ReadFile(s.livePath(t.ID))
		if err != nil {
			return nil, fmt.Errorf("read live file: %w", err)
		}
		all = append(all, story.Unfinished{Turn: t, Live: live})
	}
	return all, nil
}

// DropLive removes the live file of a turn whose retry came to nothing.
func (s *Store) DropLive(turn story.ID) error {
	err := os.Remove(s.livePath(turn))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("remove live file: %w", err)
	}
	return nil
}
