package calibrate

import "slices"

// Lengths are the least, the median and the most of many.
type Lengths struct {
	Least  int `json:"least"`
	Median int `json:"median"`
	Most   int `json:"most"`
}

func lengths(all []int) Lengths {
	if len(all) == 0 {
		return Lengths{}
	}
	slices.Sort(all)
	return Lengths{all[0], all[len(all)/2], all[len(all)-1]}
}
