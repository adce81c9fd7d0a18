package source

import (
	"errors"
	"io/fs"
	"path"
	"strings"
	"time"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/agents"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/format"
)

// addLink selects the target of a symbolic link if links to that file are followed. It
// reports any other link as a diagnostic or as unread.
func (c *chooser) addLink(f candidate) {
	written, _ := c.root.Readlink(f.path) // for messages only; an error leaves it empty
	target, err := files.Resolve(c.root, f.path)
	var info fs.FileInfo
	if err == nil {
		info, err = c.root.Lstat(target)
	}
	switch {
	case files.Exhausted(err):
		c.exhausted = err
	case err != nil:
		c.report(SymlinkNotFollowed, catalog.SeverityError, f.path,
			"the symbolic link to %s cannot be followed within the catalog (%s): put the file here, or link to a file of the catalog by a relative path", format.Quote(written), files.Cause(err))
	case info.IsDir():
		c.report(SymlinkNotFollowed, catalog.SeverityNote, f.path,
			"the symbolic link to the folder %s is not followed: its files are served from their own place", format.Quote(written))
	case !format.MayBeEntry(f.path):
		c.unread.addFile(f.path, noInstruction)
	case !info.Mode().IsRegular():
		c.report(FileUnreadable, catalog.SeverityError, f.path, "%s", errNotRegular)
	case c.whyRefused(target) != "":
		c.report(SymlinkNotFollowed, catalog.SeverityWarning, f.path,
			"the symbolic link to %s is not followed: %s; put the file here, or link to Markdown or an agent's file that is read in its own place", format.Quote(written), c.whyRefused(target))
	default:
		f.target, f.identity = target, files.IdentityOf(info, time.Now())
		c.chosen = append(c.chosen, f)
	}
}

// follow returns the path of the file that a symbolic link leads to. It returns an
// error if the link must not be followed.
func (w *walker) follow(link string) (target string, err error) {
	target, err = files.Resolve(w.root, link)
	if err == nil && w.whyRefused(target) != "" {
		return "", errors.New(w.whyRefused(target))
	}
	return target, err
}

// whyRefused returns the reason why symbolic links to the target are not followed, or ""
// if they are. The path must contain no symbolic links.
func (w *walker) whyRefused(target string) string {
	place, ok := agents.At(target)
	isAgents := ok && place.Kind != agents.SkillResource && place.Kind != agents.OpenCodeConfig
	visible := target
	if isAgents {
		visible = path.Dir(target)
	}
	switch ext := strings.ToLower(path.Ext(target)); {
	case hiddenSegment(visible) != "":
		return format.Quote(hiddenSegment(visible)) + " is hidden"
	case !isAgents && ext != ".md" && ext != ".mdc" && ext != ".markdown":
		return "the file is neither Markdown nor read by an agent"
	case w.ignores(target):
		return "git ignores the file"
	}
	return ""
}

// hiddenSegment returns the first segment of a path that begins with a dot and is not a
// folder for agents' files. It returns "" if there is none.
func hiddenSegment(p string) string {
	for segment := range strings.SplitSeq(p, "/") {
		if strings.HasPrefix(segment, ".") && segment != "." && !agents.IsFolder(segment) {
			return segment
		}
	}
	return ""
}
