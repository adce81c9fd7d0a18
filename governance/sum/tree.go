package sum

import "golang.org/x/mod/sumdb/tlog"

// tree is the Merkle tree of RFC 6962 over the lines of a sum, each without its
// newline.
type tree struct {
	size   int64
	hashes []tlog.Hash // in the order of their storage indexes in tlog
}

func treeOf(s Sum) (*tree, error) {
	t := &tree{hashes: make([]tlog.Hash, 0, 2*len(s))}
	for _, l := range s {
		stored, err := tlog.StoredHashesForRecordHash(t.size, leaf(l), t)
		if err != nil {
			return nil, err
		}
		t.hashes = append(t.hashes, stored...)
		t.size++
	}
	return t, nil
}

// leaf returns the hash of a line in the tree.
func leaf(l Line) tlog.Hash { return tlog.RecordHash([]byte(l.String())) }

// ReadHashes implements [tlog.HashReader].
func (t *tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, at := range indexes {
		found[i] = t.hashes[at]
	}
	return found, nil
}

func (t *tree) root() (tlog.Hash, error) { return tlog.TreeHash(t.size, t) }
