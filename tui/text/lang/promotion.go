package lang

// Promotion is the words of the screen on which replies become authored lines.
type Promotion struct {
	Title              string
	Stretch            string // branch, first and last turn
	Would              string // file, lines
	Nothing            string // no turn to promote
	Busy               string
	Already            string // file
	Refused            string
	NoLine             string
	Held               string // why a reply cannot be a line
	NoMore, NoFewer    string
	Exists             string // file
	Broken             string // what the file would do, or files do that are there
	Promote            Row
	Write, More, Fewer Row
}

func promotionEN() Promotion {
	return Promotion{
		Title: "Replies as authored lines", Stretch: "%s, turns %d to %d",
		Would: "enter writes the new file %s (lines: %d)", Nothing: "Select a turn in the chat or the tree, and press P there.",
		Busy: "making the file, and looking what it would break …", Already: "%s is written already", Refused: "this cannot be written: see above the file",
		NoLine: "None of these turns gives a line, so there is nothing to write.", Held: "This cannot be written: %v",
		NoMore: "it begins with the first turn", NoFewer: "it is one turn already",
		Exists:  "%s is there by now; no file is written over, so another name is taken",
		Broken:  "The world does not load:",
		Promote: Row{"promote", "Show the selected reply as an authored line, and the file that would hold it."},
		Write:   Row{"write", "Write the file that is shown; no file that is there is written to."},
		More:    Row{"one more", "Take the turn before as well."},
		Fewer:   Row{"one fewer", "Leave the first turn out."},
	}
}

func promotionZH() Promotion {
	return Promotion{
		Title: "回复变成写好的台词", Stretch: "%s，第 %d 到 %d 轮",
		Would: "按 enter 写新文件 %s：%d 句台词", Nothing: "在对话或树里选一轮，再按 P。",
		Busy: "正在生成文件，并看它会不会弄坏什么……", Already: "%s 已经写好了", Refused: "这个不能写：原因在文件上面",
		NoLine: "这几轮里没有能成为台词的，所以没有可写的。", Held: "这个不能写：%v",
		NoMore: "已经从第一轮开始", NoFewer: "已经只有一轮",
		Exists:  "%s 刚刚有了；已有的文件不会动，换一个名字",
		Broken:  "这个世界载入不了：",
		Promote: Row{"提升", "把选中的回复作为写好的台词给你看，连同会写的文件。"},
		Write:   Row{"写", "写下显示的文件；已有的文件不会动。"},
		More:    Row{"多一轮", "把前一轮也算上。"},
		Fewer:   Row{"少一轮", "去掉第一轮。"},
	}
}
