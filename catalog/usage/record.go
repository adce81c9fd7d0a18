package usage

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"instruction-catalog/catalog"
)

// version is the version of the journal's format. A journal with a newer version is
// neither read nor written.
const version = 1

// format is the value of the member journal in a journal's header.
const format = "uses of instructions"

var (
	errForeign = errors.New("it is not a journal of uses, or its first line is damaged")
	errNewer   = errors.New("it was written by a newer version of this program")
)

// header is the first line of a journal. A journal that replaces another has a new
// generation.
type header struct {
	Journal    string            `json:"journal"`
	Version    int               `json:"version"`
	Generation string            `json:"generation"`
	Since      catalog.Timestamp `json:"since"` // when counting began
}

// record is any other line: uses of one entry. A writer numbers its records, so that a
// record that is in the journal twice counts once.
type record struct {
	Writer string     `json:"writer"`
	Number uint64     `json:"number"`
	ID     catalog.ID `json:"id"`
	Totals
	// Sum reports whether the totals include all records of the writer for the entry up
	// to Number. Compaction writes such records.
	Sum bool `json:"sum,omitempty"`
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendLine appends a line to dst: the CRC-32C of value's JSON in hexadecimal, a
// space, the JSON and a newline.
func appendLine(dst []byte, value any) ([]byte, error) {
	text, err := json.Marshal(value)
	if err != nil {
		return nil, err
	}
	return fmt.Appendf(dst, "%08x %s\n", crc32.Checksum(text, castagnoli), text), nil
}

func appendRecords(dst []byte, records []record) ([]byte, error) {
	var err error
	for _, r := range records {
		if dst, err = appendLine(dst, r); err != nil {
			return nil, err
		}
	}
	return dst, nil
}

// parseLine decodes a line without its newline into value. It returns false if the line
// is damaged.
func parseLine(line []byte, value any) bool {
	checksum, text, found := bytes.Cut(line, []byte(" "))
	if !found || string(checksum) != fmt.Sprintf("%08x", crc32.Checksum(text, castagnoli)) {
		return false
	}
	return json.Unmarshal(text, value) == nil
}

// maxHeader is the maximum length of a header, in bytes.
const maxHeader = 1 << 10

// readHeader returns the header of a journal and the length of its line. The error is
// errForeign if the file is not a journal, and errNewer if its version is newer.
func readHeader(journal io.ReaderAt) (header, int64, error) {
	var h header
	start := make([]byte, maxHeader)
	n, err := journal.ReadAt(start, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return h, 0, err
	}
	line, _, whole := bytes.Cut(start[:n], []byte("\n"))
	switch {
	case !whole || !parseLine(line, &h) || h.Journal != format:
		return h, 0, errForeign
	case h.Version > version:
		return h, 0, errNewer
	}
	return h, int64(len(line)) + 1, nil
}
