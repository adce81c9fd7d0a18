//go:build !unix

package main

import (
	"io/fs"
)

// owner is nothing here: a new file belongs to whom its folder says.
type owner struct{}

func ownerOf(fs.FileInfo) owner { return owner{} }

func (owner) isOurs() bool { return true }

func (owner) sameUser(owner) bool { return true }
