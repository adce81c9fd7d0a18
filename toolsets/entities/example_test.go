package entities_test

import (
	"errors"
	"fmt"

	"instruction-catalog/toolsets/entities"
)

// Ids are accepted in upper and lower case. An error names the param.
func ExampleParseID() {
	id, err := entities.ParseID("projectId", "00000000-0000-4000-A000-000000000001")
	fmt.Println(id, err)

	_, err = entities.ParseID("projectId", "rye")
	wrong, _ := errors.AsType[*entities.ParamError](err)
	fmt.Println(wrong.Param, wrong.Problem)
	// Output:
	// 00000000-0000-4000-a000-000000000001 <nil>
	// projectId must be a UUID of version 1 to 5, such as 00000000-0000-4000-a000-000000000001
}
