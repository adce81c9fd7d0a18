package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"math/big"
	"net"
	"net/http"
	"testing"
	"time"
)

// certificate returns one for 127.0.0.1 that signs itself, and who trusts it.
func certificate(t *testing.T) (*tls.Certificate, *x509.CertPool) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	parsed, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	pool := x509.NewCertPool()
	pool.AddCert(parsed)
	return &tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}, pool
}

// TestTLS: version 1.2 at least, and nothing without it.
func TestTLS(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t)
	var trusted *x509.CertPool
	s.config.Certificate, trusted = certificate(t)
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- s.Serve(ctx, listener) }()
	address := listener.Addr().String() + MCPPath
	for name, tt := range map[string]struct {
		url  string
		most uint16
		want int
	}{
		"1.3":   {"https://" + address, tls.VersionTLS13, 200},
		"1.2":   {"https://" + address, tls.VersionTLS12, 200},
		"1.1":   {"https://" + address, tls.VersionTLS11, 0},
		"plain": {"http://" + address, 0, 400},
	} {
		transport := &http.Transport{
			TLSClientConfig:   &tls.Config{RootCAs: trusted, MinVersion: tls.VersionTLS10, MaxVersion: tt.most},
			ForceAttemptHTTP2: true,
		}
		answer, err := (&http.Client{Transport: transport}).Get(tt.url)
		switch {
		case err != nil:
			if tt.want != 0 {
				t.Errorf("%s: %v", name, err)
			}
		case answer.StatusCode != tt.want || answer.ProtoMajor != 1:
			t.Errorf("%s: %s %s, want %d", name, answer.Proto, answer.Status, tt.want)
		}
		if err == nil {
			answer.Body.Close()
		}
		transport.CloseIdleConnections()
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("Serve: %v", err)
	}
}
