package schemas_test

import (
	"fmt"

	"instruction-catalog/schemas"
)

// Issues say in words what to change.
func ExampleSchema_Validate() {
	method, _ := schemas.V1().Method("instructions/search")
	issues, err := method.Params.Validate([]byte(`{"q": "wrap", "limit": 0, "Mode": "ranked"}`))
	if err != nil {
		panic(err) // it is not JSON
	}
	for _, issue := range issues {
		fmt.Printf("%s: %s\n", issue.Path, issue.Message)
	}
	// Output:
	// Mode: is not known here; known are: agent, also, appliesTo, audience, category, count, cursor, fields, limit, mode, nearest, q, requirement, revision, snippet, sort, status
	// limit: must be at least 1
}

// Each toolset has its own contract.
func ExampleFor() {
	tasks := schemas.For("tasks", "v1")
	fmt.Println(tasks.Methods())
	// Output: [tasks/add_task tasks/complete_task tasks/delete_task tasks/list_tasks tasks/update_task]
}
