package metrics

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"time"
)

// Server answers at one address until it is closed.
type Server struct {
	http *http.Server
	addr net.Addr
	done chan struct{}
}

// Address checks where figures may be asked for: a port of this machine, or,
// if public, any. ":9464" means this machine too.
func Address(address string, public bool) (string, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return "", fmt.Errorf("%q is no address and port, like 127.0.0.1:9464", address)
	}
	if host == "" && !public {
		host = "127.0.0.1"
	}
	ip := net.ParseIP(host)
	if !public && host != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return "", fmt.Errorf("%s can be reached by other machines, and anybody may ask there", address)
	}
	return net.JoinHostPort(host, port), nil
}

// Serve answers GET /metrics at an address that Address gave.
func Serve(address string, m *Meter) (*Server, error) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", m.Handler())
	s := &Server{addr: l.Addr(), done: make(chan struct{}),
		http: &http.Server{Handler: mux, ReadHeaderTimeout: 5 * time.Second, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16}}
	go func() {
		defer close(s.done)
		_ = s.http.Serve(l) // ends with Close
	}()
	return s, nil
}

// Addr is where it listens.
func (s *Server) Addr() string { return s.addr.String() }

// Close stops listening; answers under way have a moment to end.
func (s *Server) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := s.http.Shutdown(ctx)
	if err != nil {
		err = s.http.Close()
	}
	<-s.done
	return err
}
