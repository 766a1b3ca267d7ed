package lint

// Readings gives the readings of all characters.
func Readings() map[rune]string { return pinyinOf() }
