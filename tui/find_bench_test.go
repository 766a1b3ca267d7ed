package tui_test

import (
	"fmt"
	"testing"

	"fabula/tui"
)

// BenchmarkFind is one letter typed in a search over 10,000 things, half of them
// lines that were said; the bar is 50 ms.
func BenchmarkFind(b *testing.B) {
	s := tui.NewSearch()
	for i := range 5000 {
		s.Add(fmt.Sprintf("node_%d 渡口的第%d个名字", i, i), "")
		s.Add("", fmt.Sprintf("第 %d 句：老周，昨夜那盏灯是谁点的？这镇上的灯，都是狐狸点的，客官信么？ the lamp at the landing was lit by a fox", i))
	}
	for b.Loop() {
		for _, typed := range []string{"l", "la", "lam", "lamp", "灯", "老周 狐狸"} {
			if s.Search(typed) < 1 {
				b.Fatalf("nothing fits %q", typed)
			}
		}
	}
	b.ReportMetric(float64(b.Elapsed().Microseconds())/1000/6/float64(b.N), "ms/key")
}
