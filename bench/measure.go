package bench

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"time"
)

// A subject runs the measured operation once and returns its duration, excluding setup
// and cleanup.
type subject func() (time.Duration, error)

// timing summarises the durations of many rounds.
type timing struct {
	rounds        int
	p50, p95, max time.Duration
}

// Limits for slow operations: once they have taken longer than patience in total,
// [interleave] stops, but not before enough rounds.
const (
	enough   = 5
	patience = 2 * time.Second
)

// interleave runs the subjects in turn for a number of rounds and summarises each, so
// that a temporary slowdown of the machine affects all of them. Once the subjects
// together have taken longer than [patience], it stops, but not before [enough] rounds.
// It returns the first error, or the error of ctx.
func interleave(ctx context.Context, rounds int, subjects ...subject) ([]timing, error) {
	took := make([][]time.Duration, len(subjects))
	spent := time.Duration(0)
	for round := range rounds {
		if round >= enough && spent > patience {
			break
		}
		for i, run := range subjects {
			if err := ctx.Err(); err != nil {
				return nil, err
			}
			d, err := run()
			if err != nil {
				return nil, err
			}
			took[i] = append(took[i], d)
			spent += d
		}
	}
	timings := make([]timing, len(subjects))
	for i := range took {
		timings[i] = summarise(took[i])
	}
	return timings, nil
}

func summarise(took []time.Duration) timing {
	sorted := slices.Sorted(slices.Values(took))
	return timing{
		rounds: len(took),
		p50:    percentile(sorted, 50),
		p95:    percentile(sorted, 95),
		max:    percentile(sorted, 100),
	}
}

// percentile returns the p-th percentile of the sorted durations (nearest rank), or 0
// if there are none.
func percentile(sorted []time.Duration, p float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	rank := int(math.Ceil(p / 100 * float64(len(sorted))))
	return sorted[max(rank, 1)-1]
}

// fewer returns the number of rounds for a slow operation: a tenth of iterations, but
// at least ten, or all iterations if there are fewer than ten.
func fewer(iterations int) int { return max(iterations/10, min(iterations, 10)) }

// ServeFloor is the floor of a server that answers from memory. It reads lines that
// each begin with a number, and answers with a line of that many bytes, not counting
// the newline. It ignores the rest of a line and allocates only if an answer is longer
// than all before. It returns nil at the end of in.
func ServeFloor(in io.Reader, out io.Writer) error {
	lines := bufio.NewReaderSize(in, 64<<10)
	answer := []byte{'\n'}
	for {
		length, err := readLength(lines)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if missing := length + 1 - len(answer); missing > 0 {
			answer = append(bytes.Repeat([]byte{'x'}, missing), answer...)
		}
		// Write in one call: 9 MB in chunks of 16 KB took 1.3 times as long.
		if _, err := out.Write(answer[len(answer)-1-length:]); err != nil {
			return err
		}
	}
}

// readLength reads one line and returns the number at its start.
func readLength(lines *bufio.Reader) (int, error) {
	part, err := lines.ReadSlice('\n')
	number, _, _ := bytes.Cut(part, []byte{' '})
	length, bad := strconv.Atoi(string(number))
	for errors.Is(err, bufio.ErrBufferFull) {
		_, err = lines.ReadSlice('\n')
	}
	switch {
	case err != nil:
		return 0, err
	case bad != nil || length < 0:
		return 0, errors.New("a line must begin with a number of bytes and a space")
	}
	return length, nil
}

// floorLine returns a line as long as request that asks [ServeFloor] for length bytes.
func floorLine(request []byte, length int) []byte {
	line := bytes.Repeat([]byte{' '}, len(request))
	copy(line, strconv.Itoa(length))
	line[len(line)-1] = '\n'
	return line
}

// ReadAndHash is the floor of operations that read every file. It reads the files one
// after the other and computes the SHA-256 of each. Per file it allocates only the
// [os.File].
func ReadAndHash(paths []string) error {
	buffer, sum := make([]byte, 256<<10), sha256.New()
	for _, path := range paths {
		file, err := os.Open(path)
		if err == nil {
			sum.Reset()
			_, err = io.CopyBuffer(sum, struct{ io.Reader }{file}, buffer) // hides File.WriteTo, which would use another buffer
			sum.Sum(buffer[:0])
			_ = file.Close()
		}
		if err != nil {
			return fmt.Errorf("read a generated file: %w", err)
		}
	}
	return nil
}

// appendAndSync returns the floor of usage/track on disk. It appends a line as long as
// a usage record to f and syncs f.
func appendAndSync(f *os.File) subject {
	line := make([]byte, 160)
	return func() (time.Duration, error) {
		start := time.Now()
		_, err := f.Write(line)
		err = errors.Join(err, f.Sync())
		return time.Since(start), err
	}
}
