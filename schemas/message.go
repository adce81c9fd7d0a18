package schemas

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"github.com/xeipuuv/gojsonschema"
)

// message describes a library error in words that follow the name of a member, such as
// "must be at least 1".
func message(e gojsonschema.ResultError) string {
	d := e.Details()
	switch e.(type) {
	case *gojsonschema.InvalidTypeError:
		return wrongType(fmt.Sprint(d["expected"]), fmt.Sprint(d["given"]))
	case *gojsonschema.EnumError:
		return "must be one of: " + strings.Join(literals(fmt.Sprint(d["allowed"])), ", ")
	case *gojsonschema.ConstError:
		return "must be " + strings.Join(literals(fmt.Sprint(d["allowed"])), ", ")
	case *gojsonschema.NumberGTEError:
		return "must be at least " + number(d["min"])
	case *gojsonschema.NumberGTError:
		return "must be greater than " + number(d["min"])
	case *gojsonschema.NumberLTEError:
		return "must be at most " + number(d["max"])
	case *gojsonschema.NumberLTError:
		return "must be less than " + number(d["max"])
	case *gojsonschema.MultipleOfError:
		return "must be a multiple of " + number(d["multiple"])
	case *gojsonschema.StringLengthGTEError:
		return atLeast(d["min"], "character")
	case *gojsonschema.StringLengthLTEError:
		return atMost(d["max"], "character")
	case *gojsonschema.ArrayMinItemsError:
		return atLeast(d["min"], "element")
	case *gojsonschema.ArrayMaxItemsError:
		return atMost(d["max"], "element")
	case *gojsonschema.ArrayMinPropertiesError:
		return atLeast(d["min"], "member")
	case *gojsonschema.ArrayMaxPropertiesError:
		return atMost(d["max"], "member")
	case *gojsonschema.DoesNotMatchPatternError:
		return fmt.Sprintf("must match the pattern %v", d["pattern"])
	case *gojsonschema.FalseError:
		return "is not allowed here"
	}
	return "does not fit: " + e.Description()
}

func wrongType(expected, given string) string {
	if expected == "integer" && given == "number" {
		return "must be an integer, without a fraction"
	}
	names := strings.Split(strings.Trim(expected, "[]"), ",")
	for i, name := range names {
		names[i] = withArticle(name)
	}
	return fmt.Sprintf("must be %s, not %s", strings.Join(names, " or "), withArticle(given))
}

func withArticle(typeName string) string {
	switch typeName {
	case "null":
		return typeName
	case "array", "object", "integer":
		return "an " + typeName
	}
	return "a " + typeName
}

// literals splits the library's comma-separated list of JSON values. It removes the
// quotes from strings.
func literals(list string) []string {
	var values []json.RawMessage
	if err := json.Unmarshal([]byte("["+list+"]"), &values); err != nil {
		return []string{list}
	}
	out := make([]string, len(values))
	for i, value := range values {
		out[i] = string(value)
		if value[0] == '"' {
			must(json.Unmarshal(value, &out[i]))
		}
	}
	return out
}

// number formats a limit as it is written in the schema.
func number(bound any) string {
	if b, ok := bound.(*big.Float); ok {
		return b.Text('g', 17)
	}
	return fmt.Sprint(bound)
}

func atLeast(bound any, what string) string {
	if fmt.Sprint(bound) == "1" {
		return "must not be empty"
	}
	return fmt.Sprintf("must have at least %v %ss", bound, what)
}

func atMost(bound any, what string) string {
	return fmt.Sprintf("must have at most %v %ss", bound, what)
}
