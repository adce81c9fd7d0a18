package catalog

// Names of the files in a catalog folder that are not entries.
const (
	GatesFile = "gates.json" // the policy gates of the catalog
	// CriteriaFile holds the criteria for reviewing texts. It may instead be in a
	// folder called docs, in the catalog's folder or in a folder above that.
	CriteriaFile = "PROMPT-CRITERIA.json"
	SumFile      = "catalog.sum"      // a hash of each entry, and of the gates and criteria
	NoteFile     = "catalog.sum.note" // the signature of catalog.sum
)
