package chatlog_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"fabula/personas/card"
	"fabula/story"
	"fabula/story/chatlog"
)

const header = `{"user_name":"Ann","character_name":"Mira","chat_metadata":{}}` + "\n"

func read(t *testing.T, text string) (chatlog.Log, []card.Note) {
	t.Helper()
	log, notes, err := chatlog.Read([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return log, notes
}

func TestIs(t *testing.T) {
	for text, want := range map[string]bool{
		header: true, "\xEF\xBB\xBF" + header: true, `{"name":"a","mes":"x"}`: true, `{"name":"Ann"}` + "\n" + `{"mes":"x"}`: true,
		`{"name":"Mira","description":"d"}`: false, "{\n\"name\": 1}": false, "": false, "[1]": false,
	} {
		if got := chatlog.Is([]byte(text)); got != want {
			t.Errorf("%q is a chat: %v", text, got)
		}
	}
}

func TestDates(t *testing.T) {
	want := time.Date(2024, 9, 28, 1, 2, 0, 0, time.UTC)
	for _, date := range []string{`"September 28, 2024 1:02am"`, `"2024-09-28T01:02:00.000Z"`, `"2024-09-28@01h02m00s"`, `"2024-09-28 @01h 02m 00s 000ms"`, `1727485320000`} {
		log, notes := read(t, header+`{"name":"Mira","mes":"x","send_date":`+date+`}`)
		if !log.Messages[0].Sent.Equal(want) || len(notes) > 0 {
			t.Errorf("%s is %v, %v", date, log.Messages[0].Sent, notes)
		}
	}
	log, notes := read(t, header+`{"name":"Mira","mes":"x","send_date":"2024-09-28T01:02:00Z"}`+"\n"+`{"name":"Mira","mes":"y","send_date":"yesterday"}`)
	if !log.Messages[1].Sent.Equal(want) || len(notes) != 1 || notes[0].Code != chatlog.NoteDate {
		t.Errorf("a date that is none: %v, %v", log.Messages[1].Sent, notes)
	}
}

func TestSwipes(t *testing.T) {
	for text, want := range map[string]string{
		`"mes":"b","swipes":["a","b","c"],"swipe_id":1`: "[a b c] 1",
		`"mes":"b","swipes":["a","b"],"swipe_id":0`:     "[a b] 1",              // what is shown counts
		`"mes":"z","swipes":["a","b"],"swipe_id":0`:     "[a b z] 2 import_mes", // edited
		`"mes":"b","swipes":["a","b"],"swipe_id":9`:     "[a b] 1 import_swipe", //
		`"mes":"b","swipes":["","b"],"swipe_id":1`:      "[b] 0",                // a failed swipe
		`"mes":"b\r\n"`:                            "[b] 0",                   //
		`"mes":"b","swipes":"odd"`:                 "[b] 0 import_type",       //
		`"mes":"b","extra":{"image":"x.png"}`:      "[b] 0 import_media",      //
		`"mes":"b","is_system":true`:               "[b] 0 import_hidden",     //
		`"mes":"b"}` + "\nrubbish\n" + `{"mes":""`: "[b] 0 import_no_message", //
		`"mes":"b"}` + "\n" + `{"a":1`:             "[b] 0 import_no_message", //
	} {
		log, notes := read(t, header+`{"name":"Mira",`+text+`}`)
		m := log.Messages[0]
		got := fmt.Sprintf("%v %d", m.Texts, m.Chosen)
		for _, n := range notes {
			got += " " + n.Code
		}
		if got != want {
			t.Errorf("%s gives %q, want %q", text, got, want)
		}
	}
	for _, none := range []string{"", header, "{}\n{}", strings.Repeat("x", 10)} {
		if _, _, err := chatlog.Read([]byte(none)); !errors.Is(err, chatlog.ErrFormat) {
			t.Errorf("%q gives %v", none, err)
		}
	}
}

func TestTalk(t *testing.T) {
	line := func(name string, user bool, text, more string) string {
		return fmt.Sprintf(`{"name":%q,"is_user":%v,"mes":%q%s}`, name, user, text, more) + "\n"
	}
	log, _ := read(t, header+line("x", false, "Night.", `,"extra":{"type":"narrator"}`)+line("Mira", false, "Hi.", `,"swipes":["Hi.","Ho."],"swipe_id":0`)+
		line("Ann", true, "A", "")+line("Ann", true, "B", "")+line("Mira", false, "M", "")+line("Odo", false, "O", "")+line("Ann", true, "C", ""))
	talk, unknown := log.Talk(func(name string) string { return map[string]string{"Mira": "mira"}[name] })
	if !slices.Equal(unknown, []string{"Odo"}) || talk.With != "mira" || len(talk.Turns) != 4 {
		t.Fatalf("%+v, unknown %v", talk, unknown)
	}
	shape := func(told story.Told) string {
		out := fmt.Sprintf("%d %q", len(told.Lines), told.Player)
		for _, r := range told.Replies {
			out += " " + r.By + ":" + r.Text
		}
		return out
	}
	for i, want := range []string{`1 "" mira:Hi. mira:Ho.`, `0 "A\n\nB" mira:M`, `0 "" :O`, `0 "C"`} {
		if got := shape(talk.Turns[i]); got != want {
			t.Errorf("turn %d is %s, want %s", i, got, want)
		}
	}
	log, _ = read(t, header+line("Ann", true, "First", ""))
	if talk, _ := log.Talk(func(string) string { return "mira" }); len(talk.Turns) != 2 || talk.Turns[0].Player != "" || talk.Turns[1].Player != "First" {
		t.Errorf("a chat that the player begins is %+v", talk.Turns)
	}
}

func FuzzChat(f *testing.F) {
	f.Add([]byte(header + `{"name":"Mira","mes":"b","swipes":["a","b"],"swipe_id":1,"send_date":1}`))
	f.Add([]byte(`{"mes":"x","is_user":true}` + "\r\n" + `{"mes":7,"swipes":[null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		log, _, err := chatlog.Read(data)
		if err != nil {
			if !errors.Is(err, chatlog.ErrFormat) {
				t.Errorf("%v is no ErrFormat", err)
			}
			return
		}
		talk, _ := log.Talk(func(string) string { return "x" })
		said := 0
		for i, told := range talk.Turns {
			if i == 0 && told.Player != "" || len(told.Replies) > 0 && told.Chosen >= len(told.Replies) {
				t.Fatalf("turn %d is %+v", i, told)
			}
			said += len(told.Replies)
		}
		texts := 0
		for _, m := range log.Messages {
			if m.Chosen >= len(m.Texts) {
				t.Fatalf("message %+v", m)
			}
			if !m.User && !m.Narrator {
				texts += len(m.Texts)
			}
		}
		if said != texts {
			t.Errorf("%d replies of %d texts", said, texts)
		}
	})
}
