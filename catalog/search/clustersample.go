package search

import (
	"cmp"
	"slices"
)

const (
	// sampledTexts is of about how many texts the clusters are taken that are to be
	// known, and sampledBytes how much of each.
	sampledTexts = 64
	sampledBytes = 8 << 10

	// clusterShare is the part of these texts that must have a cluster.
	clusterShare = 16

	// mostClusters is how many are known at most. There are no more either than
	// take six bits for eight bytes of text.
	mostClusters = 1 << 12

	// mostClustered is the size of all texts, in bytes, above which no clusters are
	// known. To find them takes half as long again as all else in an index; and where
	// there are so many texts, finding all that have what is common takes
	// milliseconds anyway.
	mostClustered = 128 << 20
)

// chooseClusters chooses clusters for texts that have so many bytes.
func chooseClusters(texts *Texts, bytes int) *clusters {
	if bytes > mostClustered || texts.Len == 0 {
		return newClusters(nil)
	}
	s := clusterSample{reader: reader{texts: texts}}
	s.numbers.reset()
	for i := 0; i < texts.Len; i += max(1, texts.Len/sampledTexts) {
		s.meet(i)
	}
	all := s.frequent()
	return newClusters(all[:min(len(all), mostClusters, bytes/texts.Len*6/8)])
}

// A clusterSample counts clusters in some texts.
type clusterSample struct {
	reader
	folded  []byte // scratch
	texts   uint32 // how many it has met
	numbers numbering
	seen    []seenCluster
}

type seenCluster struct {
	cluster cluster
	texts   int // how many have it
}

// meet counts the clusters in the ith text.
func (s *clusterSample) meet(i int) {
	s.texts++
	title := s.reader.texts.Title(i)
	s.folded = s.folder.append(s.folded[:0], title[:min(len(title), sampledBytes)])
	s.count(s.folded)
	body := s.reader.texts.Body(i)
	s.folded = s.body(s.folded[:0], body[:s.reader.texts.Cut(body, 0, min(len(body), sampledBytes))])
	s.count(s.folded)
}

func (s *clusterSample) count(text []byte) {
	var separators uint32
	for end := 1; end <= len(text); end++ {
		separators = separators<<1 | separates[text[end-1]]
		for length := shortestCluster; length <= min(end, longestCluster); length++ {
			if separators&(1<<length-1) != 0 {
				s.countOne(firstEight(text[end-length:]).cluster(length))
			}
		}
	}
}

func (s *clusterSample) countOne(c cluster) {
	slot := s.numbers.slot(uint64(c))
	if slot.number == 0 {
		s.seen = append(s.seen, seenCluster{cluster: c})
		slot = s.numbers.enter(slot, uint64(c), uint32(len(s.seen)))
	}
	if slot.latest != s.texts {
		slot.latest = s.texts
		s.seen[slot.number-1].texts++
	}
}

// frequent returns the clusters that many texts have, those of most first, and each
// behind what it begins with.
func (s *clusterSample) frequent() []cluster {
	slices.SortFunc(s.seen, func(a, b seenCluster) int {
		return cmp.Or(cmp.Compare(b.texts, a.texts), cmp.Compare(a.cluster, b.cluster))
	})
	var all []cluster
	for _, c := range s.seen {
		if c.texts > 1 && c.texts*clusterShare >= int(s.texts) {
			all = append(all, c.cluster)
		}
	}
	return all
}
