// Package web serves HTTP: the pages for health, readiness and metrics, and the endpoint
// of a protocol.
//
// It authenticates requests by token and checks their hosts and origins. It limits the cost
// of connections: their number, and the time for sending a request and for reading the
// answer. It does not interpret the messages of the protocol. It opens no files and no
// ports; its caller passes a listener.
package web
