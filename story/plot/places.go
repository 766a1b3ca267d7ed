package plot

import (
	"fabula/personas/source"
)

// places remembers where the references of an object stand, so that a fault
// points at the name and not at the object.
type places map[string]source.Pos

func placesOf(v source.Value, keys ...string) places {
	p := make(places, len(keys))
	for _, key := range keys {
		if v.Has(key) {
			p[key] = v.Field(key).Pos()
		}
	}
	return p
}

// of is the place of a key's value; whole where the key was not written.
func (p places) of(key string, whole source.Pos) source.Pos {
	if at, ok := p[key]; ok {
		return at
	}
	return whole
}

// placedID is an id in a list, with its place.
type placedID struct {
	id string
	at source.Pos
}

func idList() source.Type[[]placedID] {
	one := source.As(source.ID(), func(id string) placedID { return placedID{id: id} })
	return source.List(one.Placed(func(p *placedID) *source.Pos { return &p.at }))
}

func plainIDs(list []placedID) []string {
	var ids []string
	for _, p := range list {
		ids = append(ids, p.id)
	}
	return ids
}

// placeOf is where the i-th id of a list stands; scripts made in code have no
// places.
func placeOf(list []placedID, i int, whole source.Pos) source.Pos {
	if i < len(list) {
		return list[i].at
	}
	return whole
}
