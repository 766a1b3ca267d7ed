package space

import "math/rand/v2"

// longest is the number of turns of one walk.
const longest = 60

// walk plays a number of walks from the start on a model that keeps everything,
// by chance. Each ends at an ending without a way on, where nothing can be done,
// or after longest turns.
func walk(m *model, k *marks, walks int, chance *rand.Rand) {
	p := newPlayer(m, k)
	p.walking, p.tape.chance = true, chance
	for range walks {
		lang := 0
		if m.lang >= 0 {
			lang = chance.IntN(len(m.langs))
		}
		p.begin(lang)
		for range longest {
			n := &m.nodes[p.st[0]]
			p.rest()
			if n.ending && len(p.offered) == 0 && len(n.beats) == 0 && chance.IntN(4) == 0 {
				break
			}
			p.tape.clear()
			p.turn()
		}
	}
}
