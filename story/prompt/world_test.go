package prompt_test

import (
	"testing"

	"fabula/personas"
	"fabula/personas/source"
	"fabula/story/plot"
)

// both is a text in two languages.
func both(zh, en string) personas.Text {
	return personas.Text{By: map[string]string{"zh": zh, "en": en}}
}

func plain(s string) personas.Text { return personas.Text{Plain: s} }

func cond(src string) source.Cond { return source.Cond{Src: src} }

// ferry is a world in which everything that can enter a prompt occurs.
func ferry(t testing.TB) *plot.Script {
	t.Helper()
	s := &plot.Script{
		ID: "salt_ferry", Title: both("盐渡", "Salt Ferry"), Era: both("宋", "Song dynasty"), Languages: []string{"zh", "en"},
		Player: plot.Player{Name: both("客官", "Kesang"), Brief: both("一个迷了路的旅人", "a traveller who lost the road")},
		Clock:  &plot.Clock{Var: "day", Start: "autumn"},
		Vars: []*plot.Variable{
			{ID: "day", Kind: plot.Int, Max: 800, Default: plot.IntValue(0)},
			{ID: "weather", Kind: plot.Enum, Values: []string{"clear", "rain"}, Default: plot.EnumValue("rain")},
			{ID: "sold_adu", Kind: plot.Bool, KnownTo: []string{"qin"}, Words: []plot.Word{
				{When: cond("sold_adu"), Text: both("客官供出了阿渡", "the traveller sold Adu")}}},
			{ID: "trust", Kind: plot.Int, Max: 5, Default: plot.IntValue(0), Words: []plot.Word{
				{When: cond("trust >= 2"), Text: both("客官信得过", "the traveller can be trusted")}}},
		},
		Start: "landing", Taboo: []personas.Text{plain("手机"), plain("OK")},
		Cues:     plot.Cues{Emotion: []string{"calm"}, Action: []string{"nod", "sigh"}, Environment: []string{"sky_darkens"}},
		Personas: []*personas.Persona{adu(), qin()},
		Lore: []*personas.Lore{
			{ID: "river", Text: both("河叫沁水", "the river is called Qin Water"), Constant: true},
			{ID: "shrine", Keys: []personas.Text{both("庙", "shrine")}, Text: both("庙在上游，十年没有香火", "the shrine is upstream and has had no incense for ten years")},
			{ID: "tax", Keys: []personas.Text{both("税", "tax")}, Text: both("盐税加了三回", "the salt tax was raised three times"), Priority: 5},
			{ID: "yamen", Keys: []personas.Text{both("税", "tax")}, Text: both("衙门的事", "yamen matters"), KnownTo: []string{"qin"}},
		},
		Nodes: []*plot.Node{landing(), yamen()},
	}
	if faults := plot.Compile(s); len(faults) > 0 {
		t.Fatalf("the test world does not compile: %+v", faults)
	}
	return s
}

func adu() *personas.Persona {
	return &personas.Persona{
		ID: "adu", Name: both("阿渡", "Adu"), Brief: both("谁也不欠的船夫", "the ferryman who owes no one"),
		Voice:     both("句子短。说谎时看水。", "Short sentences. Looks at the water when he lies."),
		Traits:    []personas.Text{both("寡言", "taciturn"), both("傲", "proud")},
		Backstory: both("弟弟咳了三年。", "His brother has coughed for three years."),
		Goals:     []personas.Conditional{{Text: both("让弟弟活下去", "keep his brother alive")}, {Text: both("查出是谁出卖了他", "find out who sold him"), When: cond("sold_adu")}},
		Knows:     []personas.Conditional{{Text: both("天黑停渡", "the ferry stops at dusk")}},
		Secrets: []personas.Secret{{
			ID: "salt_cellar", Text: both("盐在庙下的地窖里。", "The salt is in the cellar under the shrine."), Unlock: cond(`beat("landing.gives_herbs")`),
			Aliases: []personas.Text{plain("盐在地窖"), plain("salt cellar")}, Cover: both("庙里？庙里只有灰。", "The shrine? Nothing but ash."),
		}},
		Taboo: []personas.Text{plain("phone")}, Self: []personas.Text{plain("俺")},
		Address: map[string]personas.Text{"player": both("外乡人", "stranger")},
		Samples: []personas.Sample{
			{Player: both("过河吗？", "Will you cross?"), Reply: both("看水。", "Look at the water.")},
			{Player: both("多少钱？", "How much?"), Reply: both("三文。", "Three coins.")},
			{Player: both("盐在哪？", "Where is the salt?"), Reply: both("不知道。", "Don't know."), When: cond(`not beat("landing.gives_herbs")`)},
			{Reply: both("嗯。", "Hm.")},
		},
		Words: 40, Greeting: both("上船？", "Boat?"),
	}
}

func qin() *personas.Persona {
	return &personas.Persona{
		ID: "qin", Name: both("秦", "Qin"), Brief: both("盐官", "a salt officer"),
		Secrets: []personas.Secret{{ID: "bribe", Text: both("他收过银子。", "He took silver."), Unlock: cond("false"), Aliases: []personas.Text{plain("silver under the desk")}}},
	}
}

func landing() *plot.Node {
	return &plot.Node{
		ID: "landing", Title: both("渡口", "The landing"),
		Scene: []plot.SceneTag{{Key: "place", Value: both("渡口", "landing")}, {Key: "weather", Value: plain("{weather}")}, {Key: "smell", Value: both("柴烟", "woodsmoke")}},
		Cast:  []plot.Member{{NPC: "adu", Goal: both("别让他提起盐", "keep him off the salt")}, {NPC: "qin", When: cond("trust > 0")}},
		Lines: []*plot.Line{
			{ID: "asks", At: "enter", By: "adu", Text: both("要三钱柴胡，{player}。", "Three qian of herbs, {player}."), When: cond("visits == 1")},
			{ID: "fog", At: "enter", Text: both("雾起了。", "Fog rises.")},
			{ID: "thanks", At: "beat:gives_herbs", By: "adu", Text: both("记下了。", "I'll remember.")},
			{ID: "bye", At: "exit:to_yamen", By: "adu", Text: both("慢走。", "Go slowly.")},
		},
		Anchors: []*plot.Anchor{{
			ID: "brother", By: "adu", Say: both("他弟弟病了", "his brother is ill"), After: 3, Line: both("俺弟弟病了。", "My brother is ill."),
			Detect: plot.Detect{Any: [][]personas.Text{{both("弟弟", "brother")}}},
		}},
		Beats: []*plot.Beat{{
			ID: "gives_herbs", Speaker: "player", Once: true, Detect: plot.Detect{Any: [][]personas.Text{{both("柴胡给你", "here are the herbs")}}},
			Remember: &plot.Remember{By: []string{"adu"}, Text: both("客官替他弟弟抓过药", "the traveller fetched herbs for his brother")},
		}},
		Exits: []*plot.Exit{{ID: "to_yamen", To: "yamen", Choice: both("去衙门", "To the yamen")}},
	}
}

func yamen() *plot.Node {
	return &plot.Node{ID: "yamen", Title: both("衙门", "The yamen"), Cast: []plot.Member{{NPC: "qin"}}, Ending: &plot.Ending{}}
}
