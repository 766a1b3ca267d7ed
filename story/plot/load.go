package plot

import (
	"slices"

	"fabula/personas"
	"fabula/personas/source"
)

// Load reads one plot file: its nodes, and its `extend`s as nodes with Extends
// set, in file order. References are checked by Compile, once every file of
// the world is read. All faults of the file are reported.
func Load(file source.File) ([]*Node, []source.Fault) {
	f, faults := source.Read(file, plotFile())
	return f.all(), faults
}

// Schema is the JSON Schema of a plot file, from the declaration that Load
// reads with.
func Schema() ([]byte, error) { return source.Schema("plot", plotFile()) }

// readable is a list without the items that could not be read; those were
// reported.
func readable[T any](item source.Type[*T]) source.Type[[]*T] {
	return source.List(item).Checked(func(list *[]*T, _ source.Value) {
		*list = slices.DeleteFunc(*list, func(x *T) bool { return x == nil })
	})
}

// written is a plot file: nodes, or one `extend` at the top.
type written struct {
	nodes []*Node
	top   Node
}

func (f written) all() []*Node {
	if f.top.Extends == "" {
		return f.nodes
	}
	return append(f.nodes, &f.top)
}

func plotFile() source.Type[written] {
	return source.Object("plot", "key plot nodes, any number a file",
		source.Key("nodes", readable(source.Optional(nodeType())), func(f *written) *[]*Node { return &f.nodes }, "the nodes"),
		source.Key("extend", source.ID(), func(f *written) *string { return &f.top.Extends }, "id of a node in another file, to which this one adds"),
		source.Key("lines", readable(lineType()), func(f *written) *[]*Line { return &f.top.Lines }, "lines added to that node"),
		source.Key("beats", readable(beatType()), func(f *written) *[]*Beat { return &f.top.Beats }, "beats added to that node"),
		source.Key("exits", readable(exitType()), func(f *written) *[]*Exit { return &f.top.Exits }, "exits added to that node"),
	).Checked(func(f *written, v source.Value) {
		f.top.Pos = v.Field("extend").Pos()
		if f.top.Extends == "" && !v.Has("nodes") {
			v.Fault(source.CodeMissing, "nodes", "plot")
		}
		for _, key := range []string{"lines", "beats", "exits"} {
			if f.top.Extends == "" && v.Has(key) {
				v.Field(key).Fault(source.CodeMisplacedKey, key, "plot", "node")
			}
		}
	})
}

func nodeType() source.Type[Node] {
	return source.Object("node", "one place and moment of the plot",
		source.Key("node", source.ID(), func(n *Node) *string { return &n.ID }, "id of the node").Example("landing"),
		source.Key("extend", source.ID(), func(n *Node) *string { return &n.Extends }, "instead of `node`: the node of another file to which this adds lines, beats or exits"),
		source.Key("was", personas.WasType(), func(n *Node) *[]string { return &n.Was }, "earlier ids"),
		source.Key("title", personas.TextType(), func(n *Node) *personas.Text { return &n.Title }, "shown title"),
		source.Key("scene", sceneType(), func(n *Node) *[]SceneTag { return &n.Scene }, "place, time, weather, music, mood and the like: prompt text, and tags in exports"),
		source.Key("cast", source.List(memberType()), func(n *Node) *[]Member { return &n.Cast }, "who is present"),
		source.Key("turns", source.OneOf("addressed", "all"), func(n *Node) *string { return &n.Turns }, "who answers").Default("addressed"),
		source.Key("when", source.Condition(), func(n *Node) *source.Cond { return &n.When }, "may be entered while this holds"),
		source.Key("on_enter", source.List(effectType()), func(n *Node) *[]Effect { return &n.OnEnter }, "effects of entering"),
		source.Key("tell", source.List(tellType()), func(n *Node) *[]Tell { return &n.Tell }, "who learns of what on entering"),
		source.Key("lines", readable(lineType()), func(n *Node) *[]*Line { return &n.Lines }, "authored text, in play order"),
		source.Key("anchors", readable(anchorType()), func(n *Node) *[]*Anchor { return &n.Anchors }, "what NPCs are to say here"),
		source.Key("beats", readable(beatType()), func(n *Node) *[]*Beat { return &n.Beats }, "what may happen in talk"),
		source.Key("exits", readable(exitType()), func(n *Node) *[]*Exit { return &n.Exits }, "where it may lead"),
		source.Key("ending", endingType(), func(n *Node) **Ending { return &n.Ending }, "true, or a kind: the plot may stop here"),
		source.Key("allow", personas.AllowType(), func(n *Node) *[]personas.Allow { return &n.Allow }, "findings accepted here"),
	).Placed(func(n *Node) *source.Pos { return &n.Pos }).Checked(checkNode)
}

// checkNode wants `node` or `extend`, and of the latter only what can be added.
func checkNode(n *Node, v source.Value) {
	n.places = placesOf(v, "node", "was")
	extends := v.Has("extend")
	switch {
	case !extends && !v.Has("node"):
		v.Fault(source.CodeMissing, "node", "node")
	case extends && v.Has("node"):
		v.Field("extend").Fault(CodeExtendKey, "node")
	}
	if !extends {
		return
	}
	n.Pos = v.Field("extend").Pos()
	for _, key := range []string{"was", "title", "scene", "cast", "turns", "when", "on_enter", "tell", "anchors", "ending", "allow"} {
		if v.Has(key) {
			v.Field(key).Fault(CodeExtendKey, key)
		}
	}
}

func sceneType() source.Type[[]SceneTag] {
	return source.As(source.Map(source.ID(), personas.TextType()), func(entries []source.Entry[string, personas.Text]) []SceneTag {
		tags := make([]SceneTag, len(entries))
		for i, e := range entries {
			tags[i] = SceneTag{Key: e.Key, Value: e.Value}
		}
		return tags
	})
}

func memberType() source.Type[Member] {
	plain := source.As(source.ID(), func(id string) Member { return Member{NPC: id} })
	full := source.Object("member", "an NPC that may be present",
		source.Key("npc", source.ID(), func(m *Member) *string { return &m.NPC }, "id of a persona").Required(),
		source.Key("when", source.Condition(), func(m *Member) *source.Cond { return &m.When }, "present while this holds"),
		source.Key("goal", personas.TextType(), func(m *Member) *personas.Text { return &m.Goal }, "what the NPC is after here"),
	)
	return source.Either(plain, full).Checked(func(m *Member, v source.Value) {
		if m.Pos = v.Pos(); v.Has("npc") {
			m.Pos = v.Field("npc").Pos()
		}
	})
}

func endingType() source.Type[*Ending] {
	plain := source.As(source.Bool(), func(yes bool) *Ending {
		if !yes {
			return nil
		}
		return &Ending{}
	})
	full := source.Optional(source.Object("ending", "an ending of the plot",
		source.Key("kind", source.ID(), func(e *Ending) *string { return &e.Kind }, "good, bad, neutral, …").Required()))
	return source.Either(plain, full)
}

// effectType reads `x += 1`, or {do: x += 1, when: …}.
func effectType() source.Type[Effect] {
	plain := source.As(source.Assignment(), func(do source.Cond) Effect { return Effect{Do: do} })
	full := source.Object("effect", "an assignment to a state variable",
		source.Key("do", source.Assignment(), func(e *Effect) *source.Cond { return &e.Do }, "x = e, x += e or x -= e").Required(),
		source.Key("when", source.Condition(), func(e *Effect) *source.Cond { return &e.When }, "only while this holds"),
	)
	return source.Either(plain, full)
}

func tellType() source.Type[Tell] {
	return source.Object("tell", "an NPC learns of what it did not see",
		source.Key("to", source.ID(), func(t *Tell) *string { return &t.To }, "id of a persona").Required(),
		source.Key("what", source.Ref(), func(t *Tell) *string { return &t.What }, "node.beat, node.exit or npc.secret").Required(),
	).Placed(func(t *Tell) *source.Pos { return &t.Pos }).Checked(func(t *Tell, v source.Value) {
		t.places = placesOf(v, "to", "what")
	})
}
