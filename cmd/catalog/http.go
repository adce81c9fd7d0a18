package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"os"
	"runtime"

	"github.com/spf13/cobra"

	"instruction-catalog/catalog/files"
	"instruction-catalog/rpc"
	"instruction-catalog/rpc/mcp"
	"instruction-catalog/rpc/server"
	"instruction-catalog/rpc/web"
)

// maxSecret is the maximum size, in bytes, of a file with a token, a certificate or a
// key.
const maxSecret = 1 << 20

// httpFlags holds the flags for where the server listens and who may use it.
type httpFlags struct {
	cmd       *cobra.Command
	address   string
	tokenFile string
	certFile  string
	keyFile   string
	insecure  bool
}

func (f *httpFlags) register(cmd *cobra.Command) {
	f.cmd = cmd
	set := cmd.Flags()
	set.StringVar(&f.address, "http", "", "serve MCP over HTTP at this `address`, such as 127.0.0.1:7777, instead of standard input")
	set.StringVar(&f.tokenFile, "token-file", "", "with --http: require a token from this `file` (Authorization: Bearer): a single one, or lines NAME:TOKEN, one for each user; a token has at least 16 characters")
	set.StringVar(&f.certFile, "tls-cert", "", "with --http: speak TLS with the certificate in this PEM `file`")
	set.StringVar(&f.keyFile, "tls-key", "", "with --http: the key of the certificate, a PEM `file`")
	set.BoolVar(&f.insecure, "insecure", false, "with --http: let other machines connect without TLS")
}

// wanted reports whether to serve HTTP.
func (f *httpFlags) wanted() bool { return f.given("http") }

func (f *httpFlags) given(name string) bool { return f.cmd.Flags().Changed(name) }

// config checks the flags and reads the files that they name.
func (f *httpFlags) config() (web.Config, error) {
	var config web.Config
	if err := f.check(); err != nil {
		return config, err
	}
	if f.tokenFile != "" {
		tokens, err := readTokens(f.tokenFile)
		if err != nil {
			return config, fmt.Errorf("--token-file %s: %w", f.tokenFile, err)
		}
		config.Tokens = tokens
	}
	if f.certFile != "" {
		certificate, err := readCertificate(f.certFile, f.keyFile)
		if err != nil {
			return config, err
		}
		config.Certificate = certificate
	}
	return config, nil
}

// check returns an error if the flags contradict each other. An address that other
// machines can reach needs a token, and TLS or --insecure.
func (f *httpFlags) check() error {
	if !f.wanted() {
		for _, name := range []string{"token-file", "tls-cert", "tls-key", "insecure"} {
			if f.given(name) {
				return fmt.Errorf("--%s requires --http: give the address to listen on, too", name)
			}
		}
		return nil
	}
	host, _, err := net.SplitHostPort(f.address)
	switch {
	case err != nil:
		return fmt.Errorf("--http %q: give a host and a port, such as 127.0.0.1:7777; port 0 chooses a free one", f.address)
	case f.given("max-line"):
		return errors.New("--max-line is for standard input, which --http does not serve: leave one of them out")
	case f.given("token-file") && f.tokenFile == "":
		return errors.New("--token-file is empty: name a file, or leave the flag out")
	case (f.certFile == "") != (f.keyFile == ""):
		return errors.New("a certificate needs its key: give both --tls-cert and --tls-key")
	case web.IsLoopback(host):
		return nil
	case f.tokenFile == "":
		return fmt.Errorf("other machines can connect to %s: give a token with --token-file, or listen on 127.0.0.1", f.address)
	case f.certFile == "" && !f.insecure:
		return fmt.Errorf("other machines can connect to %s: give a certificate with --tls-cert and --tls-key, "+
			"or allow --insecure connections, for a proxy that speaks TLS, or listen on 127.0.0.1", f.address)
	}
	return nil
}

func readTokens(path string) (web.Tokens, error) {
	text, err := readSecret(path)
	if err != nil {
		return nil, err
	}
	return web.ParseTokens(string(text))
}

func readCertificate(certFile, keyFile string) (*tls.Certificate, error) {
	certificate, err := readSmall(certFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s: %w", certFile, err)
	}
	key, err := readSecret(keyFile)
	if err != nil {
		return nil, fmt.Errorf("--tls-key %s: %w", keyFile, err)
	}
	pair, err := tls.X509KeyPair(certificate, key)
	if err != nil {
		return nil, fmt.Errorf("--tls-cert %s, --tls-key %s: %w", certFile, keyFile, err)
	}
	return &pair, nil
}

// readSecret reads a file. It fails if users other than the owner may open it (not
// checked on Windows).
func readSecret(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, files.Cause(err)
	}
	if mode := info.Mode().Perm(); runtime.GOOS != "windows" && mode&0o077 != 0 {
		return nil, fmt.Errorf("users other than its owner may open it (mode %04o): run chmod 600 %s", mode, path)
	}
	return readSmall(path)
}

func readSmall(path string) ([]byte, error) {
	f, err := files.Read(path, maxSecret)
	return f.Data, files.Cause(err)
}

// serveHTTP listens and serves until ctx is done.
func (a *app) serveHTTP(ctx context.Context, f *httpFlags, config web.Config, registry *rpc.Registry, protocol *mcp.Server) error {
	listener, err := f.listen(ctx)
	if err != nil {
		return err
	}
	endpoint := protocol.Handler()
	config.MCP, config.Drain = endpoint, endpoint.Drain
	config.Log, config.Grace = a.logger(), graceAnswers
	scheme := "http"
	if config.Certificate != nil {
		scheme = "https"
	}
	var served *web.Server
	pages := server.NewPages(registry, len(config.Tokens) > 0, endpoint.Gauges, func() []rpc.Gauge { return served.Gauges() })
	config.Health, config.Ready, config.Metrics = pages.Health, pages.Ready, pages.Metrics
	served = web.New(config)
	fmt.Fprintf(a.stderr, "listening on %s://%s%s\n", scheme, listener.Addr(), web.MCPPath)
	a.warnIfMissing(registry, config.Log)
	return served.Serve(ctx, listener)
}

// warnIfMissing logs a warning when the server starts if the catalog cannot be read.
func (a *app) warnIfMissing(registry *rpc.Registry, log *slog.Logger) {
	if _, serves := registry.Method("instructions/list"); !serves {
		return
	}
	if _, err := os.Stat(a.dir); err != nil {
		log.Warn("the catalog cannot be read yet: make the folder, or name another one with --dir", "dir", a.dir, "error", files.Cause(err))
	}
}

// network returns the network to listen on. An IPv4 address is opened for IPv4 only;
// otherwise 0.0.0.0 would also be opened for IPv6.
func (f *httpFlags) network() string {
	host, _, _ := net.SplitHostPort(f.address)
	if ip, err := netip.ParseAddr(host); err == nil && ip.Is4() {
		return "tcp4"
	}
	return "tcp"
}

// listen opens the address. It fails if check accepted the host as a loopback address
// but its name resolves to another address.
func (f *httpFlags) listen(ctx context.Context) (net.Listener, error) {
	var config net.ListenConfig
	listener, err := config.Listen(ctx, f.network(), f.address)
	if failed, ok := errors.AsType[*net.OpError](err); ok {
		err = failed.Err
	}
	if err != nil {
		return nil, fmt.Errorf("--http %s: %w: choose another address; port 0 chooses a free port", f.address, err)
	}
	asked, _, _ := net.SplitHostPort(f.address)
	host, _, _ := net.SplitHostPort(listener.Addr().String())
	if web.IsLoopback(asked) && !web.IsLoopback(host) {
		_ = listener.Close() // no client has connected yet
		return nil, fmt.Errorf("--http %s: %s is %s here, to which other machines can connect: name 127.0.0.1", f.address, asked, host)
	}
	return listener, nil
}
