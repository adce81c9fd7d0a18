package render

import (
	"instruction-catalog/catalog"
)

// Source is an entry that is to be rendered.
type Source struct {
	Entry *catalog.Entry
	// Data is its file as it is in the catalog; nil for an entry of a bundle.
	Data []byte
	// Path is where the file lies in the repository, or would: that it was imported
	// from, else that from the top of the catalog. It is "" for an entry of a bundle.
	Path string
	// Files are the other files of a skill, by their paths within its folder.
	Files map[string][]byte
}

// EntryRef names a version of an entry.
type EntryRef struct {
	ID   catalog.ID
	Hash catalog.Fingerprint // the entryHash
}

// File is a file that a target is due, or a region of one.
type File struct {
	Target, Path string
	// Region says that Content is what stands between the markers.
	Region  bool
	Content []byte
	// Entries are those in the file, in its order.
	Entries []EntryRef
	// Sections are the parts of Content that come from one entry each, in its order.
	Sections []Section
}

// Section is the part of a file's content that comes from one entry.
type Section struct {
	ID         catalog.ID
	Start, End int // in the content
	// Lines has for each line of the section the line of the entry's body that it is, from
	// 0; -1 for a line that the body does not have.
	Lines []int
}

// Warning is a field of an entry that a target cannot express, or another thing that a
// person should know. It has no ID if it is about an agent or the whole catalog.
type Warning struct {
	ID                           catalog.ID
	Target, Path, Field, Message string
}
