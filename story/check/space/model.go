package space

import (
	"fabula/personas/source"
	"fabula/story/plot"
)

// model is a script made ready for the search: ids are numbers, conditions and
// effects are functions on the fields of a state.
type model struct {
	s       *plot.Script
	langs   []string // that a playthrough can be in
	list    gathered
	telling tellings
	wanted  map[placed]bool // conditions that the model can ask; only Src of them counts
	fields  []field
	words   int // of a packed state
	bounds  []Bound

	vars       map[string]int  // place of a variable's field
	calls      map[callKey]int // place of a mark's or counter's field
	visits     []int           // by node; only where some condition asks for a bare `visits`
	dictionary map[string]int
	lang       int // places of fields; -1 where there is none
	turns      int
	total      int
	confirm    int
	speaker    int

	nodes     []node
	beats     []beat
	exits     []exit
	anchors   []anchor
	people    []person
	sites     []site
	nodeAt    map[string]int
	personAt  map[string]int
	toldGroup map[[2]int]int // by node and told field: see group
}

// node is a plot node; lists are in document order.
type node struct {
	id      string
	at      *plot.Node
	when    int // site, -1 = always
	visit   int // place of the field, -1 = nobody asks
	ending  bool
	all     bool // turns: all
	cast    []member
	enter   []effect
	lines   []line
	beats   []int
	exits   []int
	anchors []int
	agree   []agreement
	asks    bool   // some exit asks a question
	voiced  bool   // a reply can change a state
	loose   bool   // see loose.go
	live    []bool // by field
	dead    []int  // fields
}

// agreement is a word that agrees to a question, and the beats that it sets off.
type agreement struct {
	word  string
	fires []int
}

type member struct{ person, when int }

type effect struct {
	when  int
	field int // -1 = nobody asks
	op    byte
	value value
}

// line is an authored line with what it may do to a state: tell secrets.
type line struct {
	when  int
	tells [][]int // by language: places of told fields
}

type beat struct {
	id       string // "node.beat"
	node     int
	at       *plot.Beat
	when     int
	mark     int
	by       int // person, or one of the below
	surely   bool
	possible bool
	counts   bool // firing can change a state
	group    int  // in its node: those that may have to fire together
	effects  []effect
	lines    []line
}

// Who fires a beat, where it is no person.
const (
	byPlayer = -1 - iota
	byNPC
	byAny
)

type exit struct {
	id      string // "node.exit"
	node    int
	at      *plot.Exit
	to      int // -1 = stay
	when    int
	mark    int
	offered bool
	said    bool
	asks    int // number of the question in its node, 0 = none
	asker   int // person, -1 = nobody
	effects []effect
	lines   []line
}

type anchor struct {
	id    string
	by    int
	when  int
	mark  int // -1: whether it was said changes nothing
	after int
	tells [][]int
	at    *plot.Anchor
}

type person struct {
	id      string
	greets  [][]int // what the greeting tells, by language
	greeted int     // -1: nobody asks
	prompt  []int   // sites that its prompt looks at
	secrets []secret
}

type secret struct {
	id     string
	unlock int
	told   int // -1: nobody asks
	never  bool
}

// site is a condition in its place.
type site struct {
	cond  source.Cond
	kind  string // exit, node, beat, line, effect, cast, anchor, secret, words, lore, goal, knows, sample
	owner string // what it belongs to
	node  string // whose `visits` is meant; empty = wherever the player is
	holds value
	parts []part // of an `and`
}

// part is one of the conditions that an `and` joins.
type part struct {
	src   string
	holds value
}

// scoped is an effect with the node whose `visits` it means.
type scoped struct {
	effect plot.Effect
	node   string
}
