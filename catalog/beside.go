package catalog

// The files that stand in the folder of a catalog beside its entries.
const (
	GatesFile = "gates.json" // its policy gates
	// CriteriaFile has what texts are reviewed by. It may lie in a folder docs beside
	// or above the catalog instead.
	CriteriaFile = "PROMPT-CRITERIA.json"
	SumFile      = "catalog.sum"      // a hash of each entry, and of the gates
	NoteFile     = "catalog.sum.note" // the signature of that
)
