package memory

// Card is a graphics card as far as memory goes.
type Card struct {
	Free   int64 // bytes
	Shared bool  // it takes the machine's memory, not its own
}

// Room is how many bytes a model may take on a machine with such cards and so
// much memory free; 0 = unknown.
func Room(free int64, cards []Card) int64 {
	if free == 0 {
		return 0
	}
	for _, c := range cards {
		if !c.Shared {
			free += max(c.Free-overhead, 0)
		}
	}
	return free
}

// Offload is how many layers fit into the cards: 0 to Layers, and Layers+1 when
// the output does too. A layer is its share of the weights and of the cache;
// every card keeps room for what is besides.
func (d Demand) Offload(p Plan, cards []Card) int {
	if d.Layers == 0 {
		return 0
	}
	var free int64
	for _, c := range cards {
		free += max(c.Free-overhead, 0)
	}
	cache := int64(p.Window) * int64(p.Sequences) * d.Cell
	if d.Weights+cache <= free {
		return d.Layers + 1
	}
	layer := d.Weights/int64(d.Layers+1) + cache/int64(d.Layers)
	return min(int(free/max(layer, 1)), d.Layers)
}
