// Command control writes the files that the quality lab is tested with: a
// model's dequantised copy, and a copy with one layer spoilt.
//
//	go run ./engine/gguf/weights/control MODEL.gguf F16.gguf
//	go run ./engine/gguf/weights/control MODEL.gguf SPOILT.gguf blk.15. 1.2
package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"

	"fabula/engine/gguf/header"
	"fabula/engine/gguf/weights"
)

func main() {
	if err := write(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "control:", err)
		os.Exit(1)
	}
}

func write(args []string) error {
	if len(args) != 2 && len(args) != 4 {
		return errors.New("MODEL.gguf OUT.gguf [PREFIX FACTOR]")
	}
	var scales []weights.Scale
	if len(args) == 4 {
		by, err := strconv.ParseFloat(args[3], 32)
		if err != nil {
			return err
		}
		scales = append(scales, weights.Scale{Prefix: args[2], By: float32(by)})
	}
	in, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer in.Close()
	h, err := header.Open(args[0])
	if err != nil {
		return err
	}
	out, err := os.Create(args[1])
	if err != nil {
		return err
	}
	return errors.Join(weights.Copy(out, h, in, weights.F16, scales...), out.Close())
}
