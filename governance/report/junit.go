package report

import (
	"encoding/xml"
	"fmt"
	"io"
)

// The elements of JUnit XML that a report uses.
type (
	junitSuites struct {
		XMLName xml.Name     `xml:"testsuites"`
		Suites  []junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name       string           `xml:"name,attr"`
		Tests      int              `xml:"tests,attr"`
		Failures   int              `xml:"failures,attr"`
		Errors     int              `xml:"errors,attr"`
		Properties *junitProperties `xml:"properties,omitempty"`
		Cases      []junitCase      `xml:"testcase"`
	}
	junitProperties struct {
		All []junitProperty `xml:"property"`
	}
	junitProperty struct {
		Name  string `xml:"name,attr"`
		Value string `xml:"value,attr"`
	}
	junitCase struct {
		Class   string        `xml:"classname,attr"`
		Name    string        `xml:"name,attr"`
		File    string        `xml:"file,attr,omitempty"`
		Failure *junitFailure `xml:"failure,omitempty"`
		Out     string        `xml:"system-out,omitempty"`
	}
	junitFailure struct {
		Type    Severity `xml:"type,attr"`
		Message string   `xml:"message,attr"`
		Text    string   `xml:",chardata"`
	}
)

// junit writes each finding as a test case, which fails if the finding fails the run. If
// there are no findings, it writes one test case that passed, because consumers reject a
// report without test cases.
func (r Report) junit(w io.Writer) error {
	suite := junitSuite{Name: "catalog verify"}
	if r.Criteria != nil {
		suite.Properties = &junitProperties{}
	}
	for _, name := range r.Criteria {
		suite.Properties.All = append(suite.Properties.All, junitProperty{"criteria", OneLine(name)})
	}
	for _, f := range r.Findings {
		c := f.junit(r.Fails(f))
		if c.Failure != nil {
			suite.Failures++
		}
		suite.Cases = append(suite.Cases, c)
	}
	if suite.Cases == nil {
		suite.Cases = []junitCase{{Class: "catalog", Name: "verify"}}
	}
	suite.Tests = len(suite.Cases)
	text, err := xml.MarshalIndent(junitSuites{Suites: []junitSuite{suite}}, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, text)
	return err
}

func (f Finding) junit(failed bool) junitCase {
	c := junitCase{
		Class: "catalog." + OneLine(string(f.Rule)), Name: OneLine(f.Place.String()), File: OneLine(f.Path),
	}
	if failed {
		c.Failure = &junitFailure{Type: f.Severity, Message: OneLine(f.Message), Text: f.String()}
	} else {
		c.Out = f.String()
	}
	return c
}
