package worktree

import "slices"

// hunk is an edit that replaces the lines old[from:to] with now.
type hunk struct {
	from, to int
	now      []string
}

// maxCells is the maximum number of cells in the table that hunksOf uses to compare
// lines.
const maxCells = 16 << 20

// hunksOf returns the hunks that turn the lines old into the lines now. It uses a
// longest common subsequence. If its table would have more than maxCells cells, hunksOf
// returns one hunk from the first line that differs to the last.
func hunksOf(old, now []string) (hunks []hunk) {
	start := 0
	for start < len(old) && start < len(now) && old[start] == now[start] {
		start++
	}
	end := 0
	for end < len(old)-start && end < len(now)-start && old[len(old)-1-end] == now[len(now)-1-end] {
		end++
	}
	a, b := old[start:len(old)-end], now[start:len(now)-end]
	if len(a) == 0 && len(b) == 0 {
		return nil
	}
	if len(a)*len(b) > maxCells {
		return []hunk{{start, start + len(a), b}}
	}
	common := commonLengths(a, b)
	for i, j := 0, 0; i < len(a) || j < len(b); {
		if i < len(a) && j < len(b) && a[i] == b[j] {
			i, j = i+1, j+1
			continue
		}
		h := hunk{from: start + i}
		for i < len(a) || j < len(b) {
			if i < len(a) && j < len(b) && a[i] == b[j] {
				break
			}
			if j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1] {
				i++
			} else {
				h.now = append(h.now, b[j])
				j++
			}
		}
		h.to = start + i
		hunks = append(hunks, h)
	}
	return hunks
}

// commonLengths returns a table in which [i][j] is the length of the longest common
// subsequence of a[i:] and b[j:].
func commonLengths(a, b []string) [][]int32 {
	lengths := make([][]int32, len(a)+1)
	lengths[len(a)] = make([]int32, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		lengths[i] = make([]int32, len(b)+1)
		for j := len(b) - 1; j >= 0; j-- {
			if lengths[i][j] = max(lengths[i+1][j], lengths[i][j+1]); a[i] == b[j] {
				lengths[i][j] = lengths[i+1][j+1] + 1
			}
		}
	}
	return lengths
}

// upward moves an insertion up while the line above it equals its last line, but not
// above the line least. Text between two sections thus belongs to the earlier one.
func (h hunk) upward(old []string, least int) hunk {
	for h.from == h.to && h.from > least && len(h.now) > 0 && old[h.from-1] == h.now[len(h.now)-1] {
		h.now = slices.Concat(h.now[len(h.now)-1:], h.now[:len(h.now)-1])
		h.from, h.to = h.from-1, h.to-1
	}
	return h
}
