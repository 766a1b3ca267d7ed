package facts

import (
	"fmt"

	"golang.org/x/text/language"

	"fabula/personas"
)

// fact is something that can be told and asked for.
type fact struct {
	told, again string // what the player says; and later, otherwise
	asks        string
	key, newKey string // the words that answer the question, which is without them
	herbs       bool
}

// chineseIn reports whether a language is Chinese.
func chineseIn(lang string) bool {
	base, _ := language.Make(lang).Base()
	return base.String() == "zh"
}

// factsIn are things that were hidden, each somewhere: what no world has written.
func factsIn(lang string) []fact {
	things := []string{"jade comb", "bronze bell", "salt ledger", "bone whistle", "red kite", "tin flute", "amber ring", "horn spoon", "wax seal", "felt boot",
		"oak die", "reed basket", "glass bead", "iron nail", "clay ocarina", "silk purse", "copper ladle", "straw doll", "pewter cup", "wool mitten", "slate pencil", "cork float"}
	places := []string{"third willow", "broken millstone", "empty beehive", "rain barrel", "weir stone", "goat shed", "toll gate", "dry well", "split birch", "brick kiln",
		"ferry post", "hay wagon", "salt cellar", "dove loft", "ash heap", "mill sluice", "rope walk", "lime pit", "cider press", "peat stack", "sheep dip", "tan yard"}
	moved := []string{"sundial", "gallows oak"}
	told, again, asks := "Mark this: I hid the %s under the %s.", "I moved the %s since: it lies under the %s now.", "Where did I hide the %s?"
	if chineseIn(lang) {
		things = []string{"玉梳", "铜铃", "账簿", "骨哨", "红纸鸢", "锡笛", "琥珀戒", "角匙", "蜡印", "毡靴", "骰子", "芦篮", "琉璃珠", "铁钉", "陶埙", "绸袋", "铜勺", "草人", "锡杯", "羊毛手套", "石笔", "浮子"}
		places = []string{"第三棵柳树", "破磨盘", "空蜂箱", "接雨的缸", "堰石", "羊圈", "关卡", "枯井", "裂桦树", "砖窑", "渡口木桩", "草料车", "盐窖", "鸽楼", "灰堆", "水闸", "绳坊", "石灰坑", "榨酒架", "泥炭垛", "洗羊池", "皮坊"}
		moved = []string{"日晷", "吊桥墩"}
		told, again, asks = "记住：我把%s藏在%s底下了。", "%s我挪了地方：现在在%s底下。", "我把%s藏在哪儿了？"
	}
	out := make([]fact, len(things))
	for i, thing := range things {
		next := moved[i%len(moved)]
		out[i] = fact{told: fmt.Sprintf(told, thing, places[i]), again: fmt.Sprintf(again, thing, next), asks: fmt.Sprintf(asks, thing), key: places[i], newKey: next}
	}
	return out
}

// herbs is the case of the herbs: did the player help to find them?
func herbs(lang string) fact {
	if chineseIn(lang) {
		return fact{told: "我在北坡替你采到了草药，一共十二捆月见草。", asks: "我帮你采过草药，你还记得吗？", key: "月见草", herbs: true}
	}
	return fact{told: "I found the herbs for you on the north slope: twelve bundles of moonwort.", asks: "Do you remember how I helped you with the herbs?", key: "moonwort", herbs: true}
}

// from gives the case of the herbs with other herbs, so that what was told here is
// told apart from what was told elsewhere.
func (f fact) from(n int) fact {
	if f.key == "月见草" {
		other := []string{"", "龙须根", "雪里青"}[n]
		return fact{told: "我在南坡采到了草药，一共九捆" + other + "。", asks: f.asks, key: other, herbs: true}
	}
	other := []string{"", "adderroot", "frostbane"}[n]
	return fact{told: "I found the herbs on the south slope: nine bundles of " + other + ".", asks: f.asks, key: other, herbs: true}
}

// small is talk out of the world's own samples: what players say there.
func small(all []*personas.Persona, lang string) []string {
	var out []string
	for _, p := range all {
		for _, s := range p.Samples {
			if text := s.Player.In(lang); text != "" {
				out = append(out, text)
			}
		}
	}
	if len(out) == 0 {
		out = []string{"Well?", "It rains.", "And then?"}
	}
	return out
}
