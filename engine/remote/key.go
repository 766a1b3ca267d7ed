package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/zalando/go-keyring"
)

// keyringService is the name under which keys lie in the system's keyring.
const keyringService = "fabula"

// keyringPatience bounds the wait for a keyring, which may ask its owner to
// unlock it.
const keyringPatience = 30 * time.Second

// Environment gives the key in an environment variable.
func Environment(variable string) func(context.Context) (string, error) {
	return func(context.Context) (string, error) {
		secret := strings.TrimSpace(os.Getenv(variable))
		if secret == "" {
			return "", fmt.Errorf("no key: the environment variable %s is empty", variable)
		}
		return secret, nil
	}
}

// Keyring gives the key that StoreKey put under a server's name.
func Keyring(name string) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		secret := ""
		err := patiently(ctx, func() (err error) {
			secret, err = keyring.Get(keyringService, name)
			return err
		})
		if errors.Is(err, keyring.ErrNotFound) {
			return "", fmt.Errorf("no key in the keyring: store it with 'fabula engines key %s'", name)
		}
		if err != nil {
			return "", fmt.Errorf("keyring: %w; a key can be in the environment instead: key_env: VARIABLE", err)
		}
		return secret, nil
	}
}

// StoreKey puts a server's key into the keyring; an empty one is taken out.
func StoreKey(ctx context.Context, name, secret string) error {
	err := patiently(ctx, func() error {
		if secret == "" {
			return keyring.Delete(keyringService, name)
		}
		return keyring.Set(keyringService, name, secret)
	})
	if err != nil && !(secret == "" && errors.Is(err, keyring.ErrNotFound)) {
		return fmt.Errorf("keyring: %w; a key can be in the environment instead: key_env: VARIABLE", err)
	}
	return nil
}

// patiently runs what may ask a person, and does not wait for ever.
func patiently(ctx context.Context, do func() error) error {
	ctx, cancel := context.WithTimeout(ctx, keyringPatience)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- do() }()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return fmt.Errorf("no answer: %w", ctx.Err())
	}
}

// key is found once; a failure is tried again.
type key struct {
	find func(context.Context) (string, error)

	mu     sync.Mutex
	secret string
}

func (k *key) get(ctx context.Context) (string, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.find == nil || k.secret != "" {
		return k.secret, nil
	}
	secret, err := k.find(ctx)
	if err != nil {
		return "", err
	}
	if strings.ContainsFunc(secret, func(r rune) bool { return r < '!' || r > '~' }) {
		return "", errors.New("the key holds blanks or characters that no header may carry; store it anew")
	}
	k.secret = secret
	return secret, nil
}

func (k *key) forget() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.secret = ""
}

// redact takes a secret out of a text that somebody will read.
func redact(text, secret string) string {
	if secret == "" {
		return text
	}
	return strings.ReplaceAll(text, secret, "[key]")
}
