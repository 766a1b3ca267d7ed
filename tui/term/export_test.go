package term

// Waits reports whether a frame was not taken up yet.
func (w *Writer) Waits() bool { return len(w.newest) > 0 }
