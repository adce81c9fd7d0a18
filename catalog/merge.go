package catalog

// Duplicates maps an entry to the entries with the same body that were merged into it, in the
// order in which they were found.
type Duplicates map[*Entry][]*Entry

// mergeEqual returns the entries without those that have the same body as an earlier
// one. It compares bodies by their SourceHash.
func mergeEqual(entries []*Entry) (kept []*Entry, duplicates Duplicates) {
	first := make(map[Fingerprint]*Entry, len(entries))
	duplicates = Duplicates{}
	for _, e := range entries {
		if same, ok := first[e.SourceHash]; ok {
			duplicates[same] = append(duplicates[same], e)
			continue
		}
		first[e.SourceHash] = e
		kept = append(kept, e)
	}
	return kept, duplicates
}
