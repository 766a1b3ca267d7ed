package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	bolt "go.etcd.io/bbolt"

	"fabula/story"
)

// A sealed value is an object of JSON that ends in when it was written and the
// head of the SHA-256 of where it belongs and of all that stands before:
//
//	{"v":2,…,"written":1764590400000000000,"sum":"0123456789abcdef"}
//
// Values of schema 2 and before have v 1 and no seal; written anew they get one.
const (
	version    = 2 // v of a sealed value
	unsealedV  = `{"v":1,`
	writtenTag = `,"written":`
	sumTag     = `,"sum":"`
	sumBytes   = 8
	sealTail   = len(sumTag) + 2*sumBytes + len(`"}`)
)

// errAltered: a value is not what was written.
var errAltered = errors.New("it was changed after it was written")

// put stores a sealed value.
func put(tx *bolt.Tx, bucket string, id story.ID, value any) error {
	data, err := json.Marshal(value)
	if err == nil {
		data, err = seal(tx, bucket, string(id), data)
	}
	if err != nil {
		return fmt.Errorf("encode %s of %s: %w", id, bucket, err)
	}
	return tx.Bucket([]byte(bucket)).Put([]byte(id), data)
}

// seal ends an object of JSON; its time is later than that of all before.
func seal(tx *bolt.Tx, bucket, key string, object []byte) ([]byte, error) {
	at, err := tick(tx)
	if err != nil {
		return nil, err
	}
	data := append(bytes.TrimSuffix(object, []byte("}")), writtenTag...)
	data = strconv.AppendUint(data, at, 10)
	sum := sumOf(bucket, key, data)
	return append(append(append(data, sumTag...), sum...), `"}`...), nil
}

func sumOf(bucket, key string, data []byte) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s/%s\n", bucket, key)
	_, _ = h.Write(data)
	return hex.EncodeToString(h.Sum(nil)[:sumBytes])
}

// unseal holds a value against its seal and tells when it was written: 0 where
// it has none because its format is older. Errors: errAltered.
func unseal(bucket, key string, data []byte) (written uint64, err error) {
	if bytes.HasPrefix(data, []byte(unsealedV)) {
		return 0, nil
	}
	body := max(len(data)-sealTail, 0)
	tail := data[body:]
	at := bytes.LastIndex(data[:body], []byte(writtenTag))
	if at < 0 || string(tail) != sumTag+sumOf(bucket, key, data[:body])+`"}` {
		return 0, errAltered
	}
	if written, err = strconv.ParseUint(string(data[at+len(writtenTag):body]), 10, 64); err != nil {
		return 0, errAltered
	}
	return written, nil
}

// tick gives the time, in nanoseconds, and something later than the last time
// it gave where the clock was set back.
func tick(tx *bolt.Tx) (uint64, error) {
	b := tx.Bucket([]byte("index"))
	at := max(uint64(time.Now().UnixNano()), b.Sequence()+1)
	return at, b.SetSequence(at)
}
