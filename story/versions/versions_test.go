package versions_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"fabula/engine"
	"fabula/story"
	"fabula/story/prompt"
	"fabula/story/versions"
)

// tree is a reader of some replies.
type tree struct {
	story.Reader // not asked for anything else
	alts         []story.Alternative
	blobs        map[string]string
}

func (t *tree) Walk(visit func(story.Turn, []story.Alternative) error) error {
	for _, a := range t.alts {
		if err := visit(story.Turn{ID: a.Turn, Playthrough: story.ID(a.Title)}, []story.Alternative{a}); err != nil {
			return err
		}
	}
	return nil
}

func (t *tree) Playthrough(id story.ID) (story.Playthrough, error) {
	return story.Playthrough{ID: id, Language: string(id)}, nil
}

func (t *tree) Blob(hash string) (string, error) {
	if text, ok := t.blobs[hash]; ok {
		return text, nil
	}
	return "", story.ErrNotFound
}

// reply is one that was made with a version, in a language, on a day.
func reply(n int, lang string, day int, blobs ...string) story.Alternative {
	r := &story.Reply{Persona: story.Version{Ordinal: n, Hash: strings.Repeat("h", n)}}
	r.Segments = append(r.Segments, story.SegmentRef{Kind: prompt.Rules, Role: engine.System, Blob: "rules"})
	for _, b := range blobs {
		r.Segments = append(r.Segments, story.SegmentRef{Kind: prompt.Persona, Role: engine.System, Blob: b})
	}
	r.Segments = append(r.Segments, story.SegmentRef{Kind: prompt.Sample, Role: engine.User, Blob: "volatile"})
	return story.Alternative{Speaker: "adu", Title: lang, Reply: r, Made: time.Date(2026, 3, day, 0, 0, 0, 0, time.UTC)}
}

// Ensure that versions are listed newest first with what was made with them, and
// that their text is what was fixed in the prompt, by language.
func TestRead(t *testing.T) {
	r := &tree{alts: []story.Alternative{reply(1, "en", 2, "old"), reply(2, "en", 5, "new", "sample"), reply(1, "zh", 1, "旧"), reply(2, "en", 6, "new"), {Speaker: "adu"}},
		blobs: map[string]string{"old": "Old.", "new": "New.", "sample": "Like this.", "旧": "旧的。"}}
	all, err := versions.Read(r)
	if err != nil {
		t.Fatal(err)
	}
	list := all["adu"]
	if len(list) != 2 || list[0].Ordinal != 2 || list[0].Replies != 2 || list[1].Replies != 2 || list[1].First.Day() != 1 || list[1].Last.Day() != 2 {
		t.Fatalf("versions %+v", list)
	}
	if diff := cmp.Diff([]string{"en", "zh"}, list[1].Languages()); diff != "" {
		t.Errorf("languages (-want +got):\n%s", diff)
	}
	for _, tc := range []struct {
		at         int
		lang, want string
	}{{0, "en", "New.\n\nLike this."}, {1, "en", "Old."}, {1, "zh", "旧的。"}, {0, "zh", ""}} {
		if got, err := list[tc.at].Text(r, tc.lang); err != nil || got != tc.want {
			t.Errorf("version %d in %s is %q, %v; want %q", list[tc.at].Ordinal, tc.lang, got, err, tc.want)
		}
	}
	delete(r.blobs, "old")
	if _, err := list[1].Text(r, "en"); !errors.Is(err, story.ErrNotFound) {
		t.Errorf("a lost text is %v", err)
	}
}
