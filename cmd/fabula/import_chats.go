package main

import (
	"fmt"
	"slices"
	"strings"

	"fabula/story"
	"fabula/story/chatlog"
	"fabula/story/plot"
	"fabula/story/store"
	"fabula/worlds"
)

// chatFile is a chat that was read.
type chatFile struct {
	name string
	log  chatlog.Log
}

func (i *importing) chat(name string, data []byte) error {
	log, notes, err := chatlog.Read(data)
	if err != nil {
		return coded{exitUsage, fmt.Errorf("%s: %w; nothing was written", name, err)}
	}
	i.chats = append(i.chats, chatFile{name, log})
	i.read = append(i.read, imported{file: name, kind: "chat", name: log.Character, notes: notes})
	return nil
}

// fresh leaves out the chats that were imported before, from this folder or another:
// what was said tells, and the branch that a chat of ours says it was. It says so of
// each.
func (i *importing) fresh() error {
	i.offered = len(i.chats)
	if len(i.chats) == 0 || i.flags.again {
		return nil
	}
	has, err := i.stored()
	if err != nil {
		return err
	}
	var kept []chatFile
	for _, c := range i.chats {
		hash, words := c.log.Hash(), c.log.Words()
		name, known := has[hash]
		if !known {
			// Words alone stand for one chat of an unknown branch, and no more than one.
			if name, known = has[words]; known {
				delete(has, words)
				has[hash] = name
			}
		}
		if !known {
			has[hash] = chatlog.Name(c.name)
			kept = append(kept, c)
			continue
		}
		i.read = slices.DeleteFunc(i.read, func(r imported) bool { return r.file == c.name && r.kind == "chat" })
		if err := i.known(c.name, name); err != nil {
			return err
		}
	}
	i.chats = kept
	return nil
}

// stored names the branches that were imported, by the hashes of their chats: that
// of the file, and that of what the branch would be exported as.
func (i *importing) stored() (map[string]string, error) {
	r, closer, err := store.OpenReader(i.world.StateDir(), store.WithWorld(i.world.Script.ID))
	if err != nil {
		return nil, err
	}
	defer func() { _ = closer.Close() }()
	branches, err := r.Branches()
	if err != nil {
		return nil, err
	}
	has := map[string]string{}
	for _, b := range branches {
		if b.Source != "" {
			has[b.Source] = b.Name
			has[chatlog.HashOf(chatlog.WordsOf(b.Source), string(b.ID))] = b.Name
		}
	}
	return has, nil
}

// importedKnown is an object of `import --json`: a chat that was left out.
type importedKnown struct {
	Event  string `json:"event"` // known
	File   string `json:"file"`
	Branch string `json:"branch"`
}

func (i *importing) known(file, branch string) error {
	if i.flags.json {
		return writeJSON(i.out, importedKnown{"known", file, branch})
	}
	_, err := fmt.Fprintf(i.out, i.words.Import.Known+"\n", printable(file), printable(branch))
	return err
}

// talks finds who speaks in the chats, in the world as it will be.
func (i *importing) talks(after *worlds.World) ([]story.Talk, error) {
	given := map[string]string{}
	for _, pair := range i.flags.names {
		name, id, found := strings.Cut(pair, "=")
		if !found || after.Script.Persona(id) == nil {
			return nil, usage("--as %q: write NAME=ID with the id of a persona; there are: %s", pair, strings.Join(personaIDs(after.Script), ", "))
		}
		given[name] = id
	}
	var out []story.Talk
	for _, c := range i.chats {
		who := func(name string) string {
			if id, ok := given[name]; ok {
				return id
			}
			return called(after.Script, name)
		}
		talk, unknown := c.log.Talk(who)
		if len(unknown) > 0 {
			return nil, usage("%s: nobody in the world is called %s; import the card too, or say who it is with --as '%s=ID' (%s)",
				c.name, strings.Join(unknown, ", "), unknown[0], strings.Join(personaIDs(after.Script), ", "))
		}
		talk.Name = chatlog.Name(c.name)
		talk.Source = c.log.Hash()
		talk.Node = placeOf(after.Script, talk.With)
		out = append(out, talk)
	}
	return out, nil
}

func personaIDs(s *plot.Script) []string {
	var all []string
	for _, p := range s.Personas {
		all = append(all, p.ID)
	}
	return all
}

// called finds a persona by its name in any language, or its id.
func called(s *plot.Script, name string) string {
	for _, p := range s.Personas {
		if strings.EqualFold(p.ID, name) || slices.ContainsFunc(p.Name.All(), func(n string) bool { return strings.EqualFold(strings.TrimSpace(n), strings.TrimSpace(name)) }) {
			return p.ID
		}
	}
	return ""
}

// placeOf is a node in which a persona can always be met: the one that its
// import made, else the first that casts it without a condition.
func placeOf(s *plot.Script, id string) string {
	if n := s.Node("meet_" + id); n != nil {
		return n.ID
	}
	for _, n := range s.Nodes {
		if slices.ContainsFunc(n.Cast, func(m plot.Member) bool { return m.NPC == id && m.When.Empty() }) {
			return n.ID
		}
	}
	return ""
}

// importedBranch is an object of `import --json`.
type importedBranch struct {
	Event        string   `json:"event"` // branch
	Branch       story.ID `json:"branch"`
	Name         string   `json:"name"`
	Turns        int      `json:"turns"`
	Alternatives int      `json:"alternatives"`
}

// importedChats is an object of `import --json`: how many chats were taken.
type importedChats struct {
	Event string `json:"event"` // chats
	Taken int    `json:"taken"`
	Of    int    `json:"of"`
	Dry   bool   `json:"dry_run,omitempty"`
}

// counted says how many of the chats were taken.
func (i *importing) counted() error {
	switch {
	case i.offered == 0:
		return nil
	case i.flags.json:
		return writeJSON(i.out, importedChats{"chats", len(i.chats), i.offered, i.flags.dry})
	}
	printSaid(i.out, i.sh.lang, "%d of %s taken", len(i.chats), amount{i.offered, "chat"})
	return nil
}

// graft stores the chats, all of them in one transaction.
func (i *importing) graft(o *opened, talks []story.Talk) error {
	grown, err := o.session.Graft(talks)
	if err != nil {
		return err
	}
	for _, g := range grown {
		if i.flags.json {
			err = writeJSON(i.out, importedBranch{"branch", g.Branch.ID, g.Branch.Name, g.Turns, g.Alternatives})
		} else {
			printSaid(i.out, i.sh.lang, "branch %s: %s, %s", printable(g.Branch.Name), amount{g.Turns, "turn"}, amount{g.Alternatives, "alternative"})
		}
		if err != nil {
			return err
		}
	}
	return nil
}
