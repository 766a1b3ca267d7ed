package tui

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"fabula/personas/lint"
	"fabula/story"
	index "fabula/story/search"
	"fabula/story/store"
	"fabula/tui/text"
	"fabula/tui/text/lang"
)

// mostSaid bounds the turns and the findings that one search lists.
const mostSaid = 200

// said is what a search finds of what was said, newest first, and how much more
// there may be.
type said struct {
	items []item
	more  int
}

// archive searches what was said by the index beside the store. The index is read
// when something is looked for first. Its methods are called in commands.
type archive struct {
	file string
	mu   sync.Mutex
	*index.Index
}

func newArchive(dir string) *archive { return &archive{file: filepath.Join(dir, store.IndexFile)} }

// fresh gives the index with everything in it that was stored up to now.
func (x *archive) fresh(r story.Reader) (*index.Index, error) {
	source, ok := r.(index.Source)
	if !ok {
		return nil, fmt.Errorf("find: the store cannot be searched")
	}
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.Index == nil {
		x.Index = index.Open(x.file)
	}
	err := x.Refresh(source, nil)
	_ = x.Save() // the next search is faster then, no more
	return x.Index, err
}

// close gives the index's file back.
func (x *archive) close() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.Index != nil {
		_ = x.Close() // it was only read
		x.Index = nil
	}
}

// look finds turns by their words, and findings by theirs.
func (x *archive) look(r story.Reader, typed string, t *lang.Strings, a *app) (said, error) {
	found, err := x.fresh(r)
	if err != nil {
		return said{}, err
	}
	branches, err := r.Branches()
	if err != nil {
		return said{}, fmt.Errorf("find: %w", err)
	}
	names := map[story.ID]string{}
	for _, b := range branches {
		names[b.ID] = b.Name
	}
	res, err := found.Find(r, index.Query{Text: typed, Limit: mostSaid})
	if err != nil {
		return said{}, err
	}
	out := said{more: res.Of - len(res.Hits)}
	for _, h := range res.Hits {
		out.items = append(out.items, a.saidItem("turn", h, names, h.Text, t))
	}
	findings, err := a.findingItems(r, found, typed, names, t)
	out.items = append(out.items, findings...)
	return out, err
}

// saidItem lists a text with where it was said.
func (a *app) saidItem(kind string, h index.Hit, names map[story.ID]string, words string, t *lang.Strings) item {
	return item{kind: t.Palette.Kinds[kind], name: fmt.Sprintf("%s@%d", names[h.Branch], h.Depth), note: text.Line(words), do: a.goer(h.Branch, h.Turn)}
}

// findingItems lists the findings that some of the words typed name; the others
// have to stand in the reply.
func (a *app) findingItems(r story.Reader, found *index.Index, typed string, names map[story.ID]string, t *lang.Strings) ([]item, error) {
	var items []item
	for _, code := range slices.Sorted(maps.Keys(t.Findings)) { // the same for every letter that is typed
		format := t.Findings[code]
		rest, named := without(strings.Fields(typed), folded(code+" "+t.Palette.Kinds["finding"]+" "+format))
		if !named {
			continue
		}
		res, err := found.Find(r, index.Query{Finding: code, Text: strings.Join(rest, " "), Limit: mostSaid})
		if err != nil {
			return nil, err
		}
		for _, h := range res.Hits {
			alt, err := r.Alternative(h.Alternative)
			if err != nil {
				return nil, err
			}
			if i := slices.IndexFunc(alt.Findings, func(f lint.Finding) bool { return f.Code == code }); i >= 0 && h.Text == alt.Text {
				items = append(items, a.saidItem("finding", h, names, t.Finding(code, alt.Findings[i].Args), t))
			}
		}
	}
	return items, nil
}

// without leaves out the words that a folded text holds, and reports whether one
// of them says enough to be meant.
func without(words []string, text string) (rest []string, named bool) {
	for _, w := range words {
		f := folded(w)
		if !strings.Contains(text, f) {
			rest = append(rest, w)
			continue
		}
		named = named || utf8.RuneCountInString(f) > 2 || len(f) > utf8.RuneCountInString(f)
	}
	return rest, named
}
