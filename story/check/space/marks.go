package space

// marks are what a search or a walk sees happen. Each remembers the state from
// which a turn first showed it; -1 = never.
type marks struct {
	m         *model
	now       int // the state whose turns are played
	sites     []siteMarks
	nodes     []int // by node: entered
	exits     []int // by exit: taken
	beats     []int // by beat: it can fire
	delivered []int // by anchor
	values    []valueMarks

	nodeHits, exitHits, beatHits []int // counted on walks
}

// siteMarks is how a condition came out.
type siteMarks struct {
	first [2]int // by side: the state, -1 = never
	hits  [2]int
	parts []bool // by part of an `and`: it held, asked as long as the whole never did
}

type valueMarks struct{ least, most int }

func newMarks(m *model) marks {
	k := marks{m: m, sites: make([]siteMarks, len(m.sites)), nodes: none(len(m.nodes)), exits: none(len(m.exits)),
		beats: none(len(m.beats)), delivered: none(len(m.anchors)), values: make([]valueMarks, len(m.fields)),
		nodeHits: make([]int, len(m.nodes)), exitHits: make([]int, len(m.exits)), beatHits: make([]int, len(m.beats))}
	for i := range k.sites {
		k.sites[i] = siteMarks{first: [2]int{-1, -1}, parts: make([]bool, len(m.sites[i].parts))}
	}
	for i := range k.values {
		k.values[i].least = m.fields[i].size
		k.values[i].most = -1
	}
	return k
}

func none(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

func first(old, now int) int {
	if old < 0 {
		return now
	}
	return old
}

// asked notes how a condition came out.
func (k *marks) asked(i int, yes bool, st []int) {
	s := &k.sites[i]
	side := one(yes)
	s.hits[side]++
	if s.first[side] < 0 {
		s.first[side] = k.now
	}
	if !yes && s.first[1] < 0 {
		for n := range s.parts {
			if !s.parts[n] {
				s.parts[n] = k.m.sites[i].parts[n].holds(st) != 0
			}
		}
	}
}

// settled reports whether nothing more can be learned of a condition.
func (k *marks) settled(i int) bool { return k.sites[i].first[0] >= 0 && k.sites[i].first[1] >= 0 }

func (k *marks) entered(n int) {
	k.nodes[n] = first(k.nodes[n], k.now)
	k.nodeHits[n]++
}

func (k *marks) took(e int) {
	k.exits[e] = first(k.exits[e], k.now)
	k.exitHits[e]++
}

func (k *marks) fired(b int) {
	k.beatHits[b]++
}

// seen notes the values that a turn leaves, as far as they matter where it
// began.
func (k *marks) seen(from int, st []int) {
	for i, live := range k.m.nodes[from].live {
		if !live {
			continue
		}
		v := st[i]
		x := &k.values[i]
		x.least, x.most = min(x.least, v), max(x.most, v)
	}
}
