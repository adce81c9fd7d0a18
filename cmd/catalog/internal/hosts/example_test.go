package hosts_test

import (
	"fmt"

	"instruction-catalog/cmd/catalog/internal/hosts"
)

func ExampleHost_Add() {
	host, err := hosts.Find("cursor")
	if err != nil {
		fmt.Println(err)
		return
	}
	before := []byte(`{
	"mcpServers": {
		// ours come first
		"tickets": {"command": "tickets"},
	},
}
`)
	after, err := host.Add(before, hosts.Server{Command: "catalog", Args: []string{"serve"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%s", after)

	back, _, err := host.Remove(after, hosts.Server{Command: "catalog"})
	fmt.Println(string(back) == string(before), err)
	// Output:
	// {
	// 	"mcpServers": {
	// 		// ours come first
	// 		"tickets": {"command": "tickets"},
	// 		"catalog": {
	// 			"type": "stdio",
	// 			"command": "catalog",
	// 			"args": ["serve"]
	// 		},
	// 	},
	// }
	// true <nil>
}
