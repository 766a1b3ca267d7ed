// Package choice keeps what a person wants to answer on this machine: engines
// in use for everything, for a world, for a character, and how long to wait for
// them. It is one JSON file, replaced whole, that holds what it said before.
//
// The file is meant to be read and written by hand too:
//
//	{
//	  "version": 1,
//	  "use": "qwen2.5-3b-instruct-q4_k_m",
//	  "ladder": ["tensorrt", "gguf", "recall"],
//	  "first_token_ms": 1500,
//	  "gap_ms": 1000,
//	  "personas": {"laozhou": "recall"},
//	  "worlds": {"fox_lantern": {"use": "tensorrt"}}
//	}
//
// Non-goals: knowing which engines exist, opening them.
package choice

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Settings are what holds everywhere, or in one world, where they outrank those
// that hold everywhere. Empty values say nothing.
type Settings struct {
	// Use names engines as --engine does: several with commas between, best first.
	Use string `json:"use,omitempty"`
	// Ladder lists those that follow, best first.
	Ladder []string `json:"ladder,omitempty"`
	// FirstTokenMS is how long a reply may take to its first token, GapMS from
	// one token to the next, in milliseconds.
	FirstTokenMS int `json:"first_token_ms,omitempty"`
	GapMS        int `json:"gap_ms,omitempty"`
	// Personas pins characters to engines, by id; named as in Use.
	Personas map[string]string `json:"personas,omitempty"`
}

// Content is what the file holds, without its history.
type Content struct {
	Settings
	Worlds map[string]Settings `json:"worlds,omitempty"` // by world id
}

// Past is what the file said before a change.
type Past struct {
	At  time.Time `json:"at"`
	Did string    `json:"did"` // the change, for people
	Was Content   `json:"was"`
}

// Answer is what holds for one character of one world.
type Answer struct {
	Chosen          []string // best first: the most particular wish leads
	Ladder          []string
	FirstToken, Gap time.Duration // 0 = nothing is said
}

// For gives what holds for a character of a world; either may be empty.
func (c Content) For(world, persona string) Answer {
	here := c.Worlds[world]
	var a Answer
	for _, use := range []string{here.Personas[persona], c.Personas[persona], here.Use, c.Use} {
		for _, name := range Names(use) {
			if !slices.Contains(a.Chosen, name) {
				a.Chosen = append(a.Chosen, name)
			}
		}
	}
	a.Ladder = c.Ladder
	if len(here.Ladder) > 0 {
		a.Ladder = here.Ladder
	}
	a.FirstToken, a.Gap = ms(here.FirstTokenMS, c.FirstTokenMS), ms(here.GapMS, c.GapMS)
	return a
}

func ms(here, everywhere int) time.Duration {
	if here == 0 {
		here = everywhere
	}
	return time.Duration(here) * time.Millisecond
}

// Names splits a list of engines with commas between.
func Names(list string) []string {
	var names []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			names = append(names, name)
		}
	}
	return names
}

// mostMS is the longest deadline, an hour.
const mostMS = 3_600_000

// check refuses values that mean nothing.
func (c Content) check() error {
	if err := c.Settings.check(""); err != nil {
		return err
	}
	for id, s := range c.Worlds {
		if err := s.check("worlds." + id + "."); err != nil {
			return err
		}
	}
	return nil
}

func (s Settings) check(at string) error {
	for key, v := range map[string]int{"first_token_ms": s.FirstTokenMS, "gap_ms": s.GapMS} {
		if v < 0 || v > mostMS {
			return fmt.Errorf("%s%s is %d: write milliseconds from 1 to %d, or leave it out", at, key, v, mostMS)
		}
	}
	return nil
}

// clone copies everything that a change could reach.
func (c Content) clone() Content {
	c.Settings = c.Settings.clone()
	worlds := map[string]Settings{}
	for id, s := range c.Worlds {
		worlds[id] = s.clone()
	}
	c.Worlds = worlds
	return c
}

func (s Settings) clone() Settings {
	s.Ladder = slices.Clone(s.Ladder)
	personas := map[string]string{}
	for id, use := range s.Personas {
		personas[id] = use
	}
	s.Personas = personas
	return s
}

// Pin has engines answer: everywhere, in a world, for a character. An empty use
// takes the wish back.
func (c *Content) Pin(world, persona, use string) {
	s := c.Settings
	if world != "" {
		s = c.Worlds[world].clone()
	}
	switch {
	case persona == "":
		s.Use = use
	case use == "":
		delete(s.Personas, persona)
	default:
		s.Personas[persona] = use
	}
	if world == "" {
		c.Settings = s
		return
	}
	c.Worlds[world] = s
}
