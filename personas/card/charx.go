package card

import (
	"archive/zip"
	"bytes"
	"fmt"
	"io"
	"path"
	"strconv"
	"strings"
)

func isZip(data []byte) bool { return bytes.HasPrefix(data, []byte("PK\x03\x04")) }

// readCHARX reads card.json of a CHARX. Nothing is unpacked to disk, and no size
// that the archive declares is believed; an archive with a name that would lead
// out of a folder is refused all the same, since whoever made it means harm.
func readCHARX(data []byte) (*Card, []Note, error) {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return nil, nil, fmt.Errorf("%w: the archive cannot be read: %v", ErrFormat, err)
	}
	if len(z.File) > MaxFiles {
		return nil, nil, fmt.Errorf("%w: the archive has %d files, at most %d are read", ErrFormat, len(z.File), MaxFiles)
	}
	var found *zip.File
	for _, f := range z.File {
		if unsafePath(f.Name) {
			return nil, nil, fmt.Errorf("%w: the archive names a file outside of itself: %q", ErrFormat, f.Name)
		}
		if f.Name == "card.json" && found == nil {
			found = f
		}
	}
	if found == nil {
		return nil, nil, fmt.Errorf("%w: the archive has no card.json", ErrFormat)
	}
	text, err := inflate(found)
	if err != nil {
		return nil, nil, err
	}
	c, notes, err := readJSON(bytes.TrimPrefix(text, []byte("\xEF\xBB\xBF")))
	if err == nil && len(z.File) > 1 {
		notes = append(notes, Note{Dropped, "assets", NoteAssets, []string{strconv.Itoa(len(z.File) - 1)}})
	}
	return c, notes, err
}

func unsafePath(name string) bool {
	clean := path.Clean(strings.ReplaceAll(name, `\`, "/"))
	return path.IsAbs(clean) || clean == ".." || strings.HasPrefix(clean, "../") || strings.ContainsAny(name, "\x00:")
}

// inflate reads a file of the archive up to the limit.
func inflate(f *zip.File) ([]byte, error) {
	if f.Flags&1 != 0 {
		return nil, fmt.Errorf("%w: card.json is encrypted", ErrFormat)
	}
	r, err := f.Open()
	if err != nil {
		return nil, fmt.Errorf("%w: card.json: %v", ErrFormat, err)
	}
	defer r.Close()
	text, err := io.ReadAll(io.LimitReader(r, MaxJSON+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: card.json: %v", ErrFormat, err)
	case len(text) > MaxJSON:
		return nil, fmt.Errorf("%w: card.json unpacks to more than %d bytes", ErrFormat, MaxJSON)
	}
	return text, nil
}
