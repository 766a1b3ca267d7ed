package lint

import (
	"regexp"

	"golang.org/x/text/language"
)

// agency finds deeds, words and feelings that a reply lays into the player: who
// plays decides those. Questions, suppositions, commands and what the player
// may do are left alone.
func agency(in *reading) []Finding {
	base, _ := language.Make(in.Language).Base()
	var deeds, may *regexp.Regexp
	switch base.String() {
	case "zh":
		deeds, may = deedsZH(), mayZH()
	case "en":
		deeds, may = deedsEN(), mayEN()
	default:
		return nil
	}
	text := in.unquoted()
	var out []Finding
	for _, m := range deeds.FindAllStringIndex(text, -1) {
		if clause := clauseBefore(text, m[0]); !may.MatchString(clause) && !asked(text, m[1]) {
			out = append(out, warn(CodeAgency, [2]int{m[0], m[1]}, in.Text[m[0]:m[1]]))
		}
	}
	return out
}

var (
	deedsEN = pattern(`(?i)\b(?:you|the player|the traveller|the traveler|the stranger) (?:(?:slowly|quickly|quietly|softly|then|suddenly|gently|carefully|nervously|reluctantly|silently|both) )?(?:nods?|smiles?|sighs?|laughs?|shrugs?|frowns?|blush(?:es)?|gasps?|shivers?|trembles?|hesitates?|swallows?|kneels?|bows?|whispers?|mutters?|decides? to|reali[sz]es?|steps? (?:forward|back|closer|inside|toward)|walks? (?:over|up|away|to the|toward|closer)|turns? (?:and|around|to leave|away)|reach(?:es)? (?:for|out|into)|draws? your|grabs? (?:the|your|his|her)|picks? up the|sits? down (?:beside|at|on|and)|stands? up|hands? (?:him|her|me|over) (?:the|your|a)|follows? (?:him|her|me) (?:in|up|out|through|down)|feels? (?:a|an|the|your|something|cold|warm|afraid|relieved|strangely)|takes? (?:a step|a deep breath|the (?:cup|key|coin|lantern|silver|bun))|close your eyes|open the door and|find yourself|can't help but|looks? (?:out|up|down|around|away|back) (?:at|of|the|to)|thinks? of (?:home|your)|(?:begin|start)s? to (?:run|cry|walk|laugh|shiver|tremble))\b|\b(?:down|through|in|on) your (?:spine|heart|chest|stomach|veins|neck)\b|\byour (?:heart|hands?|knees|breath|blood|eyes) (?:pounds?|races?|trembles?|shakes?|sinks?|catch(?:es)?|widens?|freezes?)\b|\*(?:the )?(?:player|traveller|traveler|stranger|you) [a-z]+s?\b`)
	mayEN   = pattern(`(?i)\b(?:if|when|whenever|once|should|would|could|can|may|might|must|will|do|did|does|don't|didn't|why|how|what|who|where|before|until|till|unless|let|that|as|saw|see|watch|watched|make|made|than|because|while|after|so)\s*$|\b(?:if|when|whenever|once|unless|until)\b[^,]*$|\bnot\b[^,]*$`)
	deedsZH = pattern(`(?:你|您|客官|玩家)(?:缓缓|慢慢|轻轻|默默|不由得|不由自主地|情不自禁地|忍不住|微微|连忙|赶紧|突然|猛地|终于|也|又|便|于是)*(?:点了?点头|笑了笑|笑了起来|叹了?(?:一)?口气|摇了?摇头|皱(?:了皱|起了?)眉|转过身|拔出|走(?:向|进了|上前|到)|站起(?:了)?身|坐了下来|坐下来|伸(?:出)?手(?:接|拿|去)|接过了?|感到(?:一|很|有)|感觉到|觉得一(?:阵|股)|心(?:里|中)一(?:紧|动|惊|沉)|愣(?:住了|了一下)|沉默了|低下了?头|闭上了?(?:眼|双眼)|说道|答道|回答道|决定|打了个寒(?:战|颤)|倒吸了?一口|脸(?:一|都)红了?|后退了(?:一步|两步|几步)|推开了?门|拿起了?(?:灯|茶|碗|银子|馒头|钥匙)|(?:看|望|盯)着(?:窗|远|雨|天|火|那|他|她|地)|想起(?:了)?(?:故乡|往事|家|从前|小时)|跟(?:着|在)(?:在下|我|他|她)[^，。！？]{0,6}(?:走|上|下|进|出))`)
	mayZH   = pattern(`如果|要是|若|等|让|请|叫|为什么|何必|别|不要|怎么|是不是|能不能|可以|应该|当|只要|只有|除非|看见|看到|见|听|替|比|像|哪怕|就算|待`)
)

// clauseBefore is the clause that leads to byte at.
func clauseBefore(text string, at int) string {
	from := 0
	for i, r := range text[:at] {
		switch r {
		case ',', '.', '!', '?', ';', ':', '\n', '*', '(', '，', '。', '！', '？', '；', '：', '（':
			from = i + len(string(r))
		}
	}
	return text[from:at]
}
