package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"
)

// httpServer is the program serving HTTP.
type httpServer struct {
	t      *testing.T
	cmd    *exec.Cmd
	url    string // without a path
	host   string // and port
	stderr *bufio.Reader
	stdout bytes.Buffer
	client *http.Client
}

// listen starts the program on a free port with further arguments, and waits until it
// listens.
func (p program) listen(t *testing.T, args ...string) *httpServer {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 3*guard+2**soakFor)
	s := &httpServer{t: t, client: &http.Client{Transport: &http.Transport{}}}
	s.cmd = exec.CommandContext(ctx, string(p), append([]string{"serve", "--http", "127.0.0.1:0", "--dir", fixture(t)}, args...)...)
	s.cmd.Dir, s.cmd.Stdout = t.TempDir(), &s.stdout
	stderr, err := s.cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cancel()
		_ = s.cmd.Wait() // if the test has not waited
	})
	s.stderr = bufio.NewReader(stderr)
	line, err := s.stderr.ReadString('\n')
	url, ok := strings.CutSuffix(strings.TrimPrefix(line, "listening on "), "/mcp\n")
	_, host, found := strings.Cut(url, "://")
	if err != nil || !ok || !found || strings.HasSuffix(host, ":0") {
		t.Fatalf("the program says %q (%v)", line, err)
	}
	s.url, s.host = url, host
	return s
}

// get returns the status and the body of a page.
func (s *httpServer) get(path string, header ...string) (int, string) {
	s.t.Helper()
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodGet, s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	for _, line := range header {
		name, value, _ := strings.Cut(line, ": ")
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		s.t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}

// end waits for the program to end, and returns its exit code and the rest of its log.
func (s *httpServer) end() (int, string) {
	s.t.Helper()
	rest, err := io.ReadAll(s.stderr)
	if err != nil {
		s.t.Error(err)
	}
	_ = s.cmd.Wait() // the exit code is checked instead
	if s.stdout.Len() > 0 {
		s.t.Errorf("standard output: %q", &s.stdout)
	}
	return s.cmd.ProcessState.ExitCode(), unwatched.ReplaceAllString(string(rest), "")
}

// unwatched matches the warning of a system that has no more file watches, which
// depends on other processes.
var unwatched = regexp.MustCompile(`(?m)^.*level=WARN msg="files are not watched .*\n`)

// terminate sends SIGTERM and waits until connections are refused.
func (s *httpServer) terminate() {
	s.t.Helper()
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		s.t.Fatal(err)
	}
	for {
		conn, err := net.Dial("tcp", s.host)
		if err != nil {
			return
		}
		conn.Close()
		time.Sleep(time.Millisecond)
	}
}

const search = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"instructions_search","arguments":{"q":"error"},` +
	`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`

// begin sends a tool call except for the last byte. It returns once the server has
// begun to read and asks for the rest.
func (s *httpServer) begin() (conn net.Conn, answer *bufio.Reader) {
	s.t.Helper()
	conn, err := net.Dial("tcp", s.host)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { conn.Close() })
	fmt.Fprintf(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAccept: application/json, text/event-stream\r\n"+
		"MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: instructions_search\r\n"+
		"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n%s", len(search), search[:len(search)-1])
	answer = bufio.NewReader(conn)
	for range 2 { // the status line and the empty line after it
		if line, err := answer.ReadString('\n'); err != nil || !strings.Contains("HTTP/1.1 100 Continue\r\n", line) {
			s.t.Fatalf("the request has not begun: %q (%v)", line, err)
		}
	}
	return conn, answer
}

// TestHTTP requests each page without a token.
func TestHTTP(t *testing.T) {
	t.Parallel()
	s := build(t).listen(t)
	if status, text := s.get("/healthz"); status != 200 || !strings.HasPrefix(text, `{"status":"ok","timestamp":`) {
		t.Errorf("/healthz: %d %q", status, text)
	}
	conn, from := s.begin()
	if _, err := io.WriteString(conn, search[len(search)-1:]); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(answer.Body)
	if err != nil || answer.StatusCode != 200 || !strings.Contains(string(text), "error-wrapping") {
		t.Errorf("/mcp: %s %q (%v)", answer.Status, text, err)
	}
	if status, text := s.get("/metrics"); status != 200 || !strings.Contains(text, `catalog_method_calls_total{method="instructions/search"} 1`) {
		t.Errorf("/metrics: %d %q", status, text)
	}
	if status, _ := s.get("/healthz", "Origin: http://example.com"); status != 403 {
		t.Errorf("a page of another origin: %d", status)
	}
}

// TestHTTPToken checks that everything except the health needs the token.
func TestHTTPToken(t *testing.T) {
	t.Parallel()
	const secret = "0123456789abcdef"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(secret+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	s := build(t).listen(t, "--token-file", file)
	if status, text := s.get("/healthz"); status != 200 || text != `{"status":"ok"}` {
		t.Errorf("/healthz: %d %q", status, text)
	}
	for _, path := range []string{"/mcp", "/metrics"} {
		if status, text := s.get(path); status != 401 {
			t.Errorf("%s without the token: %d %q", path, status, text)
		}
		if status, text := s.get(path, "Authorization: Bearer "+secret); status == 401 {
			t.Errorf("%s with the token: %q", path, text)
		}
	}
}

// TestHTTPS checks that the server uses the certificate and the key in the files.
func TestHTTPS(t *testing.T) {
	t.Parallel()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}}
	certificate, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir, trusted := t.TempDir(), x509.NewCertPool()
	for name, block := range map[string]*pem.Block{"CERTIFICATE": {Type: "CERTIFICATE", Bytes: certificate}, "PRIVATE KEY": {Type: "PRIVATE KEY", Bytes: private}} {
		text := pem.EncodeToMemory(block)
		trusted.AppendCertsFromPEM(text)
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	s := build(t).listen(t, "--tls-cert", filepath.Join(dir, "CERTIFICATE"), "--tls-key", filepath.Join(dir, "PRIVATE KEY"))
	s.client.Transport = &http.Transport{TLSClientConfig: &tls.Config{RootCAs: trusted}}
	if status, text := s.get("/healthz"); status != 200 || !strings.HasPrefix(s.url, "https://") {
		t.Errorf("%s/healthz: %d %q", s.url, status, text)
	}
}

// TestHTTPAddressInUse checks that the error names the address and what to do.
func TestHTTPAddressInUse(t *testing.T) {
	t.Parallel()
	p := build(t)
	s := p.listen(t)
	second := p.start(t, "serve", "--http", s.host)
	code := second.wait()
	if stderr := second.stderr.String(); code != exitFailed || !strings.HasPrefix(stderr, "catalog: --http "+s.host+": ") ||
		!strings.Contains(stderr, "choose another address; port 0 chooses a free port") {
		t.Errorf("exit code %d, standard error:\n%s", code, stderr)
	}
}

// TestHTTPSignalInRequest checks that after a signal the request is answered, then
// streams end, and then the program.
func TestHTTPSignalInRequest(t *testing.T) {
	t.Parallel()
	needSignals(t)
	s := build(t).listen(t)
	stream := s.subscribe()
	conn, from := s.begin()
	s.terminate()
	if _, err := io.WriteString(conn, search[len(search)-1:]); err != nil {
		t.Fatal(err)
	}
	answer, err := http.ReadResponse(from, nil)
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(answer.Body); err != nil || answer.StatusCode != 200 || !strings.Contains(string(text), "error-wrapping") {
		t.Errorf("answered %s %q (%v)", answer.Status, text, err)
	}
	if rest, err := io.ReadAll(stream); err != nil || !strings.Contains(string(rest), `"id":2,"result":`) {
		t.Errorf("the stream ended with %q (%v)", rest, err)
	}
	if code, said := s.end(); code != exitClean || said != "" {
		t.Errorf("exit code %d, standard error:\n%s", code, said)
	}
}

// subscribe opens a stream of notifications and returns once it has begun.
func (s *httpServer) subscribe() io.Reader {
	s.t.Helper()
	body := strings.NewReader(`{"jsonrpc":"2.0","id":2,"method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":["instruction://index"]},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	r, err := http.NewRequestWithContext(s.t.Context(), http.MethodPost, s.url+"/mcp", body)
	if err != nil {
		s.t.Fatal(err)
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen",
	} {
		r.Header.Set(name, value)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { answer.Body.Close() })
	stream := bufio.NewReader(answer.Body)
	if line, err := stream.ReadString('\n'); err != nil || line != "event: message\n" {
		s.t.Fatalf("no stream: %s %q (%v)", answer.Status, line, err)
	}
	return stream
}

// TestHTTPSignalWhileIdle checks that the program ends at once, even with an idle
// connection and one that has sent nothing.
func TestHTTPSignalWhileIdle(t *testing.T) {
	t.Parallel()
	needSignals(t)
	s := build(t).listen(t)
	s.get("/healthz")
	silent, err := net.Dial("tcp", s.host)
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	s.client = &http.Client{Transport: &http.Transport{}} // it has no connection yet
	s.get("/healthz")                                     // now the server has accepted the earlier connections
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if code, said := s.end(); code != exitClean || said != "" {
		t.Errorf("exit code %d, standard error:\n%s", code, said)
	}
}

// TestHTTPSignalInVain checks that a request that does not end is aborted, with an exit
// code other than 0.
func TestHTTPSignalInVain(t *testing.T) {
	t.Parallel()
	needSignals(t)
	s := build(t).listen(t)
	s.begin()
	s.terminate()
	if code, said := s.end(); code != exitFailed || said != "catalog: the shutdown timeout expired before all requests were answered\n" {
		t.Errorf("exit code %d, standard error:\n%s", code, said)
	}
}
