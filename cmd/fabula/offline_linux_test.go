package main

import (
	"errors"
	"net"
	"os"
	"syscall"
	"testing"
	"unsafe"
)

// offlineEnv says that the tests run where there is no network: make
// test-offline runs the command scripts there.
const offlineEnv = "FABULA_TEST_OFFLINE"

// Ensure that the scripts really run without a network: nothing but this machine
// can be reached, so a command that asked for more would fail.
func TestOffline(t *testing.T) {
	if os.Getenv(offlineEnv) == "" {
		t.Log("with a network; make test-offline runs the scripts without one")
		return
	}
	if err := loopback(); err != nil {
		t.Fatal(err)
	}
	_, err := net.Dial("udp", "192.0.2.1:53")
	if !errors.Is(err, syscall.ENETUNREACH) {
		t.Errorf("a network is there: %v", err)
	}
}

// loopback brings up the one interface that a new network namespace has: some
// scripts play a server on this machine.
func loopback() error {
	s, err := syscall.Socket(syscall.AF_INET, syscall.SOCK_DGRAM, 0)
	if err != nil {
		return err
	}
	defer func() { _ = syscall.Close(s) }()
	request := struct {
		name  [syscall.IFNAMSIZ]byte
		flags uint16
		_     [22]byte
	}{flags: syscall.IFF_UP | syscall.IFF_RUNNING}
	copy(request.name[:], "lo")
	if _, _, no := syscall.Syscall(syscall.SYS_IOCTL, uintptr(s), syscall.SIOCSIFFLAGS, uintptr(unsafe.Pointer(&request))); no != 0 {
		return no
	}
	return nil
}
