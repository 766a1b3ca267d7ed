package plot

import (
	"fabula/personas"
	"fabula/personas/source"
)

func lineType() source.Type[*Line] {
	return source.Optional(source.Object("line", "authored text, played as it stands",
		source.Key("line", source.ID(), func(l *Line) *string { return &l.ID }, "id of the line").Required(),
		source.Key("was", personas.WasType(), func(l *Line) *[]string { return &l.Was }, "earlier ids"),
		source.Key("at", source.Ref(), func(l *Line) *string { return &l.At }, "enter, exit:ID or beat:ID").Default("enter"),
		source.Key("when", source.Condition(), func(l *Line) *source.Cond { return &l.When }, "played while this holds"),
		source.Key("by", source.ID(), func(l *Line) *string { return &l.By }, "persona that says it; without it, narration"),
		source.Key("text", personas.TextType(), func(l *Line) *personas.Text { return &l.Text }, "the text").Required(),
		source.Key("cues", idList(), func(l *Line) *[]placedID { return &l.cues }, "stage directions"),
		source.Key("status", source.OneOf("draft", "approved"), func(l *Line) *string { return &l.Status }, "draft or approved").Default("draft"),
	).Placed(func(l *Line) *source.Pos { return &l.Pos }).Checked(func(l *Line, v source.Value) {
		l.Cues = plainIDs(l.cues)
		l.places = placesOf(v, "line", "was", "at", "by")
	}))
}

func anchorType() source.Type[*Anchor] {
	return source.Optional(source.Object("anchor", "something an NPC is to say in a node",
		source.Key("id", source.ID(), func(a *Anchor) *string { return &a.ID }, "id of the anchor").Required(),
		source.Key("by", source.ID(), func(a *Anchor) *string { return &a.By }, "persona that is to say it").Required(),
		source.Key("say", personas.TextType(), func(a *Anchor) *personas.Text { return &a.Say }, "what to say, for the prompt"),
		source.Key("detect", detectType(), func(a *Anchor) *Detect { return &a.Detect }, "how it is noticed that it was said"),
		source.Key("when", source.Condition(), func(a *Anchor) *source.Cond { return &a.When }, "wanted while this holds"),
		source.Key("must", source.Bool(), func(a *Anchor) *bool { return &a.Must }, "a finding when it is never said").Default(false),
		source.Key("after", source.Whole(1, 1000), func(a *Anchor) *int { return &a.After }, "player turns without it after which `line` is spoken"),
		source.Key("line", personas.TextType(), func(a *Anchor) *personas.Text { return &a.Line }, "authored text spoken then"),
	).Placed(func(a *Anchor) *source.Pos { return &a.Pos }).Checked(func(a *Anchor, v source.Value) {
		a.places = placesOf(v, "id", "by")
		if v.Has("after") && a.Line.Empty() && !v.Has("line") {
			v.Field("after").Fault(source.CodeMissing, "line", "anchor")
		}
	}))
}

func detectType() source.Type[Detect] {
	return source.Object("detect", "which words count; keywords of all languages are tried together",
		source.Key("any", personas.GroupsType(), func(d *Detect) *[][]personas.Text { return &d.Any }, "one of these is enough"),
		source.Key("all", personas.GroupsType(), func(d *Detect) *[][]personas.Text { return &d.All }, "each is needed; a list in the list holds alternatives"),
		source.Key("none", personas.GroupsType(), func(d *Detect) *[][]personas.Text { return &d.None }, "none of these may occur"),
		source.Key("denied", source.Bool(), func(d *Detect) *bool { return &d.Denied }, "count words that are denied too: \"I did not find the herbs\"").Default(false),
		source.Key("asserted", source.Bool(), func(d *Detect) *bool { return &d.Asserted }, "words that are asked, supposed or quoted do not count; a beat is then left to the writer").Default(false),
		source.Key("intent", source.Optional(intentType()), func(d *Detect) **Intent { return &d.Intent }, "an act with its object, whatever the words"),
		source.Key("judge", personas.TextType(), func(d *Detect) *personas.Text { return &d.Judge }, "what must have happened, for a judging model"),
	).Placed(func(d *Detect) *source.Pos { return &d.Pos })
}

func intentType() source.Type[Intent] {
	return source.Object("intent", "an act with its object",
		source.Key("act", source.OneOf(Acts()...), func(i *Intent) *string { return &i.Act }, "what is done by saying it").Required(),
		source.Key("object", personas.KeywordsType(), func(i *Intent) *[]personas.Text { return &i.Object }, "words for what it is about, one is enough"),
		source.Key("target", personas.KeywordsType(), func(i *Intent) *[]personas.Text { return &i.Target }, "words for whom it concerns, one is enough"),
	)
}

func beatType() source.Type[*Beat] {
	return source.Optional(source.Object("beat", "something that happens in talk and changes the state",
		source.Key("beat", source.ID(), func(b *Beat) *string { return &b.ID }, "id of the beat").Required(),
		source.Key("was", personas.WasType(), func(b *Beat) *[]string { return &b.Was }, "earlier ids"),
		source.Key("when", source.Condition(), func(b *Beat) *source.Cond { return &b.When }, "can happen while this holds"),
		source.Key("detect", detectType(), func(b *Beat) *Detect { return &b.Detect }, "which words make it happen; without it, `when` alone"),
		source.Key("speaker", source.ID(), func(b *Beat) *string { return &b.Speaker }, "who says it: player, npc, any or a persona").Default("player"),
		source.Key("effects", source.List(effectType()), func(b *Beat) *[]Effect { return &b.Effects }, "what it changes"),
		source.Key("once", source.Bool(), func(b *Beat) *bool { return &b.Once }, "at most once on a path, else once a turn").Default(false),
		source.Key("irreversible", source.Bool(), func(b *Beat) *bool { return &b.Irreversible }, "cannot be taken back").Default(false),
		source.Key("remember", rememberType(), func(b *Beat) **Remember { return &b.Remember }, "the memory it leaves"),
		source.Key("tell", source.List(tellType()), func(b *Beat) *[]Tell { return &b.Tell }, "who else learns of what"),
		source.Key("examples", examplesType(), func(b *Beat) *examples { return &b.examples }, "sentences that make it happen, and near misses"),
		source.Key("allow", personas.AllowType(), func(b *Beat) *[]personas.Allow { return &b.Allow }, "findings accepted here"),
	).Placed(func(b *Beat) *source.Pos { return &b.Pos }).Checked(func(b *Beat, v source.Value) {
		b.Fires, b.Not, b.Like = b.examples.fires, b.examples.not, b.examples.like
		b.places = placesOf(v, "beat", "was", "speaker")
	}))
}

func rememberType() source.Type[*Remember] {
	return source.Optional(source.Object("remember", "a memory left with NPCs",
		source.Key("by", idList(), func(r *Remember) *[]placedID { return &r.by }, "personas that keep it").Required(),
		source.Key("text", personas.TextType(), func(r *Remember) *personas.Text { return &r.Text }, "the memory").Required(),
	).Checked(func(r *Remember, _ source.Value) { r.By = plainIDs(r.by) }))
}

type examples struct {
	fires, not []personas.Text
	like       float64
}

func examplesType() source.Type[examples] {
	return source.Object("examples", "sentences to try a beat with",
		source.Key("fires", personas.TextsType(), func(e *examples) *[]personas.Text { return &e.fires }, "must make it happen"),
		source.Key("not", personas.TextsType(), func(e *examples) *[]personas.Text { return &e.not }, "must not"),
		source.Key("like", source.Number(0, 1), func(e *examples) *float64 { return &e.like }, "how alike to one that makes it happen is enough, 0 to 1; without it, likeness only asks the writer").Example(0.7),
	)
}

func exitType() source.Type[*Exit] {
	return source.Optional(source.Object("exit", "a way on from a node, or an option that stays",
		source.Key("exit", source.ID(), func(e *Exit) *string { return &e.ID }, "id of the exit; without it, that of `to`"),
		source.Key("was", personas.WasType(), func(e *Exit) *[]string { return &e.Was }, "earlier ids"),
		source.Key("to", source.ID(), func(e *Exit) *string { return &e.To }, "node it leads to"),
		source.Key("stay", source.Bool(), func(e *Exit) *bool { return &e.Stay }, "instead of `to`: nothing is entered").Default(false),
		source.Key("auto", source.Bool(), func(e *Exit) *bool { return &e.Auto }, "taken by itself after a reply").Default(false),
		source.Key("otherwise", source.Bool(), func(e *Exit) *bool { return &e.Otherwise }, "offered only when no other exit is open").Default(false),
		source.Key("when", source.Condition(), func(e *Exit) *source.Cond { return &e.When }, "open while this holds"),
		source.Key("choice", personas.TextType(), func(e *Exit) *personas.Text { return &e.Choice }, "how it is offered"),
		source.Key("said", source.Optional(detectType()), func(e *Exit) **Detect { return &e.Said }, "taken by saying this"),
		source.Key("confirm", confirmType(), func(e *Exit) **Confirm { return &e.Confirm }, "asked before a spoken exit is taken"),
		source.Key("effects", source.List(effectType()), func(e *Exit) *[]Effect { return &e.Effects }, "what it changes"),
		source.Key("tell", source.List(tellType()), func(e *Exit) *[]Tell { return &e.Tell }, "who else learns of what"),
		source.Key("allow", personas.AllowType(), func(e *Exit) *[]personas.Allow { return &e.Allow }, "findings accepted here"),
	).Placed(func(e *Exit) *source.Pos { return &e.Pos }).Checked(checkExit))
}

// checkExit gives an exit without id that of its target.
func checkExit(e *Exit, v source.Value) {
	e.places = placesOf(v, "exit", "was", "to", "stay", "otherwise")
	if v.Has("exit") {
		return
	}
	if e.ID = e.To; e.Stay {
		v.Fault(source.CodeMissing, "exit", "exit")
	}
}

func confirmType() source.Type[*Confirm] {
	return source.Optional(source.Object("confirm", "a question before a spoken exit",
		source.Key("by", source.ID(), func(c *Confirm) *string { return &c.By }, "persona that asks; without it, narration"),
		source.Key("text", personas.TextType(), func(c *Confirm) *personas.Text { return &c.Text }, "the question").Required(),
	).Checked(func(c *Confirm, v source.Value) { c.places = placesOf(v, "by") }))
}
