package worker_test

import (
	"errors"
	"fmt"
	"math"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"fabula/engine"
	"fabula/engine/worker"
)

// fake is a model whose tokens are bytes. It says what follows "say:" in the
// last message, then ends its turn; "crash!" in the reply ends the process when
// it gets there, "hang!" makes it deaf, "broken!" fails, and after "hold!" it waits to
// be stopped. It checks that the sequences it is given are what it holds.
type fake struct {
	seqs   [][]int32
	delay  time.Duration
	load   url.Values
	abort  atomic.Bool
	window int
}

const (
	open  = 256 // <|im_start|>
	shut  = 257 // <|im_end|>
	vocab = 258
)

const chatML = `{% for m in messages %}<|im_start|>{{ m.role }}
{{ m.content }}<|im_end|>
{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant
{% endif %}`

// openFake reads its behaviour from the query part of the model's name.
func openFake(l worker.Load, progress func(float64)) (worker.Backend, error) {
	_, query, _ := strings.Cut(l.Model, "?")
	q, err := url.ParseQuery(query)
	if err != nil {
		return nil, err
	}
	switch q.Get("load") {
	case "refuse":
		return nil, fmt.Errorf("model: %w: made for something else", engine.ErrIncompatible)
	case "crash":
		os.Exit(7)
	}
	progress(0.5)
	fmt.Println("noise on standard output") // as native code does
	f := &fake{load: q, window: 2048, seqs: make([][]int32, 4)}
	if n, err := strconv.Atoi(q.Get("seqs")); err == nil {
		f.seqs = make([][]int32, n)
	}
	if f.delay, err = time.ParseDuration("0" + q.Get("delay")); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *fake) Facts() worker.Facts {
	return worker.Facts{
		Context: f.window, Vocab: vocab, Sequences: len(f.seqs), Rewind: f.load.Get("rewind") != "no", Chunk: 16,
		Batch: len(f.seqs), Neighbours: true, Memory: int64(len(f.seqs) * f.window),
		Template: chatML, BOS: "<|im_start|>", EOS: "<|im_end|>", First: -1, Banned: []int32{open},
		Model: "fake", BaseHash: "00", Precision: "F0", Runtime: "fake", Threads: 1,
	}
}

func (f *fake) Tokens(text string, control bool) ([]int32, error) {
	var ids []int32
	for text != "" {
		switch {
		case control && strings.HasPrefix(text, "<|im_start|>"):
			ids, text = append(ids, open), text[len("<|im_start|>"):]
		case control && strings.HasPrefix(text, "<|im_end|>"):
			ids, text = append(ids, shut), text[len("<|im_end|>"):]
		default:
			ids, text = append(ids, int32(text[0])), text[1:]
		}
	}
	return ids, nil
}

func (f *fake) Piece(id int32) []byte {
	if id > 255 {
		return nil
	}
	return []byte{byte(id)}
}

func (f *fake) Name(id int32) string { return fmt.Sprint("#", id) }
func (f *fake) Ends(id int32) bool   { return id == shut }

func (f *fake) Decode(runs []worker.Run) ([]worker.Scores, error) {
	if err := f.check(runs); err != nil {
		return nil, err
	}
	if !f.passed(runs) {
		return nil, worker.ErrAborted
	}
	held := slices.ContainsFunc(runs, func(r worker.Run) bool { return strings.HasSuffix(f.text(r), "hold!") })
	for end := time.Now().Add(f.delay); held || time.Now().Before(end); time.Sleep(100 * time.Microsecond) {
		if f.abort.Load() {
			return nil, worker.ErrAborted
		}
	}
	var scores []worker.Scores
	for _, r := range runs {
		for k, id := range r.IDs {
			f.seqs[r.Seq] = append(f.seqs[r.Seq], id)
			if k < len(r.IDs)-r.Want {
				continue
			}
			logits := make([]float32, vocab)
			logits[f.next(f.seqs[r.Seq])] = 30
			scores = append(scores, f.scores(logits, r.Best))
		}
	}
	return scores, nil
}

// scores gives the best logits where the model is opened with "best" and they do.
func (f *fake) scores(logits []float32, best int) worker.Scores {
	if best == 0 || best > vocab || f.load.Get("best") == "" {
		return worker.Scores{Logits: logits}
	}
	s := worker.Scores{}
	for id := range logits {
		if logits[id] > 0 {
			s.IDs = append([]int32{int32(id)}, s.IDs...)
		} else {
			s.IDs = append(s.IDs, int32(id))
		}
		s.LogSum += math.Exp(float64(logits[id]))
	}
	s.LogSum = math.Log(s.LogSum)
	s.IDs = s.IDs[:best]
	for _, id := range s.IDs {
		s.Logits = append(s.Logits, logits[id])
	}
	return s
}

// check refuses what no backend could do.
func (f *fake) check(runs []worker.Run) error {
	held, seen := 0, map[int]bool{}
	for _, s := range f.seqs {
		held += len(s)
	}
	for _, r := range runs {
		switch {
		case seen[r.Seq]:
			return fmt.Errorf("sequence %d twice in one pass", r.Seq)
		case r.At != len(f.seqs[r.Seq]):
			return fmt.Errorf("sequence %d holds %d tokens, not %d", r.Seq, len(f.seqs[r.Seq]), r.At)
		case len(r.IDs) == 0 || len(r.IDs) > f.Facts().Chunk || r.Want > len(r.IDs):
			return fmt.Errorf("%d tokens, %d scores", len(r.IDs), r.Want)
		}
		if r.Want > 0 && strings.HasSuffix(f.text(r), "broken!") {
			return errors.New("this run is broken")
		}
		seen[r.Seq] = true
		held += len(r.IDs)
	}
	if held > max(2, len(f.seqs)/2)*f.window {
		return worker.ErrFull
	}
	return nil
}

// text is what a sequence will hold.
func (f *fake) text(r worker.Run) string {
	var text strings.Builder
	for _, id := range slices.Concat(f.seqs[r.Seq], r.IDs) {
		if id < 256 {
			text.WriteByte(byte(id))
		}
	}
	return text.String()
}

// next finds what to say from what was said since the assistant's turn began.
func (f *fake) next(ids []int32) int32 {
	var text strings.Builder
	from := 0
	for _, id := range ids {
		if id == open {
			from = text.Len()
		}
		if id < 256 {
			text.WriteByte(byte(id))
		}
	}
	said := strings.TrimPrefix(text.String()[from:], "assistant\n")
	script := ""
	if i := strings.LastIndex(text.String()[:from], "say:"); i >= 0 {
		script = strings.TrimSuffix(text.String()[i+4:from], "\n")
	}
	switch rest := strings.TrimPrefix(script, said); {
	case strings.HasPrefix(rest, "crash!"):
		os.Exit(9)
	case strings.HasPrefix(rest, "hang!"):
		time.Sleep(time.Hour)
	case len(said) < len(script):
		return int32(script[len(said)])
	}
	return shut
}

func (f *fake) Truncate(seq, n int) bool {
	if n > 0 && n < len(f.seqs[seq]) && f.load.Get("rewind") == "no" {
		f.seqs[seq] = nil
		return false
	}
	f.seqs[seq] = f.seqs[seq][:n]
	return true
}

func (f *fake) Copy(src, dst, n int) {
	f.seqs[dst] = append(f.seqs[dst][:0], f.seqs[src][:n]...)
}

func (f *fake) Abort(on bool) { f.abort.Store(on) }

func (f *fake) Close() error {
	if f.load.Get("close") == "fail" {
		return errors.New("close")
	}
	return nil
}
