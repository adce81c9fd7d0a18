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
	name:  "entities",
	title: "Entities",
	flags: "--entities URL",
	about: `Six tools with which an agent reads the guides, concepts, projects and news of a project, how they relate, how pages
about them do in search, and what of them can be quoted. They come from a backend over HTTP, whose base URL the flag
names. A user and password in the URL are sent to it, or, in their place, the token of the variable
` + "`CATALOG_ENTITIES_TOKEN`" + `, and neither to any other host.

Every call but that for the projects is for one project, and there is no default. What belongs to another project is not
found, in the words that are used for what does not exist. Whatever the backend sends is checked before it is passed on; what
does not fit is a ` + "`SERVER_ERROR`" + `, whose cause stands in the log. Nothing is kept from one call to the next. A call
has 30 seconds, with all its requests, of which at most eight are under way at a time.

To try it out, run the small backend that the examples were played on:

` + "```sh" + `
go run ./toolsets/entities/internal/fakebackend/serve & # wait until it says that it listens
catalog call --entities http://127.0.0.1:8089 entities/search_entities '{"projectId": "00000000-0000-4000-a000-000000000001", "search": "rye"}'
` + "```",
	changes: "schemas/entities/v2/CHANGES.md",
	open:    openSample(v2.New),
	mistakes: []mistake{
		{description: "The params are not right; the code is −32602:", line: request("entities/search_entities", []byte(`{"projectId":"00000000-0000-4000-a000-000000000001","entityType":"video"}`))},
		{description: "There is no such entity, or it is in another project; −32001:", line: request("entities/get_entity", []byte(`{"projectId":"00000000-0000-4000-a000-000000000001","entityId":"66000000-0000-4000-8000-000000000001"}`))},
	},
}

var shownEntitiesV1 = shownToolset{
	name:   "entities",
	title:  "Entities, contract v1",
	suffix: " (v1)",
	flags:  "--entities URL --entities-contract v1",
	about: `Four tools over the same backend, with whole answers in place of pages, an order of their own, graphs of
entities alone, and details in errors. Agents get the tools of one contract or of the other.`,
	changes: "schemas/entities/v1/CHANGES.md",
	open:    openSample(v1.New),
	mistakes: []mistake{
		{description: "The params are not right; the code is −32602:", line: request("entities/search_entities", []byte(`{"projectId":"bakery","query":"rye"}`))},
		{description: "There is no such project; −32001:", line: request("entities/search_entities", []byte(`{"projectId":"00000000-0000-4000-a000-00000000dead","query":"rye"}`))},
	},
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
