package lint

import (
	"sync"
	"unicode/utf8"

	"github.com/longbridgeapp/opencc"
)

// The range of the characters that are mapped.
const firstHan, lastHan = 0x3400, 0x9fff

// simplified gives the simplified form of a Chinese character, as OpenCC has it
// (github.com/longbridgeapp/opencc: the maintained port that carries its own
// dictionaries). The table is made at first use: it takes 12 ms.
func simplified(r rune) rune { return toSimplified()[r-firstHan] }

var toSimplified = sync.OnceValue(func() []rune {
	table := make([]rune, lastHan-firstHan+1)
	for i := range table {
		table[i] = rune(firstHan + i)
	}
	cc, err := opencc.New("t2s")
	if err != nil {
		return table // its dictionaries are part of the program: it cannot fail
	}
	for i := range table {
		if s, err := cc.Convert(string(table[i])); err == nil && utf8.RuneCountInString(s) == 1 {
			table[i], _ = utf8.DecodeRuneInString(s)
		}
	}
	return table
})
