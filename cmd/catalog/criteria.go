package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"syscall"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/catalog/source"
	"instruction-catalog/docs"
	"instruction-catalog/governance/review"
	"instruction-catalog/schemas/strict"
)

// criteriaCache caches parsed criteria, because parsing takes longer than reading them.
type criteriaCache struct {
	mu     sync.Mutex
	parsed map[[2]string]parsedCriteria // by path and name
	parts  []*review.Criteria           // the parts that merged was made from
	merged *review.Criteria
}

type parsedCriteria struct {
	data     []byte
	criteria *review.Criteria
	err      error
}

// criteriaFor returns the review criteria for a catalog. readOwn reads the catalog's
// own criteria, if it has any.
//
// The bare method uses the rules of a single file; all other methods use
// [app.mergedCriteria]. Files are read at each call. Invalid criteria are an error
// until the file is fixed.
func (a *app) criteriaFor(readOwn func() (source.Criteria, error), bare bool) (*review.Criteria, error) {
	a.criteriaCache.mu.Lock()
	defer a.criteriaCache.mu.Unlock()
	user, err := a.userCriteria(bare)
	switch {
	case err != nil:
		return nil, err
	case bare && user.Data != nil:
		return a.criteriaCache.parse(user)
	}
	own, err := readOwn()
	if err != nil {
		return nil, explainCriteria(err)
	}
	project, err := a.projectCriteria(own)
	switch {
	case err != nil:
		return nil, err
	case !bare:
		return a.mergedCriteria(project, own, user)
	case project.Data != nil:
		return a.criteriaCache.parse(project)
	case own.Carried:
		return a.criteriaCache.parse(own)
	}
	return a.criteriaCache.parse(builtInCriteria)
}

// mergedCriteria returns the built-in criteria merged with those of the project, the
// catalog and the user. Criteria in a repository only add rules to the built-in ones.
// Only criteria that the user names replace rules.
func (a *app) mergedCriteria(project, own, user source.Criteria) (*review.Criteria, error) {
	if project.Path == own.Path {
		project = source.Criteria{}
	}
	c := &a.criteriaCache
	var parts []*review.Criteria
	for _, file := range []source.Criteria{builtInCriteria, project, own, user} {
		if file.Data == nil {
			continue
		}
		part, err := c.parse(file)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	if slices.Equal(parts, c.parts) {
		return c.merged, nil
	}
	merged := parts[0]
	for i, part := range parts[1:] {
		if user.Data != nil && i == len(parts)-2 {
			merged = merged.Replace(part)
		} else {
			merged = merged.Add(part)
		}
	}
	c.parts, c.merged = parts, merged
	return merged, nil
}

// methodCriteria returns the criteria for the method prompt/review. For the bare
// method, the rules of a file check a text only as given and not as rendered, and do
// not treat quotations differently, because the method's specification has neither.
func (a *app) methodCriteria(readOwn func() (source.Criteria, error), bare bool) (*review.Criteria, error) {
	criteria, err := a.criteriaFor(readOwn, bare)
	if err == nil && bare && !slices.Contains(criteria.Names(), review.BuiltIn) {
		criteria = criteria.Literal()
	}
	return criteria, err
}

// catalogCriteria returns the criteria for the catalog in --dir.
func (a *app) catalogCriteria(bare bool) (*review.Criteria, error) {
	return a.criteriaFor(a.source().Criteria, bare)
}

var builtInCriteria = source.Criteria{Name: review.BuiltIn, Data: docs.PromptCriteria}

// projectCriteria returns the criteria of the project in the working directory, or in
// the parent folder in which the catalog was found. If these are the catalog's own, it
// returns own and does not read them again.
func (a *app) projectCriteria(own source.Criteria) (source.Criteria, error) {
	path := a.projectCriteriaPath()
	switch path {
	case "":
		return source.Criteria{}, nil
	case own.Path:
		return own, nil
	}
	return readCriteria(path, "docs/"+catalog.CriteriaFile)
}

// projectCriteriaPath returns the path of the project's criteria, or "" if the project
// has none.
func (a *app) projectCriteriaPath() string {
	path := filepath.Join(a.above.project, "docs", catalog.CriteriaFile)
	// A dangling link counts as existing: the project wants other criteria than the
	// built-in ones.
	_, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return ""
	}
	return path
}

// userCriteria returns the criteria that --criteria names. Without the flag it returns
// those that the user's configuration names, or the zero Criteria for the bare method.
func (a *app) userCriteria(bare bool) (source.Criteria, error) {
	switch {
	case a.criteria != "":
		return readCriteria(a.criteria, a.criteria)
	case bare:
		return source.Criteria{}, nil
	}
	config := a.userConfig()
	f, err := files.Read(config, maxUserConfig)
	if config == "" || errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return source.Criteria{}, nil
	}
	if err != nil {
		return source.Criteria{}, fmt.Errorf("%s: %w", config, files.Cause(err))
	}
	path, err := criteriaIn(f.Data)
	switch {
	case err != nil:
		return source.Criteria{}, fmt.Errorf(`%s: it must be an object with no other member than "criteria", the name of a file with criteria`, config)
	case path == "":
		return source.Criteria{}, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(config), path)
	}
	return readCriteria(path, path)
}

// criteriaIn returns the criteria file that the user's configuration names, or "" if it
// names none.
func criteriaIn(config []byte) (path string, err error) {
	var members map[string]json.RawMessage
	text, err := strict.JSON(config)
	if err == nil {
		err = json.Unmarshal(text, &members)
	}
	for name, value := range members {
		if name != "criteria" || json.Unmarshal(value, &path) != nil || path == "" {
			err = errors.New(name)
		}
	}
	return path, err
}

// maxUserConfig is the maximum size of the user's configuration, in bytes.
const maxUserConfig = 64 << 10

func readCriteria(path, name string) (source.Criteria, error) {
	data, err := source.ReadCriteria(path)
	if err != nil {
		return source.Criteria{}, explainCriteria(&source.UnreadableError{Name: path, Err: err})
	}
	return source.Criteria{Name: filepath.ToSlash(name), Path: path, Data: data}, nil
}

// explainCriteria adds advice to an error from reading criteria.
func explainCriteria(err error) error {
	at, ok := errors.AsType[*source.UnreadableError](err)
	switch {
	case !ok:
		return err
	case errors.Is(err, files.ErrNotRegular):
		return fmt.Errorf("%s: this is not a regular file: put a file with criteria here, or name another with --criteria", at.Name)
	case errors.Is(err, files.ErrTooLarge):
		return fmt.Errorf("%s: the file has more than %d bytes: make it smaller, or name another with --criteria", at.Name, source.MaxCriteria)
	}
	return fmt.Errorf("read the criteria for prompts: %s: %w", at.Name, files.Cause(at.Err))
}

// parse returns the parsed criteria of a file. If the file has not changed, it returns
// the cached criteria or error. The caller must hold c.mu.
func (c *criteriaCache) parse(file source.Criteria) (*review.Criteria, error) {
	key := [2]string{file.Path, file.Name}
	kept, known := c.parsed[key]
	if known && bytes.Equal(kept.data, file.Data) {
		return kept.criteria, kept.err
	}
	kept = parsedCriteria{data: file.Data}
	parse := review.Parse
	if bytes.Equal(file.Data, docs.PromptCriteria) {
		parse = review.ParseTested
	}
	if kept.criteria, kept.err = parse(file.Data); kept.err != nil {
		kept.err = fmt.Errorf("%s: %w", file.Path, kept.err)
	} else {
		kept.criteria = kept.criteria.Named(file.Name)
	}
	if c.parsed == nil {
		c.parsed = map[[2]string]parsedCriteria{}
	}
	c.parsed[key] = kept
	return kept.criteria, kept.err
}

// checkCriteria checks the criteria before the start of a server that can review
// prompts. The built-in criteria, and a file with the same content, are known to be
// valid and are not parsed before the first review. If the criteria come from the
// project and not from a flag, it logs that, because their authors decide what the bare
// method finds.
func (a *app) checkCriteria() error {
	path, name := a.criteria, a.criteria
	if path == "" {
		path, name = a.projectCriteriaPath(), "docs/"+catalog.CriteriaFile
		if path == "" {
			return nil
		}
		a.logger().Info("prompts are reviewed by the criteria of the folder", "file", path)
	}
	file, err := readCriteria(path, name)
	if err != nil || bytes.Equal(file.Data, docs.PromptCriteria) {
		return err
	}
	a.criteriaCache.mu.Lock()
	defer a.criteriaCache.mu.Unlock()
	_, err = a.criteriaCache.parse(file)
	return err
}
