package promote

// Join writes sources as one condition.
func Join(sources ...string) string {
	var all []condition
	for _, s := range sources {
		all = append(all, condition{src: s})
	}
	joined, _ := join(all)
	return joined
}
