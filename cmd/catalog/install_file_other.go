//go:build !unix

package main

import (
	"io/fs"
)

// owner is empty on this system: a new file's folder determines its owner.
type owner struct{}

func ownerOf(fs.FileInfo) owner { return owner{} }

func (owner) isOurs() bool { return true }

func (owner) sameUser(owner) bool { return true }
