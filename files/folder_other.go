//go:build !linux

package files

import "bytes"

// readPlain leaves it to [ReadIn].
func (f *Folder) readPlain(string, int, *bytes.Buffer) (File, bool) { return File{}, false }
