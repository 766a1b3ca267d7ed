package lang

// SlashRow is a composer command in words: its name behind the slash, what
// stands behind that, what it does in a few words, and in a sentence.
type SlashRow struct{ Command, Arg, Name, Hint string }

// Slashes is the words of composer commands.
type Slashes struct {
	Rows      []SlashRow
	Unknown   string // name, all names
	Near      string // name, nearest
	Needs     string // name, what
	Other     string // what else can be written
	TakesNone string // name, what was given
}

// Of gives the words of a command; the zero row where there is none.
func (s *Slashes) Of(command string) SlashRow {
	for _, r := range s.Rows {
		if r.Command == command {
			return r
		}
	}
	return SlashRow{}
}

func slashesEN() Slashes {
	return Slashes{
		Rows: []SlashRow{
			{"retry", "nothing", "retry", "Ask for another reply to the last line; the old one stays as an alternative."},
			{"branch", "name", "branch by name", "Make a branch that ends here, with a name of your own or a number, and go on from there."},
			{"to", "npc", "speak to", "Say something to one NPC: /to adu who are you?"},
			{"goto", "node", "jump to a node", "Go to a node on a new branch, marked forced, whatever its conditions say."},
			{"set", "x=v", "set a variable", "Set a state variable on a new branch, marked forced: /set trust=3"},
			{"engine", "name", "choose an engine", "Have one engine answer from now on; without a name, the best there is."},
			{"undo", "nothing", "undo", "Undo the last change of yours."},
			{"redo", "nothing", "redo", "Do again what was undone."},
			{"continue", "nothing", "continue", "Have a reply that was cut off go on."},
			{"state", "nothing", "state", "Show where the story stands: node, variables, who is here."},
			{"help", "nothing", "help", "Show what can be done."},
		},
		Unknown: "no command /%s; there are %s. A line that begins with // is said with one slash", Near: "no command /%s; did you mean /%s?",
		Needs: "/%s needs more: %s", TakesNone: "/%s takes nothing, and %q stands behind it",
		Other: "a number takes a choice, @name speaks to one NPC; a line that begins with // is said with one slash",
	}
}

func slashesZH() Slashes {
	return Slashes{
		Rows: []SlashRow{
			{"retry", "无", "重答", "请对方重新回答上一句；旧的回答留作另一个版本。"},
			{"branch", "名字", "命名分支", "在这里开一个分支并从那里继续；名字可写可不写。"},
			{"to", "角色", "对谁说", "只对一个角色说话：/to adu 你是谁？"},
			{"goto", "节点", "跳到节点", "在新分支上直接去某个节点，不管条件，并标为强制。"},
			{"set", "x=v", "改变量", "在新分支上改一个状态变量，并标为强制：/set trust=3"},
			{"engine", "名字", "选引擎", "从现在起由某个引擎回答；不写名字就用最好的。"},
			{"undo", "无", "撤销", "撤销你最近的一次改动。"},
			{"redo", "无", "重做", "重做刚撤销的改动。"},
			{"continue", "无", "接着说", "让被打断的回答接着说下去。"},
			{"state", "无", "状态", "显示故事到了哪里：节点、变量、在场的人。"},
			{"help", "无", "帮助", "显示能做什么。"},
		},
		Unknown: "没有 /%s 这个命令；有的是 %s。以 // 开头的话会带一个斜杠说出去", Near: "没有 /%s 这个命令；是不是 /%s？",
		Needs: "/%s 后面还要写：%s", TakesNone: "/%s 后面不用写什么，现在有 %q",
		Other: "写数字是选择，写 @名字 是对一个角色说；以 // 开头的话会带一个斜杠说出去",
	}
}
