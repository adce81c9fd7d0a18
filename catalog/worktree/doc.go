// Package worktree synchronizes a catalog with a repository that contains agents'
// files. Import copies those files into the catalog, Render writes files from the
// catalog, and Adopt copies edits of rendered files back into the catalog.
//
// The content of a repository may come from a clone and is not trusted. The package
// uses no path that leads out of the repository, and it never replaces a file whose
// bytes exist nowhere else.
package worktree
