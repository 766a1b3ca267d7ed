// Package ladder decides which of several engines is to be trusted.
//
// Health is a state machine that knows no engine: it is told of faults and of
// good replies by name, moves a rung down, says when it is to be checked, and
// moves it up again once checks were good. Watch holds the replies of one engine
// to deadlines and tells Health how they ended. Check asks an engine for one
// token, so that nobody has to wait to learn that it serves again.
//
//	              faults in a row, or one that repeats itself
//	up ─────────────────────────────────────────────────────> down
//	 ^                                                          │ wait, doubled by every
//	 └── good checks in a row ── one good ── checked <──────────┘ bad check and relapse
//
// Non-goals: opening engines, their order, words for people.
package ladder
