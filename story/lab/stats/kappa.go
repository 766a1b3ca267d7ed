package stats

import "math"

// Agreement is a coefficient of agreement with its interval.
type Agreement struct {
	Value float64 `json:"value"`
	Interval
	N int `json:"n"` // items, or units with two ratings or more
}

// Kappa is Cohen's κ of two raters over the same items: J. Cohen, A coefficient
// of agreement for nominal scales, Educ. Psychol. Meas. 20 (1960). The interval
// is normal, with the standard error of J. L. Fleiss, J. Cohen and B. S. Everitt,
// Psychol. Bull. 72 (1969). It is NaN where nothing was rated, or where chance
// alone agrees always: both used one and the same label. a and b are as long as
// each other.
func Kappa[L comparable](a, b []L) Agreement {
	t := crosstab(a, b)
	n := float64(len(a))
	var observed, chance float64
	for i := range t.cells {
		observed += t.cells[i][i] / n
		chance += t.rows[i] / n * t.columns[i] / n
	}
	k := (observed - chance) / (1 - chance)
	if len(a) == 0 || chance == 1 {
		return Agreement{math.NaN(), Interval{math.NaN(), math.NaN()}, len(a)}
	}
	half := z95 * math.Sqrt(max(t.variance(k, observed, chance), 0)/n)
	return Agreement{k, Interval{max(k-half, -1), min(k+half, 1)}, len(a)}
}

// table counts the pairs of labels.
type table struct {
	cells         [][]float64
	rows, columns []float64
}

func crosstab[L comparable](a, b []L) table {
	at := map[L]int{}
	for _, l := range append(append([]L{}, a...), b...) {
		if _, known := at[l]; !known {
			at[l] = len(at)
		}
	}
	t := table{make([][]float64, len(at)), make([]float64, len(at)), make([]float64, len(at))}
	for i := range t.cells {
		t.cells[i] = make([]float64, len(at))
	}
	for i := range a {
		r, c := at[a[i]], at[b[i]]
		t.cells[r][c]++
		t.rows[r]++
		t.columns[c]++
	}
	return t
}

// variance is n times that of κ: equation 13 of Fleiss, Cohen and Everitt.
func (t table) variance(k, observed, chance float64) float64 {
	n := 0.0
	for _, r := range t.rows {
		n += r
	}
	var same, other float64
	for i := range t.cells {
		for j := range t.cells {
			p, margins := t.cells[i][j]/n, (t.columns[i]+t.rows[j])/n
			if i == j {
				d := 1 - margins*(1-k)
				same += p * d * d
			} else {
				other += p * margins * margins
			}
		}
	}
	rest := k - chance*(1-k)
	return (same + (1-k)*(1-k)*other - rest*rest) / ((1 - chance) * (1 - chance))
}
