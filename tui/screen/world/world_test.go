package world_test

import (
	"testing"
	"time"

	"fabula/tui/screen/world"
)

// Ensure that the day is that of the person's clock, whatever zone was stored.
func TestWhen(t *testing.T) {
	east := time.FixedZone("east", 8*3600)
	now := time.Date(2026, 3, 2, 1, 0, 0, 0, east)
	for _, tc := range []struct {
		then time.Time
		want string
	}{
		{time.Time{}, ""},
		{time.Date(2026, 3, 1, 16, 30, 0, 0, time.UTC), "00:30"},
		{time.Date(2026, 3, 1, 15, 30, 0, 0, time.UTC), "2026-03-01"},
		{time.Date(2025, 3, 2, 1, 0, 0, 0, east), "2025-03-02"},
	} {
		if got := world.When(now, tc.then); got != tc.want {
			t.Errorf("%v: %q, want %q", tc.then, got, tc.want)
		}
	}
}
