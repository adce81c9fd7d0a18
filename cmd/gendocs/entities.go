package main

import (
	"log/slog"
	"net/http/httptest"

	"instruction-catalog/rpc"
	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/sample"
	"instruction-catalog/toolsets/entities/v1"
	"instruction-catalog/toolsets/entities/v2"
)

var shownEntities = shownToolset{
	name:    "entities",
	title:   "Entities",
	prose:   "entities",
	flags:   "--entities URL",
	changes: "schemas/entities/v2/CHANGES.md",
	open:    openSample(v2.New),
}

var shownEntitiesV1 = shownToolset{
	name:    "entities",
	title:   "Entities, contract v1",
	prose:   "entities-v1",
	suffix:  " (v1)",
	flags:   "--entities URL --entities-contract v1",
	changes: "schemas/entities/v1/CHANGES.md",
	open:    openSample(v1.New),
}

// openSample returns the function that makes a toolset on the sample.
func openSample(toolset func(entities.Backend, *slog.Logger) rpc.Toolset) func(string) (rpc.Toolset, error) {
	return func(string) (rpc.Toolset, error) {
		backend := httptest.NewServer(sample.Handler())
		client, err := httpapi.New(backend.URL, "")
		if err != nil {
			return rpc.Toolset{}, err
		}
		t := toolset(client, slog.New(slog.DiscardHandler))
		t.Close = func() error {
			backend.Close()
			return client.Close()
		}
		return t, nil
	}
}
