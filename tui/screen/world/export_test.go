package world

// When says when something was.
var When = when
