package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog"
	"instruction-catalog/catalog/files"
	"instruction-catalog/governance/sum"
)

func (a *app) keygenCommand() *cobra.Command {
	var file, name string
	var again bool
	cmd := &cobra.Command{
		Use:   "keygen --key FILE",
		Short: "Make a key that signs catalogs",
		Long: `Makes a key pair (Ed25519). The private key is written to the file of --key, which
only you can read; treat it as a secret. The public key is printed on a line of its
own: give it to the people who check your signatures, through a channel that editors
of the catalog cannot change.

An existing file is never overwritten. The private key is never written into the
folder of the catalog, where it would be committed. --public prints the public key
again.`,
		Example: `  catalog keygen --key ~/.config/catalog.key --name platform-team > platform-team.pub
  catalog keygen --key ~/.config/catalog.key --public
  catalog sign --key ~/.config/catalog.key`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if again {
				return a.showPublicKey(file)
			}
			public, err := a.generateKey(file, name)
			if err != nil {
				return err
			}
			return a.writePublicKey(public)
		},
	}
	keyFlag(cmd, &file, "write the private key to this `file`")
	cmd.Flags().StringVar(&name, "name", "catalog", "the `name` in signatures, without spaces")
	cmd.Flags().BoolVar(&again, "public", false, "only print the public key that belongs to the key in the file")
	cmd.MarkFlagsMutuallyExclusive("name", "public")
	return cmd
}

// showPublicKey prints the public key that belongs to an existing signing key.
func (a *app) showPublicKey(file string) error {
	key, err := a.readSignerKey(file)
	if err != nil {
		return fmt.Errorf("--key: %w", err)
	}
	return a.writePublicKey(key.Public())
}

func (a *app) writePublicKey(key string) error {
	return a.report(map[string]string{"publicKey": key}, "%s", key)
}

// keyFlag adds the required flag --key.
func keyFlag(cmd *cobra.Command, file *string, usage string) {
	cmd.Flags().StringVar(file, "key", "", usage)
	_ = cmd.MarkFlagRequired("key") // the flag exists
	_ = cmd.MarkFlagFilename("key")
}

// generateKey writes a new signing key to a file and returns the public key.
func (a *app) generateKey(file, name string) (public string, err error) {
	if file == "" {
		return "", emptyFlag("key")
	}
	target, err := follow(file)
	if err != nil {
		return "", fmt.Errorf("--key: %w", files.Cause(err))
	}
	if below, _ := a.belowCatalog(target); below {
		return "", fmt.Errorf("--key: %s is in the folder of the catalog, %s, where others would get it: name a file elsewhere", file, a.dir)
	}
	secret, public, err := sum.GenerateKeys(name)
	if err != nil {
		return "", fmt.Errorf("--name: %w", err)
	}
	root, err := os.OpenRoot(filepath.Dir(target))
	if err != nil {
		return "", fmt.Errorf("--key: the folder of %s cannot be opened (%w): make it first", file, files.Cause(err))
	}
	defer root.Close()
	err = files.CreateNewIn(root, filepath.Base(target), []byte(secret+"\n"), 0o600)
	switch {
	case errors.Is(err, fs.ErrExist):
		return "", fmt.Errorf("--key: %s already exists, and keys are never overwritten: name another file", file)
	case err != nil:
		return "", fmt.Errorf("--key: %s cannot be written (%w)", file, files.Cause(err))
	}
	return public, files.SyncFolder(os.Open, filepath.Dir(target))
}

func (a *app) signCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "sign --key FILE",
		Short: "Sign catalog.sum, and with it the catalog",
		Long: `Signs the catalog: writes catalog.sum.note beside catalog.sum, with the head of a
Merkle tree over its lines and the time, signed with the key of "catalog keygen".

catalog.sum must match the catalog. If it does not, the changes are listed, and nothing
is signed. A key that other users can read is refused.

The signature proves that this state was signed, and when. It does not prove that the
state is the latest: someone who can replace the files can restore an older signed one.`,
		Example: `  catalog lock && catalog sign --key ~/.config/catalog.key
  catalog verify --pubkey platform-team.pub
  catalog serve --require-signed platform-team.pub`,
		Args: arguments(0, 0),
		RunE: func(cmd *cobra.Command, _ []string) error { return a.sign(cmd.Context(), file) },
	}
	keyFlag(cmd, &file, "the `file` with the private key")
	return cmd
}

// signed describes a signature that was written.
type signed struct {
	Path     string            `json:"path"`
	Lines    int               `json:"lines"`
	Root     string            `json:"root"`
	SignedBy string            `json:"signedBy"` // NAME+HASH
	SignedAt catalog.Timestamp `json:"signedAt"`
}

func (a *app) sign(ctx context.Context, file string) error {
	if err := a.refuseBundle(); err != nil {
		return err
	}
	key, err := a.readSignerKey(file)
	if err != nil {
		return fmt.Errorf("--key: %w", err)
	}
	g, err := a.governed(ctx)
	if err != nil {
		return err
	}
	stands, err := a.inStep(g)
	if err != nil {
		return err
	}
	note, head, err := key.Sign(stands, time.Now())
	if err != nil {
		return err
	}
	if err := a.writeMetadata(catalog.NoteFile, note); err != nil {
		return err
	}
	s := signed{path.Join(a.folder(), catalog.NoteFile), len(stands), head.Root.String(), key.String(), catalog.NewTimestamp(head.Time)}
	return a.report(s, "%s: %s of %s signed by %s at %s", s.Path, count(s.Lines, "line", "lines"), catalog.SumFile, s.SignedBy, s.SignedAt)
}

// readSignerKey reads a signing key. It fails if others can access the file (not
// checked on Windows), or if it is in the catalog's folder.
func (a *app) readSignerKey(file string) (sum.SignerKey, error) {
	var none sum.SignerKey
	if file == "" {
		return none, errors.New("it is empty: name the file with the key")
	}
	if below, _ := a.belowCatalog(file); below {
		return none, fmt.Errorf("%s is in the folder of the catalog, %s, where others get it: move it elsewhere, and make a new key if it was ever committed", file, a.dir)
	}
	opened, info, err := files.Open(file)
	if err != nil {
		return none, fmt.Errorf("%s: %w", file, files.Cause(err))
	}
	defer opened.Close()
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return none, fmt.Errorf("%s can be read or written by others (mode %04o): run chmod 600 on it, and make a new key if this one may have been read", file, mode)
	}
	text, err := files.ReadAll(opened, sum.MaxKey)
	if err != nil {
		return none, fmt.Errorf("%s: %w", file, files.Cause(err))
	}
	key, err := sum.ParseSignerKey(string(text))
	if err != nil {
		return none, fmt.Errorf("%s: %w", file, err)
	}
	return key, nil
}

// publicKey is a flag whose value is a public key or a file that contains one. The file
// is read when the command runs.
type publicKey struct {
	name, value string
	given       bool
}

// register adds the flag to a command.
func (k *publicKey) register(cmd *cobra.Command, name, usage string) {
	k.name = name
	cmd.Flags().Var(k, name, usage+": a public `key`, as \"catalog keygen\" printed it, or a file with it")
}

// String, Set and Type implement pflag.Value.
func (k *publicKey) String() string { return k.value }

func (k *publicKey) Set(value string) error {
	k.value, k.given = value, true
	return nil
}

func (k *publicKey) Type() string { return "key" }

// read returns the key, or nil if the flag was not given.
func (k *publicKey) read() (*sum.PublicKey, error) {
	if !k.given {
		return nil, nil
	}
	key, err := readPublicKey(k.value)
	if err != nil {
		return nil, fmt.Errorf("--%s: %w", k.name, err)
	}
	return &key, nil
}

// isPublicKey reports whether a value is a public key rather than the name of a file.
func isPublicKey(value string) bool {
	_, err := sum.ParsePublicKey(value)
	return err == nil
}

// readPublicKey parses a public key, or reads one from the file that value names.
func readPublicKey(value string) (sum.PublicKey, error) {
	if strings.TrimSpace(value) == "" {
		return sum.PublicKey{}, errors.New("it is empty: give a public key, or a file with it")
	}
	key, problem := sum.ParsePublicKey(value)
	if problem == nil {
		return key, nil
	}
	f, err := files.Read(value, sum.MaxKey)
	switch {
	case err == nil:
		key, problem = sum.ParsePublicKey(string(f.Data))
		if problem != nil {
			return key, fmt.Errorf("%s: %w", value, problem)
		}
		return key, nil
	case strings.Contains(value, "+"): // unlikely to be a path; do not print it, as it may be a secret
		return key, problem
	}
	return key, fmt.Errorf("%s is neither a public key, NAME+HASH+KEY, nor a file with one (%w)", value, files.Cause(err))
}
