package tensorrt

// Finding is one thing that Examine looked at.
type Finding struct {
	Name string // tensorrt, driver, card, builder, engines
	OK   bool
	What string // what was found, or what is missing
	Do   string // what to do about it, empty if nothing
}
