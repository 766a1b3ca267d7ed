package tensorrt

import "fabula/engine/worker"

// Stepper is what DecodeOn decodes with.
type Stepper = stepper

// DecodeOn is what Model.DecodeBeside does with a session.
func DecodeOn(card Stepper, chunk, vocab int, aborted func() bool, meanwhile func(), runs []worker.Run) ([]worker.Scores, error) {
	d := decoding{card: card, chunk: chunk, vocab: vocab, aborted: aborted, meanwhile: meanwhile}
	return d.all(runs)
}
