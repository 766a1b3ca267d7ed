package lang

// Export is the words of the export dialog.
type Export struct {
	Title, Files                   string
	What, Format, Lines, Secrets   string // names of the fields
	Folder                         string
	ThisBranch                     string // name
	AllBranches, AllLines          string
	ApprovedOnly, Kept, Masked     string
	Formats                        map[string]string // what each format is for
	Reading                        string
	Sum                            string // files, size
	Fresh, Same                    string // state of a file that would be written
	Replaces                       string // size of what is there
	Refused                        string // why
	NoFolder, NoFormats, NotYet    string
	Ask                            string            // files that would be replaced
	Appeared                       string            // file
	Own                            string            // world's folder
	Task                           string            // format, folder
	Warnings                       map[string]string // argument
	Next, Previous, Down, Write    Row
	Preview, EditFolder, Open, All Row
}

func exportEN() Export {
	return Export{
		Title: "Export", Files: "Will write",
		What: "what", Format: "format", Lines: "lines", Secrets: "secrets", Folder: "folder",
		ThisBranch: "this branch: %s", AllBranches: "all branches", AllLines: "all lines", ApprovedOnly: "approved only",
		Kept: "as they are", Masked: "masked",
		Formats: map[string]string{
			"plottree": "the plot tree that games ship", "ink": "plot and branches for ink", "yarn": "the same for Yarn Spinner", "twee": "the same for Twine",
			"dot": "a picture of the plot (Graphviz)", "mermaid": "a picture of the plot (Mermaid)", "qa": "every turn with all that is known of it",
			"csv": "texts for translators and actors", "csv-excel": "the same for spreadsheets", "xliff": "texts for translation tools",
			"jsonl": "training data and preferences", "card": "character cards of the personas", "sillytavern": "chats with their alternatives",
		},
		Reading: "making the files…", Sum: "files: %d, %s", Fresh: "new", Same: "there already, the same", Replaces: "replaces %s",
		Refused: "refused: %s", NoFolder: "no folder is named: e writes one", NoFormats: "nothing can be exported here", NotYet: "the files are still being made",
		Ask: "files that are there and differ: %d. enter once more replaces them", Own: "the world in %s keeps its own files there; e names another folder", Appeared: "%s appeared since the preview; look again with p", Task: "export %s to %s",
		Warnings:   map[string]string{"secrets": "secrets are in it as they are: %s", "simulated": "branches that no person played: %s", "left_out": "left out, since no person played the plot in them: %s", "empty": "nothing was played yet: only what was authored (%s)"},
		Next:       Row{"change", "The next value of the selected field."},
		Previous:   Row{"change", "The value before of the selected field."},
		Down:       Row{"field", "The next field."},
		Write:      Row{"export", "Write the files that are listed. Files that are there and differ are asked for once."},
		Preview:    Row{"preview", "Make the preview anew: what was played, or is in the folder, may have changed."},
		EditFolder: Row{"folder", "Write the folder that the files go to."},
		Open:       Row{"export", "Export this branch for other programs."},
		All:        Row{"export", "Export the plot, and what was played of it, for other programs."},
	}
}

func exportZH() Export {
	return Export{
		Title: "导出", Files: "将写入",
		What: "内容", Format: "格式", Lines: "台词", Secrets: "秘密", Folder: "文件夹",
		ThisBranch: "这个分支：%s", AllBranches: "所有分支", AllLines: "全部", ApprovedOnly: "只要已认可的",
		Kept: "照原样", Masked: "遮住",
		Formats: map[string]string{
			"plottree": "游戏所用的剧情树", "ink": "给 ink 的剧情和分支", "yarn": "同上，给 Yarn Spinner", "twee": "同上，给 Twine",
			"dot": "剧情图（Graphviz）", "mermaid": "剧情图（Mermaid）", "qa": "每一轮及其全部记录",
			"csv": "给译者和配音的文本", "csv-excel": "同上，给电子表格", "xliff": "给翻译工具的文本",
			"jsonl": "训练数据和偏好", "card": "角色卡", "sillytavern": "带备选的对话",
		},
		Reading: "正在生成文件…", Sum: "%d 个文件，%s", Fresh: "新文件", Same: "已有，相同", Replaces: "替换 %s",
		Refused: "不能导出：%s", NoFolder: "还没写文件夹：按 e 来写", NoFormats: "这里不能导出", NotYet: "文件还在生成",
		Ask: "有 %d 个文件已存在且不同。再按一次 enter 就替换", Own: "%s 里的世界在那里放自己的文件；按 e 换一个文件夹", Appeared: "预览之后出现了 %s；按 p 再看一次", Task: "导出 %s 到 %s",
		Warnings:   map[string]string{"secrets": "秘密会原样写出：%s", "simulated": "不是人玩的分支：%s", "left_out": "没有导出，因为不是人照剧情玩的：%s", "empty": "还没玩过：只有作者写的内容（%s）"},
		Next:       Row{"更改", "所选一栏的下一个值。"},
		Previous:   Row{"更改", "所选一栏的上一个值。"},
		Down:       Row{"换栏", "下一栏。"},
		Write:      Row{"导出", "写入列出的文件。已存在且不同的会先问一次。"},
		Preview:    Row{"重做预览", "重新预览：玩过的内容或文件夹里的文件可能变了。"},
		EditFolder: Row{"文件夹", "写明文件放到哪个文件夹。"},
		Open:       Row{"导出", "把这个分支导出给别的程序。"},
		All:        Row{"导出", "把剧情和玩过的内容导出给别的程序。"},
	}
}
