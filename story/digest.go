package story

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"fabula/engine"
	"fabula/personas"
	"fabula/personas/lint"
	"fabula/story/memory"
	"fabula/story/plot"
)

const (
	// mostDigested bounds the segments that one turn has summed up by a model.
	mostDigested = 4
	// digestWithin is how long a model may take for one.
	digestWithin = 2 * time.Minute
	// digestTokens is the length of a summary, in tokens.
	digestTokens = 120
)

// digesting is what the background work claims: one summary at a time.
const digesting ID = "digest"

// trusted reports whether a model may sum up what was said: one that writes
// itself. A small one would put into the past what never happened.
func trusted(info engine.Info) bool {
	switch {
	case info.Toy:
		return false
	case info.Kind == engine.Remote:
		return info.Parameters == 0 || info.Parameters >= SmallModel
	}
	return (info.Kind == engine.GGUF || info.Kind == engine.TensorRT) && info.Parameters >= SmallModel
}

// sumUpLater has the model that gave a reply sum up the segments behind it which
// nobody did yet. It works in the background, after everything that a person
// waits for; until a summary is stored the turns' own words stand in.
func (s *Session) sumUpLater(p plan, step Step) {
	r := step.Alternative.Reply
	if r == nil || !trusted(r.Engine) || p.sandbox || s.claim(nil, digesting) != nil {
		return
	}
	go func() {
		defer s.release(digesting)
		_ = s.shielded(func() error {
			if _, err := s.sumUpPath(s.work, p, step.Alternative.ID, step.Alternative.Speaker, r.Engine.Name, mostDigested); err != nil && s.work.Err() == nil {
				s.log.Warn("past not summed up", "engine", r.Engine.Name, "error", err)
			}
			return nil
		})
	}()
}

// sumUpPath has a model sum up at most n segments of the path to an alternative,
// as an NPC lived through them, the oldest first, and gives how many it did.
func (s *Session) sumUpPath(ctx context.Context, p plan, leaf ID, npc, engineName string, n int) (int, error) {
	persona := p.script.Persona(npc)
	path, err := s.path(leaf)
	if err != nil || persona == nil {
		return 0, err
	}
	a := asking{persona: persona, lang: persona.Language(p.lang)}
	a.moments = moments(p.script, path, npc)
	done := 0
	for _, seg := range memory.Divide(lived(p.script, &a), a.lang) {
		if !seg.Closed || done == n {
			break
		}
		if _, made, err := s.reader.Summary(seg.Hash); made || err != nil {
			if err != nil {
				return done, err
			}
			continue
		}
		for rung := range s.rungs(&a, engineName) {
			if !trusted(rung.Engine.Info()) {
				return done, nil
			}
			sum, err := s.told(ctx, p.script, &a, rung, seg)
			if err != nil {
				return done, err
			}
			if err := s.store.PutSummary(sum); err != nil {
				return done, err
			}
			done++
			break
		}
	}
	return done, nil
}

// told asks a model for the summary of a segment. Turns that hold the words of a
// secret, anybody's, are not put to it: it would word them otherwise, and the
// lock knows a secret by its words. They are quoted instead.
func (s *Session) told(ctx context.Context, script *plot.Script, a *asking, rung engine.Rung, seg memory.Segment) (memory.Summary, error) {
	names := namesIn(script, a.lang)
	var all []personas.Secret
	for _, p := range script.Personas {
		all = append(all, p.Secrets...)
	}
	secrets := lint.NewWatch(all)
	open := slices.DeleteFunc(slices.Clone(seg.Turns), func(t memory.Heard) bool { return len(secrets.Told(talk(t))) > 0 })
	quoted := slices.DeleteFunc(slices.Clone(seg.Turns), func(t memory.Heard) bool { return len(secrets.Told(talk(t))) == 0 })
	sum := memory.Summary{Hash: seg.Hash, By: rung.Engine.Info().Name}
	for _, t := range seg.Turns {
		sum.Of = append(sum.Of, t.Alternative)
	}
	if len(open) > 0 {
		text, err := s.digested(ctx, a, rung, open)
		if err != nil {
			return sum, err
		}
		sum.Points = memory.Founded(text, open, names)
	}
	if len(sum.Points) > 0 {
		sum.Points = append(sum.Points, memory.Extract(quoted, names)...)
	}
	return sum, nil
}

func talk(t memory.Heard) string {
	var b strings.Builder
	for _, u := range t.Said {
		if u.Name != "" {
			b.WriteString(u.Name + ": ")
		}
		b.WriteString(u.Text + "\n")
	}
	for _, what := range t.Happened {
		b.WriteString(what + "\n")
	}
	return b.String()
}

// digested asks a rung for a summary, in the background.
func (s *Session) digested(ctx context.Context, a *asking, rung engine.Rung, turns []memory.Heard) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, digestWithin)
	defer cancel()
	ask := "Sum up what was said, in at most three short sentences, in %s, in the past tense and the third person. Keep names and numbers. Add nothing.\n\n%s"
	name := a.lang
	if wideScript(a.lang) {
		ask, name = "用%s把下面说的话概括成至多三个短句，用第三人称。保留人名和数目，不要添加。\n\n%s", "中文"
	}
	var text strings.Builder
	for _, t := range turns {
		text.WriteString(talk(t))
	}
	stream, err := rung.Generate(ctx, engine.Request{
		Messages: []engine.Message{{Role: engine.User, Parts: []string{fmt.Sprintf(ask, name, text.String())}}},
		Language: a.lang, Sampling: engine.Sampling{MaxTokens: digestTokens}, Priority: engine.Background})
	if err != nil {
		return "", err
	}
	return gather(stream)
}

// gather reads a whole reply.
func gather(stream engine.Stream) (string, error) {
	var b strings.Builder
	for {
		ev, err := stream.Next()
		if err == io.EOF {
			return "", io.ErrUnexpectedEOF
		}
		if err != nil {
			return "", err
		}
		switch ev := ev.(type) {
		case engine.Token:
			b.WriteString(ev.Text)
		case engine.Done:
			b.WriteString(ev.Tail)
			if ev.Reason != engine.Stop && ev.Reason != engine.Length {
				return "", fmt.Errorf("summary: %w", doneErr(ev))
			}
			return b.String(), nil
		}
	}
}
