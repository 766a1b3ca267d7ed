package lang

// Record is the words of the list of what was done and told.
type Record struct{ Title, None, Told, Trouble string }

func recordEN() Record {
	return Record{Title: "What was done", None: "nothing yet", Told: "notice", Trouble: "error"}
}

func recordZH() Record {
	return Record{Title: "做过的事", None: "还没有", Told: "提示", Trouble: "错误"}
}
