package lint

import (
	"strconv"
	"strings"

	"fabula/personas"
)

// eras are the last years of times that an author may name. The first that an
// era's words hold counts, so narrower names stand first.
var eras = []struct {
	year  int
	names []string
}{
	{-221, []string{"warring states", "战国", "春秋", "bronze age", "西周", "东周", "zhou dynasty", "shang dynasty"}},
	{-206, []string{"qin dynasty", "秦朝", "秦代", "秦末"}},
	{220, []string{"han dynasty", "汉朝", "汉代", "汉末", "西汉", "东汉"}},
	{280, []string{"three kingdoms", "三国"}},
	{420, []string{"jin dynasty", "晋朝", "东晋", "西晋"}},
	{476, []string{"ancient rome", "roman empire", "古罗马"}},
	{589, []string{"南北朝", "northern and southern"}},
	{618, []string{"sui dynasty", "隋朝", "隋末"}},
	{907, []string{"tang dynasty", "唐朝", "唐代", "大唐", "盛唐", "晚唐"}},
	{1066, []string{"viking", "维京"}},
	{1279, []string{"song dynasty", "宋朝", "宋代", "大宋", "北宋", "南宋"}},
	{1368, []string{"yuan dynasty", "元朝", "元代"}},
	{1450, []string{"medieval", "middle ages", "中世纪"}},
	{1600, []string{"sengoku", "战国时代", "renaissance", "文艺复兴"}},
	{1603, []string{"elizabethan"}},
	{1644, []string{"ming dynasty", "明朝", "明代", "大明", "明末"}},
	{1868, []string{"edo period", "江户"}},
	{1830, []string{"regency", "napoleonic", "georgian"}},
	{1901, []string{"victorian", "维多利亚"}},
	{1912, []string{"qing dynasty", "清朝", "清代", "大清", "清末"}},
	{1949, []string{"民国", "republic of china"}},
}

// YearOf guesses the last year of the time that an era's words name; ok is
// false where they name none that is known.
func YearOf(era personas.Text) (year int, ok bool) {
	for _, words := range era.All() {
		words = strings.ToLower(words)
		for _, e := range eras {
			for _, name := range e.names {
				if strings.Contains(words, name) {
					return e.year, true
				}
			}
		}
		for _, f := range strings.FieldsFunc(words, func(r rune) bool { return r < '0' || r > '9' }) {
			if n, err := strconv.Atoi(f); err == nil && len(f) == 4 {
				return n, true
			}
		}
	}
	return 0, false
}
