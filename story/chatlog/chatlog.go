// Package chatlog reads chats of SillyTavern: JSON lines, a header and then a
// message a line. Swipes are alternatives of one reply.
//
// A chat is read leniently; what was changed or left out is noted. Source:
// SillyTavern, saveChat. Non-goals: writing chats (story/export/sillytavern does),
// pictures and files of a message.
package chatlog

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"fabula/personas/card"
)

// Limits of what is read.
const (
	MaxMessages = 100_000
	MaxSwipes   = 1_000 // of a message
)

// ErrFormat is wrapped where a file is no chat.
var ErrFormat = errors.New("not a SillyTavern chat")

// Codes of the notes that reading a chat adds to those of personas/card.
const (
	NoteHidden  = "import_hidden"     // count
	NoteSwipe   = "import_swipe"      // swipe_id, count
	NoteMes     = "import_mes"        //
	NoteDate    = "import_date"       // what stood there
	NoteMedia   = "import_media"      // kind
	NoteMessage = "import_no_message" //
)

// Codes lists the codes of notes.
func Codes() []string {
	return []string{NoteHidden, NoteSwipe, NoteMes, NoteDate, NoteMedia, NoteMessage}
}

// Log is a chat as it was read.
type Log struct {
	User, Character string
	Branch          string // id of the branch of fabula that it was exported from, else ""
	Messages        []Message
}

// Message is one message; Texts[Chosen] is the one shown.
type Message struct {
	Name     string
	User     bool
	Narrator bool
	Texts    []string
	Chosen   int
	Sent     time.Time
}

// Words tells chats apart by what was said, by whom, and what was shown of it; when
// is no part of it.
func (l Log) Words() string {
	h := sha256.New()
	out := json.NewEncoder(h)
	for _, m := range l.Messages {
		_ = out.Encode([]any{m.Name, m.User, m.Narrator, m.Texts, m.Chosen}) // a hash takes everything
	}
	return "chat:" + hex.EncodeToString(h.Sum(nil))
}

// Hash tells chats apart by their words and, where one says of which branch it is
// the export, by that: two branches of the same words are two chats.
func (l Log) Hash() string { return HashOf(l.Words(), l.Branch) }

// HashOf is the Hash of a chat of these Words, exported from a branch.
func HashOf(words, branch string) string {
	if branch == "" {
		return words
	}
	sum := sha256.Sum256([]byte(branch)) // a file may hold anything
	return words + ":" + hex.EncodeToString(sum[:8])
}

// WordsOf gives the Words of a Hash.
func WordsOf(hash string) string {
	if parts := strings.SplitN(hash, ":", 3); len(parts) == 3 {
		return parts[0] + ":" + parts[1]
	}
	return hash
}

// Name is what a branch is called that is read from a file.
func Name(file string) string {
	base := path.Base(filepath.ToSlash(file))
	return strings.TrimSuffix(base, path.Ext(base))
}

// Is reports whether data begins like a chat.
func Is(data []byte) bool {
	first, rest, _ := bytes.Cut(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), []byte("\n"))
	second, _, _ := bytes.Cut(rest, []byte("\n"))
	has := func(line []byte, keys ...string) bool {
		var o map[string]json.RawMessage
		return json.Unmarshal(line, &o) == nil && slices.ContainsFunc(keys, func(k string) bool { _, ok := o[k]; return ok })
	}
	return has(first, "user_name", "chat_metadata", "mes") || has(first, "name") && has(second, "mes")
}

// raw is a line as SillyTavern writes it; header fields and message fields.
type raw struct {
	UserName      string          `json:"user_name"`
	CharacterName string          `json:"character_name"`
	Metadata      json.RawMessage `json:"chat_metadata"`
	Name          string          `json:"name"`
	User          bool            `json:"is_user"`
	System        bool            `json:"is_system"`
	Text          *string         `json:"mes"`
	Sent          json.RawMessage `json:"send_date"`
	Swipes        []string        `json:"swipes"`
	SwipeID       int             `json:"swipe_id"`
	Extra         struct {
		Type  string          `json:"type"`
		Image json.RawMessage `json:"image"`
		File  json.RawMessage `json:"file"`
	} `json:"extra"`
}

// Read reads a chat. Lines that are no messages are noted and passed over.
func Read(data []byte) (Log, []card.Note, error) {
	r := reader{last: time.Unix(0, 0).UTC()}
	if len(data) > card.MaxFile {
		return r.log, nil, fmt.Errorf("%w: %d bytes, at most %d are read", ErrFormat, len(data), card.MaxFile)
	}
	n := 0
	for line := range bytes.SplitSeq(bytes.TrimPrefix(data, []byte("\xEF\xBB\xBF")), []byte("\n")) {
		n++
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		if len(r.log.Messages) >= MaxMessages {
			return r.log, nil, fmt.Errorf("%w: more than %d messages", ErrFormat, MaxMessages)
		}
		r.line(n, line)
	}
	if r.hidden > 0 {
		r.note(card.Coerced, "is_system", NoteHidden, strconv.Itoa(r.hidden))
	}
	if len(r.log.Messages) == 0 {
		return r.log, nil, fmt.Errorf("%w: it has no messages", ErrFormat)
	}
	r.names()
	return r.log, card.Sort(r.notes), nil
}

type reader struct {
	log    Log
	notes  []card.Note
	hidden int
	last   time.Time
	header bool
}

func (r *reader) note(fate card.Fate, field, code string, args ...string) {
	r.notes = append(r.notes, card.Note{Fate: fate, Field: field, Code: code, Args: args})
}

func (r *reader) line(n int, line []byte) {
	var m raw
	field := "line " + strconv.Itoa(n)
	err := json.Unmarshal(line, &m)
	var wrong *json.UnmarshalTypeError
	if err != nil && !errors.As(err, &wrong) || err == nil && m.Text == nil && r.header {
		r.note(card.Dropped, field, NoteMessage)
		return
	}
	if wrong != nil {
		r.note(card.Coerced, field+" "+wrong.Field, card.NoteType, wrong.Type.String(), wrong.Value)
	}
	if m.Text == nil {
		r.header = true
		r.log.User, r.log.Character, r.log.Branch = m.UserName, m.CharacterName, branchOf(m.Metadata)
		return
	}
	r.header = true
	r.message(field, m)
}

// branchOf reads the branch that story/export/sillytavern writes into a header.
func branchOf(metadata json.RawMessage) string {
	var m struct {
		Fabula struct {
			Branch string `json:"branch"`
		} `json:"fabula"`
	}
	if json.Unmarshal(metadata, &m) != nil {
		return "" // others may keep anything there
	}
	return m.Fabula.Branch
}

func (r *reader) message(field string, m raw) {
	out := Message{Name: m.Name, User: m.User, Sent: r.date(field, m.Sent), Narrator: m.Extra.Type == "narrator" || m.Extra.Type == "comment"}
	if m.System && !out.Narrator {
		r.hidden++
	}
	for what, media := range map[string]json.RawMessage{"image": m.Extra.Image, "file": m.Extra.File} {
		if len(media) > 2 && string(media) != "null" {
			r.note(card.Dropped, field, NoteMedia, what)
		}
	}
	out.Texts, out.Chosen = r.swipes(field, m)
	if len(out.Texts) > 0 {
		r.log.Messages = append(r.log.Messages, out)
	}
}

// swipes gives the alternatives that hold something, and which one is shown.
func (r *reader) swipes(field string, m raw) (texts []string, chosen int) {
	all := m.Swipes
	if len(all) > MaxSwipes {
		r.note(card.Dropped, field, card.NoteTooMany, strconv.Itoa(len(all)), strconv.Itoa(MaxSwipes))
		all = all[:MaxSwipes]
	}
	at := m.SwipeID
	switch {
	case len(all) == 0:
		all, at = []string{*m.Text}, 0
	case at < 0 || at >= len(all):
		r.note(card.Coerced, field, NoteSwipe, strconv.Itoa(at), strconv.Itoa(len(all)))
		at = len(all) - 1
		fallthrough
	default:
		if all[at] != *m.Text { // what is shown counts
			if i := slices.Index(all, *m.Text); i >= 0 {
				at = i
			} else {
				r.note(card.Coerced, field, NoteMes)
				all, at = append(slices.Clone(all), *m.Text), len(all)
			}
		}
	}
	for i, s := range all {
		if i == at {
			chosen = len(texts)
		}
		if s = clean(s); s != "" {
			texts = append(texts, s)
		}
	}
	return texts, min(chosen, max(len(texts)-1, 0))
}

func clean(s string) string {
	return strings.TrimRight(strings.ReplaceAll(strings.ToValidUTF8(s, string(utf8.RuneError)), "\r\n", "\n"), "\n ")
}

// Forms of dates that SillyTavern has written over the years.
var forms = []string{time.RFC3339Nano, "January 2, 2006 3:04pm", "January 2, 2006 3:04PM", "2006-01-02@15h04m05s", "2006-01-02 @15h 04m 05s 000ms", "2006-01-02 @15h 04m 05s", "2006-1-2 @15h 4m 5s 000ms", "2006-1-2 @15h 4m 5s"}

// date reads a date in any form; one that is none is that of the message before.
func (r *reader) date(field string, data json.RawMessage) time.Time {
	text := strings.Trim(string(data), `"`)
	if ms, err := strconv.ParseInt(text, 10, 64); err == nil && ms > 0 && ms < 1<<43 {
		r.last = time.UnixMilli(ms).UTC()
		return r.last
	}
	for _, form := range forms {
		if t, err := time.Parse(form, text); err == nil {
			r.last = t.UTC()
			return r.last
		}
	}
	if text != "" && text != "null" {
		r.note(card.Coerced, field, NoteDate, text)
	}
	return r.last
}

// names fills in what the header did not say: who spoke most.
func (r *reader) names() {
	count := map[string]int{}
	for _, m := range r.log.Messages {
		switch {
		case m.User && (r.log.User == "" || r.log.User == "unused"):
			r.log.User = m.Name
		case !m.User && !m.Narrator:
			count[m.Name]++
		}
	}
	if r.log.Character != "" && r.log.Character != "unused" && count[r.log.Character] > 0 {
		return
	}
	best := ""
	for _, m := range r.log.Messages {
		if !m.User && !m.Narrator && (best == "" || count[m.Name] > count[best]) {
			best = m.Name
		}
	}
	r.log.Character = best
}
