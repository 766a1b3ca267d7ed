package store

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// The files that tell other processes who holds a store.
const (
	HolderFile   = "holder.json"
	SnapshotFile = "snapshot.sock"
)

// maxSocket is how long a socket's path may be: the smallest limit of the
// systems we run on is 104 bytes with the closing zero.
const maxSocket = 100

// greeting is sent before the store is copied, so that a reader soon knows
// that the holder lives.
const greeting = "fabula snapshot 1"

// serveWait bounds how long one reading command may take to fetch a snapshot.
const serveWait = 30 * time.Second

// Holder is what holder.json says.
type Holder struct {
	PID    int       `json:"pid"`
	Host   string    `json:"host"`
	Since  time.Time `json:"since"`
	Socket string    `json:"socket,omitempty"` // empty: no snapshots are served
}

// holder announces this process and serves snapshots until released.
type holder struct {
	dir    string
	listen net.Listener
	tmp    string // private folder of the socket when the store's path is too long
	wait   sync.WaitGroup
	mu     sync.Mutex
	conns  map[net.Conn]bool
	copyTo func(io.Writer) error
}

// hold announces this process. A store works without: what fails here only
// keeps reading commands out.
func hold(dir string, copyTo func(io.Writer) error) *holder {
	h := &holder{dir: dir, copyTo: copyTo, conns: map[net.Conn]bool{}}
	host, _ := os.Hostname()
	info := Holder{PID: os.Getpid(), Host: host, Since: time.Now().UTC()}
	if path, err := h.socket(); err == nil {
		info.Socket = path
		h.wait.Go(h.serve)
	}
	_ = writeHolder(filepath.Join(dir, HolderFile), info)
	return h
}

// socket listens in the store's folder, or in a private folder where that
// path is too long for a socket. A socket file that a dead holder left is
// replaced: the lock of the store proves that it is dead.
func (h *holder) socket() (string, error) {
	path, err := filepath.Abs(filepath.Join(h.dir, SnapshotFile))
	if err != nil {
		return "", err
	}
	if len(path) > maxSocket {
		if h.tmp, err = os.MkdirTemp("", "fabula-"); err != nil {
			return "", err
		}
		path = filepath.Join(h.tmp, SnapshotFile)
	}
	_ = os.Remove(path)
	h.listen, err = net.Listen("unix", path)
	if err == nil {
		err = os.Chmod(path, 0o600)
	}
	return path, err
}

func writeHolder(path string, info Holder) error {
	data, err := json.Marshal(info)
	if err != nil {
		return err
	}
	tmp := path + ".new"
	if err := os.WriteFile(tmp, data, fileMode); err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// readHolder gives the zero Holder when nobody announced itself.
func readHolder(dir string) Holder {
	var info Holder
	data, err := os.ReadFile(filepath.Join(dir, HolderFile))
	if err == nil {
		_ = json.Unmarshal(data, &info)
	}
	return info
}

func (h *holder) serve() {
	for {
		conn, err := h.listen.Accept()
		if err != nil {
			return
		}
		h.mu.Lock()
		h.conns[conn] = true
		h.mu.Unlock()
		h.wait.Go(func() { h.answer(conn) })
	}
}

// answer sends one snapshot. It is copied aside first, because a transaction
// that is open for as long as a reader likes makes the file grow.
func (h *holder) answer(conn net.Conn) {
	defer func() {
		h.mu.Lock()
		delete(h.conns, conn)
		h.mu.Unlock()
		_ = conn.Close()
	}()
	_ = conn.SetDeadline(time.Now().Add(serveWait))
	if _, err := fmt.Fprintln(conn, greeting); err != nil {
		return
	}
	file, size, err := h.aside()
	if err != nil {
		_, _ = fmt.Fprintf(conn, "0 %v\n", err)
		return
	}
	defer func() { _ = file.Close() }()
	if _, err := fmt.Fprintf(conn, "%d\n", size); err == nil {
		_, _ = io.Copy(conn, file)
	}
}

func (h *holder) aside() (*os.File, int64, error) {
	f, err := os.CreateTemp("", "fabula-snapshot-")
	if err != nil {
		return nil, 0, err
	}
	_ = os.Remove(f.Name()) // its blocks go when it is closed
	err = h.copyTo(f)
	var size int64
	if err == nil {
		size, err = f.Seek(0, io.SeekCurrent)
	}
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, 0, errors.Join(err, f.Close())
	}
	return f, size, nil
}

// release stops serving and takes the announcement back.
func (h *holder) release() {
	if h.listen != nil {
		_ = h.listen.Close()
	}
	h.mu.Lock()
	for conn := range h.conns {
		_ = conn.Close()
	}
	h.mu.Unlock()
	h.wait.Wait()
	_ = os.Remove(filepath.Join(h.dir, HolderFile))
	if h.tmp != "" {
		_ = os.RemoveAll(h.tmp)
	}
}

// fetch copies a snapshot from the holder's socket into w.
func fetch(socket string, w io.Writer) error {
	conn, err := net.DialTimeout("unix", socket, askWait)
	if err != nil {
		return err
	}
	defer func() { _ = conn.Close() }()
	in := bufio.NewReader(conn)
	_ = conn.SetDeadline(time.Now().Add(askWait))
	switch head, err := in.ReadString('\n'); {
	case err != nil:
		return fmt.Errorf("it does not answer: %w", err)
	case strings.TrimSpace(head) != greeting:
		return fmt.Errorf("it is another version of fabula: %q", strings.TrimSpace(head))
	}
	_ = conn.SetDeadline(time.Now().Add(serveWait))
	head, err := in.ReadString('\n')
	if err != nil {
		return fmt.Errorf("it does not send its store: %w", err)
	}
	var size int64
	if _, err := fmt.Sscanf(head, "%d", &size); err != nil || size == 0 {
		return fmt.Errorf("it could not copy its store: %s", strings.TrimSpace(head))
	}
	if n, err := io.Copy(w, in); err != nil || n != size {
		return fmt.Errorf("snapshot cut short at %d of %d bytes: %w", n, size, errors.Join(err, io.ErrUnexpectedEOF))
	}
	return nil
}
