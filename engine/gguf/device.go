package gguf

import (
	"strings"

	"fabula/engine/gguf/memory"
)

// Device is a graphics card that this build can use.
type Device struct {
	Name   string `json:"name"`   // of the backend, such as Vulkan0
	Model  string `json:"model"`  // as its driver calls it
	Free   int64  `json:"free"`   // bytes of memory
	Total  int64  `json:"total"`  // bytes of memory
	Shared bool   `json:"shared"` // it takes the machine's memory
}

// Accelerator names the backend that is linked in besides the processor's:
// "vulkan", "metal", "cuda"; "" = none.
func Accelerator() string {
	for _, name := range []string{"vulkan", "metal", "cuda"} {
		if strings.HasSuffix(Runtime(), " "+name) {
			return name
		}
	}
	return ""
}

// cards gives the devices as memory sees them.
func cards(devices []Device) []memory.Card {
	var list []memory.Card
	for _, d := range devices {
		list = append(list, memory.Card{Free: d.Free, Shared: d.Shared})
	}
	return list
}

// Room is how many bytes a model may take on a machine with such devices.
func Room(devices []Device) int64 { return memory.Room(memory.Free(), cards(devices)) }
