package plot

// Kinds lists what Keys knows of, from the outside in.
func Kinds() []string { return []string{"plot", "node", "exit", "beat", "line", "anchor"} }

// Keys lists the keys of a kind of object in a plot file; nil for another kind.
func Keys(kind string) []string {
	switch kind {
	case "plot":
		return plotFile().Keys()
	case "node":
		return nodeType().Keys()
	case "exit":
		return exitType().Keys()
	case "beat":
		return beatType().Keys()
	case "line":
		return lineType().Keys()
	case "anchor":
		return anchorType().Keys()
	}
	return nil
}
