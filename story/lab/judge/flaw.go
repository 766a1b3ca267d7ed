package judge

// Flaw is something that can be wrong with a reply.
type Flaw struct {
	Code     string `json:"code"`
	Severity int    `json:"severity"` // 1 (a blemish) to 5 (breaks the character)
}

// The codes of flaws: a closed list, so that batches can be compared.
const (
	OutOfVoice    = "out_of_voice"
	Modern        = "modern"
	MachineTalk   = "machine_talk"
	TraitFlip     = "trait_flip"
	AgreesEasily  = "agrees_easily"
	Lectures      = "lectures"
	NamesFeelings = "names_feelings"
	KnowsTooMuch  = "knows_too_much"
	IgnoresPlayer = "ignores_player"
	ActsForPlayer = "acts_for_player"
)

// Flaws lists all of them, the gravest first.
func Flaws() []Flaw {
	return []Flaw{{MachineTalk, 5}, {KnowsTooMuch, 5}, {Modern, 4}, {TraitFlip, 4}, {OutOfVoice, 3}, {ActsForPlayer, 3},
		{IgnoresPlayer, 3}, {AgreesEasily, 2}, {Lectures, 2}, {NamesFeelings, 1}}
}

// Codes lists the codes of the flaws.
func Codes() []string {
	var out []string
	for _, f := range Flaws() {
		out = append(out, f.Code)
	}
	return out
}
