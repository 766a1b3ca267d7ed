package machine

// BandwidthOf measures with fewer bytes than caches hold: a test needs a figure,
// not a true one.
func BandwidthOf(bytes int) float64 { return bandwidth(bytes, 2) }
