package catalog

import (
	"fmt"
	"slices"
	"strings"

	"fabula/engine"
	"fabula/engine/remote"
)

// servers gives the configured servers that an entry of a ladder stands for:
// all for "remote", else the one of that name.
func (c *Catalog) servers(name string) []remote.Options {
	if name == string(engine.Remote) {
		return c.o.Remotes
	}
	i := slices.IndexFunc(c.o.Remotes, func(o remote.Options) bool { return strings.EqualFold(o.Name, name) })
	if i < 0 {
		return nil
	}
	return c.o.Remotes[i : i+1]
}

// noServer says what to do where none is configured.
func (c *Catalog) noServer() string {
	return fmt.Sprintf("no server is configured: set FABULA_REMOTE_URL and FABULA_REMOTE_MODEL, or write %s", c.o.RemotesFile)
}

// remote gives the servers that are trusted, in the order of the configuration.
func (u *climb) remote(servers []remote.Options) bool {
	if len(servers) == 0 {
		u.pass(reason(string(engine.Remote), WhyNoServer, u.c.noServer()))
	}
	for _, o := range servers {
		m := Model{Languages: o.Languages}
		if !u.chosen && !m.Speaks(u.ask.Language) {
			u.pass(reason(o.Name, WhyLanguage, "speaks "+strings.Join(o.Languages, ", ")))
			continue
		}
		s, e, err := u.c.connection(o)
		if err != nil {
			u.pass(reason(o.Name, WhyFailed, err.Error()))
			continue
		}
		if u.given[s.key] {
			continue
		}
		if report, up := u.c.health.Up(s.key); !up {
			u.pass(failed(s.name, report))
		} else if !u.give(s, e) {
			return false
		}
	}
	return true
}

// connection makes the client of a server once; it connects to nothing.
func (c *Catalog) connection(o remote.Options) (*slot, engine.Engine, error) {
	key := string(engine.Remote) + ":" + o.Name
	return c.made(key, func() (engine.Engine, error) { return remote.New(o) })
}

// chooseServer checks a person's choice of a server.
func (c *Catalog) chooseServer(name string) error {
	servers := c.servers(name)
	if len(servers) == 0 {
		return fmt.Errorf("%w: %s", engine.ErrUnavailable, c.noServer())
	}
	if _, _, err := c.connection(servers[0]); err != nil {
		return fmt.Errorf("%w: %w", engine.ErrUnavailable, err)
	}
	return nil
}
