// Package web serves a registry over HTTP: its health and its metrics, and
// beside them the endpoint of a protocol that it is given.
//
// It decides who may ask (addresses, tokens) and what from (hosts, origins), and
// it bounds what a connection can cost: how many there are, how long they may
// take to say something and to listen to the answer. It never looks into what a
// protocol says, and opens neither files nor ports: it is given a listener.
package web
