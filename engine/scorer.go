package engine

import "context"

// MostScored is the most alternatives of a ScoredToken.
const MostScored = 1024

// Scorer is implemented by engines that own a model: they tell how likely
// given texts are. The model reads them, it chooses nothing (teacher forcing).
type Scorer interface {
	// Score gives one Scored per text, in order. What the texts share is
	// computed once and kept for the next request. Cancelling ctx stops it;
	// the error is then that of ctx. An error of ErrTooLong means that prompt
	// and longest text do not fit the window.
	Score(ctx context.Context, r ScoreRequest) ([]Scored, error)
}

// ScoreRequest asks how likely texts are after a prompt.
type ScoreRequest struct {
	// Messages are the chat before the texts; each text is scored as the
	// beginning of the reply. Without messages a text stands by itself: its
	// first token is scored after the model's token of beginning, and where the
	// model has none it is not scored (Scored.Skipped).
	Messages []Message `json:"messages,omitempty"`
	Texts    []string  `json:"texts"`
	// First scores only so many tokens at the beginning of each text, and no end;
	// 0 = all. One costs nothing beside the prompt: it tells which token a word
	// begins with.
	First int `json:"first,omitempty"`
	// End scores the end of the turn after each text too, as a last token.
	End bool `json:"end,omitempty"`
	// Top alternatives are given per token, 0..MostScored.
	Top int `json:"top,omitempty"`
	// Rows asks for the whole distribution per token: 4 bytes a word of the
	// vocabulary, so texts are to be short.
	Rows     bool     `json:"rows,omitempty"`
	Priority Priority `json:"priority,omitempty"`
}

// Scored is one text as a model reads it.
type Scored struct {
	Tokens []ScoredToken `json:"tokens"`
	// Skipped counts tokens at the beginning that nothing stands before.
	Skipped int `json:"skipped,omitempty"`
	// Computed and Reused count the tokens of prompt and text that were run
	// through the model for it, and those that were found.
	Computed int `json:"computed"`
	Reused   int `json:"reused"`
}

// Logprob is the sum over the tokens: the natural logarithm of the text's
// probability.
func (s Scored) Logprob() float64 {
	sum := 0.0
	for _, t := range s.Tokens {
		sum += t.Logprob
	}
	return sum
}

// ScoredToken is one token of a text with its probability where it stands.
type ScoredToken struct {
	ID      int32   `json:"id"`
	Text    string  `json:"text"`
	Logprob float64 `json:"logprob"` // natural logarithm, of the whole vocabulary, temperature 1
	// Top are the likeliest tokens here, best first.
	Top []TopToken `json:"top,omitempty"`
	// Row holds the log-probabilities of the whole vocabulary [Vocab].
	Row []float32 `json:"-"`
}

// Odds tell how a line was chosen among candidates. An engine that says only
// given lines sends them once, before the first token.
type Odds struct {
	Lines []Odd `json:"lines"` // likeliest first
	Said  int   `json:"said"`  // index of the line that is said: a seed may take another than the likeliest
}

// Odd is one candidate of a choice.
type Odd struct {
	ID   string  `json:"id"` // of the candidate
	Text string  `json:"text"`
	P    float64 `json:"p"` // share of the choice, all sum to 1
	// Recall is the score of the words alone, with the author's prior; Model is
	// what the model adds to it. P goes with the exponential of their sum.
	Recall float64 `json:"recall"`
	Model  float64 `json:"model"`
}

func (Odds) event() {}
