package picture_test

import (
	"encoding/xml"
	"io"
	"strings"
	"testing"

	"fabula/tui/uitest/picture"
)

// Ensure that every cell stands at its column, wide ones over two.
func TestSVG(t *testing.T) {
	svg := picture.SVG("a\x1b[1;38;2;255;0;0m老<\x1b[m\nb", 10, 3)
	for _, want := range []string{
		`<text x="12" y="27" fill="#d8dce4" textLength="9" lengthAdjust="spacingAndGlyphs">a</text>`,
		`<text x="21" y="27" fill="#ff0000" font-weight="bold" textLength="18" lengthAdjust="spacingAndGlyphs">老</text>`,
		`<text x="39" y="27" fill="#ff0000" font-weight="bold" textLength="9" lengthAdjust="spacingAndGlyphs">&lt;</text>`,
		`<text x="12" y="47"`,
	} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %s in\n%s", want, svg)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(svg)); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
