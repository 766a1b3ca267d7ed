package store

import (
	"errors"
	"fmt"

	bolt "go.etcd.io/bbolt"
)

// ErrWorld: a store is of another world. A WorldError names both.
var ErrWorld = errors.New("store of another world")

// worldKey is where the id of the world that a store is of lies in meta. Stores
// of schema 2 and before have none until they are opened for a world.
const worldKey = "world"

// WorldError says that a store, a copy or a dump is of another world than it is
// wanted for.
type WorldError struct{ File, Found, Wanted string }

// Error names both worlds and the ways on.
func (e *WorldError) Error() string {
	return fmt.Sprintf("%s holds what was played in the world %s, and this is the world %s: nothing was changed. "+
		"If it was copied here with the folder, move it away; if the world was renamed, 'fabula store adopt WORLD' makes it this world's",
		e.File, e.Found, e.Wanted)
}

// Is makes errors.Is(err, ErrWorld) hold.
func (e *WorldError) Is(target error) bool { return target == ErrWorld }

// WithWorld names the world that a store is wanted for, by id: one of another
// world is refused, one that does not say is taken as this world's. Without it
// any store is opened as it is.
func WithWorld(id string) Option { return func(o *options) { o.world = id } }

// World gives the id of the world that a store is of; empty where it does not
// say.
func (r *reader) World() (id string, err error) {
	err = r.view(func(tx *bolt.Tx) error {
		id = string(tx.Bucket([]byte("meta")).Get([]byte(worldKey)))
		return nil
	})
	return id, err
}

// is refuses the store of another world; known is false where it does not say.
func (r *reader) is(world string) (known bool, err error) {
	if world == "" {
		return true, nil
	}
	found, err := r.World()
	if err == nil && found != "" && found != world {
		err = &WorldError{r.file, found, world}
	}
	return found != "", err
}

// belong makes the store that of the world it was opened for.
func (s *Store) belong() error {
	known, err := s.is(s.options.world)
	if err != nil || known {
		return err
	}
	return s.update(func(tx *bolt.Tx) error { return name(tx, s.options.world) })
}

func name(tx *bolt.Tx, world string) error {
	return tx.Bucket([]byte("meta")).Put([]byte(worldKey), []byte(world))
}

// Adopt makes the store in dir that of a world, whatever world it was of. It
// gives the id of that. Errors: as Open.
func Adopt(dir, world string) (was string, err error) {
	s, err := openWriter(dir)
	if err != nil {
		return "", err
	}
	was, err = s.World()
	if err == nil && was != world {
		err = s.update(func(tx *bolt.Tx) error { return name(tx, world) })
	}
	return was, errors.Join(err, s.Close())
}

// anew gives a store that takes another's place the life and the world of that
// place.
func anew(file, world string) error {
	db, _, err := openFile(file, false)
	if err != nil {
		return err
	}
	err = guard(file, func() error {
		return db.Update(func(tx *bolt.Tx) error {
			if world == "" {
				return renew(tx)
			}
			return errors.Join(renew(tx), name(tx, world))
		})
	})
	return errors.Join(err, db.Close())
}
