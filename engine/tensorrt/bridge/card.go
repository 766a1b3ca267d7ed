package bridge

// Card describes a graphics card.
type Card struct {
	Name, UUID   string
	Major, Minor int // compute capability
	Processors   int
	Driver       int   // CUDA version of the driver, 13000 = 13.0
	Memory, Free int64 // bytes
}
