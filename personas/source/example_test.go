package source_test

import (
	"fmt"

	"fabula/personas/source"
)

type boat struct {
	ID    string
	Title source.RawText
	Seats int
	Fare  []fare
}

type fare struct {
	Text source.RawText
	When source.Cond
}

// A loader declares the keys of its objects, and reads.
func Example() {
	plain := source.As(source.Text(), func(t source.RawText) fare { return fare{Text: t} })
	full := source.Object("fare", "what a passage costs",
		source.Key("text", source.Text(), func(f *fare) *source.RawText { return &f.Text }, "the price").Required(),
		source.Key("when", source.Condition(), func(f *fare) *source.Cond { return &f.When }, "only while this holds"),
	)
	kind := source.Object("boat", "a boat of the ferry",
		source.Key("boat", source.ID(), func(b *boat) *string { return &b.ID }, "its id").Required(),
		source.Key("title", source.Text(), func(b *boat) *source.RawText { return &b.Title }, "shown to the player"),
		source.Key("seats", source.Whole(1, 40), func(b *boat) *int { return &b.Seats }, "how many it carries").Default(6),
		source.Key("fares", source.List(source.Either(plain, full)), func(b *boat) *[]fare { return &b.Fare }, "prices"),
	)
	file := source.File{Name: "boats.yaml", Data: []byte(`boat: heron
titel: Heron
fares:
  - three coins
  - text: nothing at all
    when: day > 7
`)}
	b, faults := source.Read(file, kind)
	fmt.Println(b.ID, b.Seats, len(b.Fare), b.Fare[1].When.Src)
	for _, f := range faults {
		fmt.Println(f.Pos, f.Code, f.Args)
	}
	// Output:
	// heron 6 2 day > 7
	// boats.yaml:2:1 unknown_key [titel title boat]
}
