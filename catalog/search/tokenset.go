package search

// inOneText is the state of a token whose set says all.
const inOneText = ^uint32(0)

// reserve makes room for the sets of tokens, and lists them.
func (c *tokenCounter) reserve(sets *tokenSets, tokens []token) shardTokens {
	length, data := 0, 0
	for _, t := range tokens {
		length += c.length(t)
		data += c.dataLength(t, sets)
	}
	sets.data = make([]uint16, 0, data)
	c.next = append(c.next[:0], make([]uint32, len(c.seen))...)
	kept := shardTokens{list: newTokenList(len(tokens), length), sets: make([]tokenSet, len(tokens))}
	for i, t := range tokens {
		kept.list.add(c.draft.at(c.seen[t].place))
		kept.sets[i] = c.reserveOne(sets, t)
	}
	return kept
}

func (c *tokenCounter) reserveOne(sets *tokenSets, t token) tokenSet {
	seen := &c.seen[t]
	if seen.texts == 1 {
		c.next[t] = inOneText
		return singleText | tokenSet(seen.first)
	}
	set := tokenSet(len(sets.data))
	sets.data = sets.data[:len(sets.data)+c.dataLength(t, sets)]
	c.next[t] = uint32(set) + 1
	if int(seen.texts) >= sets.bitmapLength() {
		c.next[t] |= isBitmap
	} else {
		sets.data[set] = uint16(seen.texts)
	}
	return set
}

// dataLength is how much data the set of a token takes.
func (c *tokenCounter) dataLength(t token, sets *tokenSets) int {
	if c.seen[t].texts == 1 {
		return 0
	}
	return 1 + min(int(c.seen[t].texts), sets.bitmapLength())
}

// fill enters the texts into the sets. It returns a bitmap of those that have a
// token without a set, nil where there is none.
func (c *tokenCounter) fill(sets *tokenSets) (rest bitmap) {
	start := uint32(0)
	for text, end := range c.ends {
		for _, t := range c.found[start:end] {
			switch next := c.next[t]; {
			case next == inOneText:
			case next == 0:
				if rest == nil {
					rest = newBitmap(sets.texts)
				}
				rest.set(text)
			case next&isBitmap != 0:
				sets.data[next&^isBitmap+uint32(text/16)] |= 1 << (text % 16)
			default:
				sets.data[next] = uint16(text)
				c.next[t]++
			}
		}
		start = end
	}
	return rest
}
