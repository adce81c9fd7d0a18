package main

import (
	"fmt"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities/httpapi"
	v1 "instruction-catalog/toolsets/entities/v1"
	v2 "instruction-catalog/toolsets/entities/v2"
)

// entitiesToken is the environment variable with the backend's bearer token. It is not
// a flag because flags are visible in the list of processes.
const entitiesToken = "CATALOG_ENTITIES_TOKEN"

// entitiesToolset is the toolset of the entities of a project.
var entitiesToolset = toolsetRow{
	name: "entities",
	flags: []toolsetFlag{
		{name: "entities", env: "CATALOG_ENTITIES", usage: "answer from the backend of entities at this base `URL`; " + entitiesToken + " is its bearer token"},
		{name: "entities-contract", env: "CATALOG_ENTITIES_CONTRACT", usage: "`version` of the contract that agents get: v1 or v2", fallback: "v2"},
	},
	open: openEntities,
}

func openEntities(c toolsetConfig) (rpc.Toolset, error) {
	client, err := httpapi.New(c.value("entities"), c.env(entitiesToken))
	if err != nil {
		return rpc.Toolset{}, err
	}
	var toolset rpc.Toolset
	switch version := c.value("entities-contract"); version {
	case "v1":
		toolset = v1.New(client, c.log)
	case "v2":
		toolset = v2.New(client, c.log)
	default:
		return toolset, fmt.Errorf("there is no contract %q: give --entities-contract v1 or v2", version)
	}
	toolset.Close = client.Close
	return toolset, nil
}
