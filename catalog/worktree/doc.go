// Package worktree connects a catalog with a repository that carries agents' files.
// Import copies those files into the catalog, Render brings them in line
// with it, and Adopt takes edits back into it.
//
// Whatever a repository says about itself may have come with a clone, and is not
// trusted: no path leads out of the repository, and no file is replaced whose bytes
// nobody else has.
package worktree
