// Command serve runs the fake backend of entities, to try the toolset out:
//
//	go run ./toolsets/entities/internal/fakebackend/serve
//	catalog call --entities http://127.0.0.1:8089 entities/list_projects
//
// It serves the sample data of the tests. By default it listens only on this machine.
package main

import (
	"flag"
	"log"
	"net"
	"net/http"
	"time"

	"instruction-catalog/toolsets/entities/internal/fakebackend"
)

func main() {
	address := flag.String("address", "127.0.0.1:8089", "listen on this `host:port`")
	delay := flag.Duration("delay", 0, "let every answer wait so long")
	flag.Parse()
	backend := fakebackend.New(fakebackend.Sample())
	backend.SetDelay(*delay)
	listener, err := net.Listen("tcp", *address)
	if err != nil {
		log.Fatal(err)
	}
	log.Printf("listens: the sample of entities is at http://%s", listener.Addr())
	server := &http.Server{Handler: backend, ReadHeaderTimeout: 10 * time.Second}
	log.Fatal(server.Serve(listener))
}
