package main

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/engine/choice"
	"fabula/engine/ladder"
	"fabula/story/plot"
)

// wishes joins what a person wants to answer on this machine with what a world
// asks for. The file is looked at for every reply, so that a choice made in
// another terminal is effective with the next one.
type wishes struct {
	file   *choice.File
	script atomic.Pointer[plot.Script]
	log    *slog.Logger

	mu   sync.Mutex
	told string // the trouble with the file that was logged last
}

// newWishes reads the person's choices; a file that cannot be read is an error.
func newWishes(script *plot.Script, log *slog.Logger) (*wishes, error) {
	w := &wishes{file: choice.Open(choicesFile()), log: log}
	w.script.Store(script)
	_, err := w.file.Read()
	return w, err
}

// wish gives what is to answer somebody. A file that broke meanwhile leaves the
// last good choices in use.
func (w *wishes) wish(a engine.Ask) catalog.Wish {
	content, err := w.file.Read()
	w.tell(err)
	return wishOf(content, w.script.Load(), a)
}

func (w *wishes) tell(err error) {
	now := ""
	if err != nil {
		now = err.Error()
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if now != w.told && err != nil {
		w.log.Warn("engine choices not taken up", "error", err)
	}
	w.told = now
}

// wishOf puts a machine's choices above a world's.
func wishOf(c choice.Content, s *plot.Script, a engine.Ask) catalog.Wish {
	if s == nil {
		s = &plot.Script{}
	}
	mine := c.For(s.ID, a.Persona)
	wish := catalog.Wish{Chosen: mine.Chosen, Ladder: mine.Ladder, Limits: ladder.Limits{FirstToken: mine.FirstToken, Gap: mine.Gap}}
	if len(wish.Ladder) == 0 {
		wish.Ladder = s.Engine.Ladder
	}
	if wish.Limits.FirstToken == 0 {
		wish.Limits.FirstToken = time.Duration(s.Engine.FirstTokenMS) * time.Millisecond
	}
	if wish.Limits.Gap == 0 {
		wish.Limits.Gap = time.Duration(s.Engine.GapMS) * time.Millisecond
	}
	return wish
}
