package machine

import (
	"runtime"
	"sync"
	"time"
)

// Sizes of the bandwidth measurement: more than caches hold, and few passes, so
// that it takes about a second.
const (
	bandwidthBytes  = 512 << 20
	bandwidthPasses = 5
)

// Bandwidth measures how many bytes a second all cores together read from
// memory: the best of a few passes over more than the caches hold, as STREAM
// takes the best. Decoding reads every weight for each token, so this bounds it.
func Bandwidth() float64 { return bandwidth(bandwidthBytes, bandwidthPasses) }

func bandwidth(bytes, passes int) float64 {
	cores := runtime.GOMAXPROCS(0)
	share := bytes / 8 / cores
	parts := make([][]uint64, cores)
	var fill sync.WaitGroup
	for i := range parts {
		fill.Go(func() {
			parts[i] = make([]uint64, share)
			for j := 0; j < share; j += 512 { // touch every page, or the kernel reads one page of zeros
				parts[i][j] = uint64(j)
			}
		})
	}
	fill.Wait()
	best := 0.0
	for range passes {
		start := time.Now()
		var pass sync.WaitGroup
		sums := make([]uint64, cores)
		for i := range parts {
			pass.Go(func() { sums[i] = sum(parts[i]) })
		}
		pass.Wait()
		best = max(best, float64(share*8*cores)/time.Since(start).Seconds())
		runtime.KeepAlive(sums)
	}
	return best
}

// sum reads every word; eight sums keep the additions from waiting for one
// another.
func sum(words []uint64) uint64 {
	var a, b, c, d, e, f, g, h uint64
	for len(words) >= 8 {
		w := words[:8:8]
		a += w[0]
		b += w[1]
		c += w[2]
		d += w[3]
		e += w[4]
		f += w[5]
		g += w[6]
		h += w[7]
		words = words[8:]
	}
	return a + b + c + d + e + f + g + h
}
