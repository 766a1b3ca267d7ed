// Package junit writes results as JUnit XML that every reader takes: what the
// dialects have in common, by the strictest of them (the schema of Ant).
//
// One root without attributes, suites that are not nested, each with id,
// package, name, timestamp, hostname, counts and time; in it properties, cases,
// system-out, system-err, in this order; a case has name, classname, time and at
// most one failure or error. There is no skipped case and no output of a case,
// which some dialects have not: notes stand in the output of the suite.
//
// Non-goals: reading.
package junit

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Suite is one suite. Made is when it was played; the zero time is 1970.
type Suite struct {
	Package, Name string
	Made          time.Time
	Cases         []Case
	Notes         []string // one a line of system-out
}

// Case is one thing that passed or failed.
type Case struct {
	Class, Name string
	Took        time.Duration
	Failure     *Failure
}

// Failure says why a case failed: Type is a code, Text may have lines.
type Failure struct{ Type, Message, Text string }

type root struct {
	XMLName xml.Name `xml:"testsuites"`
	Suites  []suite  `xml:"testsuite"`
}

type suite struct {
	ID         int        `xml:"id,attr"`
	Package    string     `xml:"package,attr"`
	Name       string     `xml:"name,attr"`
	Timestamp  string     `xml:"timestamp,attr"`
	Hostname   string     `xml:"hostname,attr"`
	Tests      int        `xml:"tests,attr"`
	Failures   int        `xml:"failures,attr"`
	Errors     int        `xml:"errors,attr"`
	Time       string     `xml:"time,attr"`
	Properties struct{}   `xml:"properties"`
	Cases      []testcase `xml:"testcase"`
	Out        string     `xml:"system-out"`
	Err        string     `xml:"system-err"`
}

type testcase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Time    string   `xml:"time,attr"`
	Failure *failure `xml:"failure"`
}

type failure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// Encode writes the document. Characters that XML has not are shown by a
// stand-in; names lose blanks at their ends and doubled ones, since a strict
// reader would take them away.
func Encode(suites ...Suite) ([]byte, error) {
	doc := root{}
	for i, s := range suites {
		doc.Suites = append(doc.Suites, s.element(i))
	}
	var out bytes.Buffer
	out.WriteString(xml.Header)
	enc := xml.NewEncoder(&out)
	enc.Indent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return nil, fmt.Errorf("junit: %w", err)
	}
	out.WriteByte('\n')
	return out.Bytes(), nil
}

func (s Suite) element(id int) suite {
	made := s.Made
	if made.IsZero() {
		made = time.Unix(0, 0)
	}
	e := suite{ID: id, Package: token(s.Package), Name: token(s.Name), Timestamp: made.UTC().Format("2006-01-02T15:04:05"),
		Hostname: "localhost", Tests: len(s.Cases), Out: clean(strings.Join(s.Notes, "\n"))}
	var total time.Duration
	for _, c := range s.Cases {
		total += c.Took
		x := testcase{Name: token(c.Name), Class: token(c.Class), Time: seconds(c.Took)}
		if c.Failure != nil {
			e.Failures++
			x.Failure = &failure{token(c.Failure.Message), token(c.Failure.Type), clean(c.Failure.Text)}
		}
		e.Cases = append(e.Cases, x)
	}
	e.Time = seconds(total)
	return e
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.3f", d.Seconds()) }

// token is the type xs:token, never empty.
func token(s string) string {
	if t := strings.Join(strings.FieldsFunc(clean(s), unicode.IsSpace), " "); t != "" {
		return t
	}
	return "-"
}

// clean shows a control character by its picture.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r < 0x20 && r != '\t' && r != '\n' && r != '\r':
			return 0x2400 + r
		case r == 0xFFFE || r == 0xFFFF:
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(s, string(unicode.ReplacementChar)))
}
