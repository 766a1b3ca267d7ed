package plot_test

import (
	"encoding/json"
	"strings"
	"testing"

	"fabula/personas/source"
	"fabula/story/plot"
)

func TestConditionHolds(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing", "herbs=2", "day=10")
	st.Beats = map[string]int{"landing.gives_herbs": 1}
	st.Exits = map[string]int{"landing.to_shop": 1}
	st.Told = map[string]int{"adu.salt_cellar": 1}
	st.Visits["shop"] = 2
	st.Turns, st.TurnsTotal = 3, 7
	for src, want := range map[string]bool{
		"":                                   true,
		"herbs == 2":                         true,
		"herbs != 2":                         false,
		"herbs < 3 and herbs <= 2":           true,
		"herbs > 2 or herbs >= 2":            true,
		"herbs < 2 || herbs > 2":             false,
		"not sold_adu":                       true,
		"!sold_adu && true":                  true,
		"sold_adu == false":                  true,
		"herbs + 1 == 3":                     true,
		"herbs - 5 == -3":                    true,
		"-herbs == -2":                       true,
		"+herbs == 2":                        true,
		"herbs in [1, 2]":                    true,
		"herbs not in [1, 2]":                false,
		"herbs in [day - 9, day - 8]":        true,
		`weather in ["clear", "rain"]`:       true,
		`weather == "rain"`:                  true,
		`"rain" == weather`:                  true,
		`weather != 'snow'`:                  true,
		"weather == `rain`":                  true,
		`weather == sky`:                     true,
		`sold_adu in [false]`:                true,
		"visits == 1":                        true,
		`visits("shop") == 2`:                true,
		`visits("store") == 2`:               true,
		`visits("leave") == 0`:               true,
		`beat("landing.gives_herbs")`:        true,
		`exit("landing.to_shop")`:            true,
		`exit("landing.sells")`:              false,
		`exit("store.home")`:                 false,
		`told("adu.salt_cellar")`:            true,
		`told("ferryman.name")`:              false,
		"turns == 3 and turns_total == 7":    true,
		"turns() == 3":                       true,
		"not (herbs == 2)":                   false,
		"not not true":                       true,
		"1 < herbs < 3":                      true,
		"true or herbs == 0":                 true,
		"9223372036854775807 + 1 > herbs":    true,
		"-9223372036854775807 - 5 < 0 - day": true,
		"day\n == 11":                        true,
		"(((day))) == 11":                    true,
		"herbs // two\n == 2":                true,
	} {
		if got := s.Holds(source.Cond{Src: src}, st); got != want {
			t.Errorf("%s = %v, want %v (%v)", src, got, want, refusals(s, src))
		}
	}
}

func refusals(s *plot.Script, src string) []string {
	_, faults := s.CompileCond(source.Cond{Src: src, Pos: source.Pos{File: "f", Line: 1, Col: 1}})
	return told(faults)
}

// Everything else that the parser library reads is refused, at the place of
// the name that is wrong.
func TestConditionRefused(t *testing.T) {
	s := ferry(t)
	for src, want := range map[string]string{
		"herb >= 1":                      "1:1 unknown_name variable|herb|herbs",
		"day > 1 and nowhere == 2":       "1:13 unknown_name variable|nowhere|",
		"turn > 1":                       "1:1 unknown_name variable|turn|turns",
		"weather == rain":                "1:12 enum_quote rain",
		`weather == "rian"`:              "1:12 enum_value weather|rian|rain|clear, rain, snow",
		`"rian" != weather`:              "1:1 enum_value weather|rian|rain|clear, rain, snow",
		`weather in ["rain", "fog"]`:     "1:21 enum_value weather|fog||clear, rain, snow",
		`weather < "rain"`:               "1:1 expr_type <|int|enum",
		`weather + 1 == 2`:               "1:1 expr_type +|int|enum",
		`"a" == "a"`:                     "1:1 expr_text",
		`weather == 1`:                   "1:9 expr_mix ==|enum|int",
		`herbs == true`:                  "1:7 expr_mix ==|int|bool",
		`herbs == "1"`:                   "1:7 expr_mix ==|int|enum",
		`sold_adu == 1`:                  "1:10 expr_mix ==|bool|int",
		`sold_adu > 0`:                   "1:1 expr_type >|int|bool",
		`herbs and true`:                 "1:1 expr_type and|bool|int",
		`true or herbs`:                  "1:9 expr_type or|bool|int",
		`not herbs`:                      "1:5 expr_type not|bool|int",
		`not herbs == 1`:                 "1:1 expr_not ==",
		`not weather in ["rain"]`:        "1:1 expr_not in",
		`herbs`:                          "1:1 expr_result int",
		`"rain"`:                         "1:1 expr_result enum",
		`[1]`:                            "1:1 expr_result list",
		`herbs in []`:                    "1:10 expr_type []||list",
		`herbs in [1, true]`:             "1:14 expr_mix []|int|bool",
		`herbs in [[1]]`:                 "1:11 expr_mix []|list|list",
		`herbs in day`:                   "1:10 expr_type in|list|int",
		`[1] == [1]`:                     "1:5 expr_mix ==|list|list",
		`herbs in ["rain"]`:              "1:7 expr_mix in|int|enum",
		`beat("landing.gives_herb")`:     "1:6 unknown_name beat|landing.gives_herb|landing.gives_herbs",
		`exit("landing.to_shp")`:         "1:6 unknown_name exit|landing.to_shp|landing.to_shop",
		`told("adu.salt")`:               "1:6 unknown_name secret|adu.salt|",
		`visits("landng") > 1`:           "1:8 unknown_name node|landng|landing",
		`beat()`:                         "1:1 expr_arguments beat|beat",
		`beat(1)`:                        "1:1 expr_arguments beat|beat",
		`beat(weather)`:                  "1:1 expr_arguments beat|beat",
		`beat("a.b", "c.d")`:             "1:1 expr_arguments beat|beat",
		`beat`:                           "1:1 expr_arguments beat|beat",
		`told == true`:                   "1:1 expr_arguments told|secret",
		`turns("landing") == 1`:          "1:1 expr_arguments turns|",
		`visit("landing") == 1`:          "1:1 expr_function visit|visits",
		`len("a") == 1`:                  "1:1 expr_function len|",
		`now() == 1`:                     "1:1 expr_function now|",
		`all([1], {# > 0})`:              "1:10 expr_operator {",
		`any([1], # > 0)`:                "1:10 expr_operator #",
		`"landing.gives_herbs" | beat()`: "1:23 expr_operator ||or",
		`::beat("landing.gives_herbs")`:  "1:1 expr_operator ::",
		`herbs * 2 == 4`:                 "1:7 expr_operator *",
		`herbs ** 2 == 4`:                "1:7 expr_operator **",
		`herbs / 2 == 1`:                 "1:7 expr_operator /",
		`herbs % 2 == 1`:                 "1:7 expr_operator %",
		`herbs ^ 2 == 1`:                 "1:7 expr_operator ^",
		`herbs ? true : false`:           "1:7 expr_operator ?",
		`herbs ?? true`:                  "1:7 expr_operator ??",
		`herbs in 1..3`:                  "1:11 expr_operator ..",
		`herbs.max == 3`:                 "1:6 expr_operator .",
		`herbs?.max == 3`:                "1:6 expr_operator ?.",
		`weather["x"] == 1`:              "1:8 expr_operator [",
		`[1][0] == 1`:                    "1:4 expr_operator [",
		`{"a": 1} == 1`:                  "1:1 expr_operator {",
		`let x = 1; x == 1`:              "1:1 expr_operator let",
		`if true {true} else {false}`:    "1:1 expr_operator if",
		`true; false`:                    "1:5 expr_operator ;",
		`weather matches "r.*"`:          "1:9 expr_operator matches",
		`weather contains "r"`:           "1:9 expr_operator contains",
		`weather startsWith "r"`:         "1:9 expr_operator startsWith",
		`herbs = 1`:                      "1:7 expr_operator =|==",
		`herbs ≥ 1`:                      "1:7 expr_operator ≥|>=",
		`herbs ≤ 1`:                      "1:7 expr_operator ≤|<=",
		`herbs ≠ 1`:                      "1:7 expr_operator ≠|!=",
		`herbs ＝ 1`:                      "1:7 expr_operator ＝|==",
		`herbs ＝＝ 1`:                     "1:7 expr_operator ＝＝|==",
		`herbs => 1`:                     "1:7 expr_operator =>|>=",
		`herbs >== 1`:                    "1:7 expr_operator >==|>=",
		`herbs =< 1`:                     "1:7 expr_operator =<|<=",
		`herbs <== 1`:                    "1:7 expr_operator <==|<=",
		`herbs !== 1`:                    "1:7 expr_operator !==|!=",
		`herbs === 1`:                    "1:7 expr_operator ===|==",
		`herbs <> 1`:                     "1:7 expr_operator <>|!=",
		`sold_adu AND herbs >= 1`:        "1:10 expr_operator AND|and",
		`sold_adu 或 herbs >= 1`:          "1:10 expr_operator 或|or",
		`NOT sold_adu`:                   "1:1 expr_operator NOT|not",
		`sold_adu == True`:               "1:13 expr_operator True|true",
		`sold_adu & true`:                "1:10 expr_operator &|and",
		`（sold_adu）`:                     "1:1 expr_operator （|(",
		`weather == “rain”`:              "1:12 expr_operator “|\"",
		`nil == nil`:                     "1:1 expr_operator nil",
		`$env == 1`:                      "1:1 unknown_name variable|$env|",
		`b"x" == b"x"`:                   `1:1 expr_operator b"…"`,
		`herbs == 1.5`:                   "1:10 expr_number 1.5",
		`herbs == 0x1`:                   "1:10 expr_number 0x1",
		`herbs == 1_0`:                   "1:10 expr_number 1_0",
		`herbs == 99999999999999999999`:  "1:10 expr_number 99999999999999999999",
		`herbs >=`:                       "1:9 expr_syntax ",
		`herbs >= 1 herbs`:               "1:12 expr_syntax herbs",
		`(herbs >= 1`:                    "1:12 expr_syntax ",
		`herbs >= 1)`:                    "1:11 expr_syntax )",
		`herbs is 1`:                     "1:7 expr_syntax is",
		`weather == "rain`:               "1:17 expr_syntax ",
		"herbs == 1\nand nowhere":        "2:5 unknown_name variable|nowhere|",
		`天气 == 1`:                        "1:1 unknown_name variable|天气|",
		`herbs == 1 and 天气 and nope`:     "1:16 unknown_name variable|天气|",
		strings.Repeat("(", 70) + "true" + strings.Repeat(")", 70): "1:65 expr_too_deep 64",
		strings.Repeat("not ", 2000) + "true":                      "1:1 expr_too_long 4096",
	} {
		got := strings.Join(refusals(s, src), "; ")
		if got != "f:"+want {
			t.Errorf("%s\n got %s\nwant f:%s", src, got, want)
		}
		if s.Holds(source.Cond{Src: src}, s.Initial()) {
			t.Errorf("%s: a condition that does not compile holds", src)
		}
	}
}

// `visits` without a node is that of the node asked about; `turns` stays that
// of the present visit.
func TestHoldsIn(t *testing.T) {
	s := ferry(t)
	st := begin(t, s, "landing")
	st.Turns, st.Visits["shop"] = 2, 4
	here, there := source.Cond{Src: "visits == 1 and turns == 2"}, source.Cond{Src: "visits == 4 and turns == 2"}
	if !s.Holds(here, st) || s.Holds(there, st) || s.HoldsIn(here, st, "shop") || !s.HoldsIn(there, st, "shop") {
		t.Error("scope of visits")
	}
}

func asJSON(v any) (string, error) {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	err := enc.Encode(v)
	return strings.TrimSpace(b.String()), err
}

func TestExprJSON(t *testing.T) {
	s := ferry(t)
	for src, want := range map[string]string{
		"day < 400":                                `["<",["var","day"],["lit",400]]`,
		"not sold_adu && herbs >= -1":              `["and",["not",["var","sold_adu"]],[">=",["var","herbs"],["lit",-1]]]`,
		`weather not in ["rain"]`:                  `["not",["in",["var","weather"],["list",["lit","rain"]]]]`,
		"visits > 1 or turns_total - day == turns": `["or",[">",["call","visits"],["lit",1]],["==",["-",["call","turns_total"],["var","day"]],["call","turns"]]]`,
		`beat("landing.gives_herbs") == true`:      `["==",["call","beat",["lit","landing.gives_herbs"]],["lit",true]]`,
		`visits("store") > 0`:                      `[">",["call","visits",["lit","shop"]],["lit",0]]`,
	} {
		got, err := asJSON(s.Expr(source.Cond{Src: src}))
		if err != nil || got != want {
			t.Errorf("%s\n got %s (%v)\nwant %s", src, got, err, want)
		}
	}
	effects := map[string]string{
		"day += 1":           `[["+=",["var","day"],["lit",1]]]`,
		`weather = "snow"`:   `[["=",["var","weather"],["lit","snow"]]]`,
		"sold_adu = day > 3": `[["=",["var","sold_adu"],[">",["var","day"],["lit",3]]]]`,
	}
	for src, want := range effects {
		got, err := asJSON(s.Assignments(plot.Effect{Do: source.Cond{Src: src}}))
		if err != nil || got != want {
			t.Errorf("%s\n got %s (%v)\nwant %s", src, got, err, want)
		}
	}
}

func TestEffectRefused(t *testing.T) {
	s := ferry(t)
	for src, want := range map[string]string{
		"day":                "1:1 effect_syntax day",
		"day == 1":           "1:1 effect_syntax day == 1",
		"day <= 1":           "1:1 effect_syntax day <= 1",
		"= 1":                "1:1 effect_syntax = 1",
		"day =":              "1:6 expr_syntax ",
		"days += 1":          "1:1 unknown_name variable|days|day",
		"day = 1; herbs = 2": "1:8 expr_operator ;",
		"day = true":         "1:7 effect_type day|int|bool",
		"sold_adu = 1":       "1:12 effect_type sold_adu|bool|int",
		"sold_adu += true":   "1:13 effect_type sold_adu|bool|+=",
		`weather = "fog"`:    "1:11 enum_value weather|fog||clear, rain, snow",
		"weather = rain":     "1:11 enum_quote rain",
		"weather = sky":      "1:11 enum_differ weather|sky",
		"visits = 1":         "1:1 unknown_name variable|visits|",
		"day = [1]":          "1:7 effect_type day|int|list",
		"day =+ 2":           "1:1 effect_syntax day =+ 2",
		"day =- 2":           "1:1 effect_syntax day =- 2",
		"day *= 2":           "1:1 effect_syntax day *= 2",
		"day += nope":        "1:8 unknown_name variable|nope|",
	} {
		faults := s.CompileEffect(plot.Effect{Do: source.Cond{Src: src, Pos: source.Pos{File: "f", Line: 1, Col: 1}}})
		if got := strings.Join(told(faults), "; "); got != "f:"+want {
			t.Errorf("%s\n got %s\nwant f:%s", src, got, want)
		}
	}
}
