package main

import (
	"context"

	"fabula/engine"
	"fabula/engine/catalog"
	"fabula/story/playtest/players"
)

// playerVoice is the engine that says the lines of simulated players; nil says
// none. It is a catalogue of its own: the NPCs' ladder neither waits for it nor
// hears of its faults.
type playerVoice struct{ catalog *catalog.Catalog }

// voice opens the engine that was asked for.
func (f playtestFlags) voice(o *opened) (*playerVoice, error) {
	if f.playerEngine == "" {
		return nil, nil
	}
	c, err := openCatalog(f.playerEngine, o.wishes.wish, o.log)
	if err != nil {
		return nil, err
	}
	return &playerVoice{c}, nil
}

// Close gives the engine back.
func (v *playerVoice) Close() error {
	if v == nil {
		return nil
	}
	return v.catalog.Close()
}

// say gives how the engine is asked; nil where there is none.
func (v *playerVoice) say() players.Voice {
	if v == nil {
		return nil
	}
	return func(ctx context.Context, r engine.Request) (string, error) {
		err := error(engine.ErrUnavailable)
		for rung := range v.catalog.Rungs(engine.Ask{Language: r.Language}) {
			var stream engine.Stream
			if stream, err = rung.Engine.Generate(ctx, r); err == nil {
				return players.Read(stream)
			}
		}
		return "", err
	}
}
