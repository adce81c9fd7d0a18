package v2_test

import (
	"log/slog"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"instruction-catalog/rpc"
	"instruction-catalog/rpc/rpctest"
	"instruction-catalog/toolsets/entities"
	"instruction-catalog/toolsets/entities/httpapi"
	"instruction-catalog/toolsets/entities/internal/fakebackend"
	v2 "instruction-catalog/toolsets/entities/v2"
)

// fixture is the toolset with a fake backend and its log.
type fixture struct {
	*fakebackend.Server
	registry *rpc.Registry
	log      *strings.Builder
}

func newFixture(t testing.TB, data fakebackend.Data) *fixture {
	t.Helper()
	f := &fixture{Server: fakebackend.New(data), log: &strings.Builder{}}
	server := httptest.NewServer(f.Server)
	t.Cleanup(server.Close)
	client, err := httpapi.New(server.URL, "")
	if err != nil {
		t.Fatal(err)
	}
	f.registry = registryOn(t, client, f.log)
	return f
}

func registryOn(t testing.TB, backend entities.Backend, log *strings.Builder) *rpc.Registry {
	t.Helper()
	logger := slog.New(slog.NewTextHandler(log, nil))
	registry := rpc.NewRegistry(logger, time.Now)
	if err := registry.Add(v2.New(backend, logger)); err != nil {
		t.Fatal(err)
	}
	return registry
}

// call returns the result, or the data of the error.
func (f *fixture) call(t testing.TB, tool, params string) string {
	t.Helper()
	return rpctest.Call(t, f.registry, "entities/"+tool, params)
}
