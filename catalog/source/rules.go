package source

// The ids of the rules for diagnostics about which files are read.
const (
	BundlePart         = "bundle/part"
	FileName           = "file/name"
	FileNotRead        = "file/not-read"
	FileShadowed       = "file/shadowed"
	FileUnreadable     = "file/unreadable"
	GatesElsewhere     = "gates/elsewhere"
	SymlinkNotFollowed = "symlink/not-followed"
	NoAgentsFile       = "no-agents-file"
	NoEntries          = "no-entries"
)
