package memory

// GroupLeft reads a control group's folder.
func GroupLeft(dir string) int64 { return groupLeft(dir) }
