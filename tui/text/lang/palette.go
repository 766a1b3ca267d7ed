package lang

// Palette is the words of the list of commands, and of the search for anything.
type Palette struct {
	Title, None string
	Everywhere  string // heading of the keys that work on every screen
	FindTitle   string
	FindNone    string
	OnlyWriting string // why a command cannot be run
	OnlyReading string
	CancelTask  string            // title
	Kinds       map[string]string // what can be found
}

// Other gives the interface in the language that a code does not name.
func Other(code string) *Strings {
	if For(code) == &zh {
		return &en
	}
	return &zh
}

func paletteEN() Palette {
	return Palette{
		Title: "Commands", Everywhere: "Everywhere", None: "no command fits", FindTitle: "Find anything", FindNone: "nothing fits",
		OnlyWriting: "only while writing", OnlyReading: "only while reading: esc first", CancelTask: "cancel %s",
		Kinds: map[string]string{"persona": "persona", "node": "node", "beat": "beat", "lore": "lore", "branch": "branch", "turn": "turn", "finding": "finding", "command": "command", "line": "line", "exit": "exit"},
	}
}

func paletteZH() Palette {
	return Palette{
		Title: "命令", Everywhere: "到处可用", None: "没有合适的命令", FindTitle: "查找", FindNone: "没有找到",
		OnlyWriting: "书写时才能用", OnlyReading: "阅读时才能用：先按 esc", CancelTask: "取消 %s",
		Kinds: map[string]string{"persona": "角色", "node": "节点", "beat": "节拍", "lore": "设定", "branch": "分支", "turn": "对话", "finding": "发现", "command": "命令", "line": "台词", "exit": "出口"},
	}
}
