package tensorrt_test

import (
	"encoding/json"
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"fabula/engine"
	"fabula/engine/tensorrt"
	"fabula/engine/worker"
)

// backend gives the same logits for the same token, with an error of its own.
type backend struct {
	worker.Backend
	logits func(id int32, at int) []float32
}

func (b backend) Facts() worker.Facts { return worker.Facts{Vocab: 4, Chunk: 3} }
func (b backend) Decode(runs []worker.Run) ([]worker.Scores, error) {
	r := runs[0]
	if len(runs) > 1 || len(r.IDs) > 3 || r.Best > 0 {
		return nil, errors.New("too many")
	}
	return []worker.Scores{{Logits: b.logits(r.IDs[len(r.IDs)-1], r.At+len(r.IDs)-1)}}, nil
}

func exact(id int32, at int) []float32 {
	row := []float32{0, 1, 2, float32(at % 3)}
	row[id%4] += 3
	return row
}

func TestCompare(t *testing.T) {
	ids := make([]int32, 200)
	for i := range ids {
		ids[i] = int32(i * 7 % 4)
	}
	for name, test := range map[string]struct {
		logits  func(int32, int) []float32
		passed  bool
		refused error
	}{
		"equal":   {logits: exact, passed: true},
		"shifted": {logits: func(id int32, at int) []float32 { return plus(exact(id, at), 5) }, passed: true}, // the same distribution
		"flat":    {logits: func(id int32, at int) []float32 { return times(exact(id, at), 0.1) }},
		"other":   {logits: func(id int32, at int) []float32 { return exact(id+1, at) }},
		"NaN":     {logits: func(int32, int) []float32 { return []float32{0, float32(math.NaN()), 0, 0} }, refused: engine.ErrIncompatible},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := tensorrt.Compare(t.Context(), backend{logits: exact}, backend{logits: test.logits}, ids, 10)
			if !errors.Is(err, test.refused) {
				t.Fatal(err)
			}
			if err == nil && (r.Passed != test.passed || r.Positions != 190 || r.Passed == (r.Why != "")) {
				t.Errorf("%+v", r)
			}
		})
	}
}

func plus(row []float32, v float32) []float32 {
	for i := range row {
		row[i] += v
	}
	return row
}

func times(row []float32, v float32) []float32 {
	for i := range row {
		row[i] *= v
	}
	return row
}

func TestProseIsTheSameEveryTime(t *testing.T) {
	long := tensorrt.Prose(300)
	if long != tensorrt.Prose(300) || !strings.HasPrefix(long, tensorrt.Prose(5)) || len(strings.Fields(long)) < 4000 {
		t.Error("the text of the self-test changes")
	}
}

// TestMeasuredIsMadeOfItsFigures keeps the page for people and the raw file together.
func TestMeasuredIsMadeOfItsFigures(t *testing.T) {
	raw, err := os.ReadFile("MEASURED.json")
	if err != nil {
		t.Fatal(err)
	}
	var m tensorrt.Measured
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile("MEASURED.md")
	if err != nil {
		t.Fatal(err)
	}
	if m.Markdown() != string(page) {
		t.Error("MEASURED.md is not what MEASURED.json gives: fabula engines measured engine/tensorrt/MEASURED.json")
	}
}

// named is a backend of a precision.
type named struct {
	backend
	precision string
}

func (n named) Facts() worker.Facts {
	f := n.backend.Facts()
	f.Precision = n.precision
	return f
}
