package lang

// Store is the words of `fabula store`.
type Store struct {
	Problems    map[string]string // by code; {1}, {2} are the arguments
	Sound       string
	NoStore     string
	Unsound     string // problems
	More        string // problems that are not listed
	Counts      string // playthroughs, branches, turns, alternatives, texts
	Size        string // size, free size
	Hidden      string // branches
	Unfinished  string // turns
	Unsealed    string // records
	Copies      string // copies, age of the newest
	NoCopies    string
	Compacted   string // before, after
	Copied      string // file
	Restored    string // file
	Aside       string // file
	Dumped      string // lines, file
	NoGoodCopy  string
	Choose      string // nothing was asked for
	CopyLine    string // file, age, size, why
	HiddenLine  string // name, id, when
	BranchBack  string // name
	NoneHidden  string
	Salvaged    string // turns, replies, branches, file
	Lost        string // turns and replies
	Altered     string // values
	ThenRestore string // world, file
	WouldPurge  string // branches, turns, replies
	PurgeHow    string // world
	Purged      string // branches, turns, replies, texts, before, after
	StillIn     string // copies
	Adopted     string // world, the world that it was of
	Whys        map[string]string
	Full        string // on screen, as those below
	Gone        string // file, copy
	GoneOnly    string // file
	Owed        string // after one of these
	Taken       string
}

// Problem words what is wrong with a store.
func (s *Store) Problem(code string, args []string) string { return fill(s.Problems[code], args, nil) }

func storeEN() Store {
	return Store{
		Problems: map[string]string{
			"store_pages":    "the pages do not fit together: {1}",
			"store_decode":   "{2} in {1} cannot be read: {3}",
			"store_missing":  "{1} {2} is missing; {3} {4} refers to it",
			"store_hash":     "the text {1} does not fit its hash",
			"store_altered":  "{2} in {1} was changed after it was written: it does not fit its checksum",
			"store_index":    "the index does not fit: {2}",
			"store_unplaced": "nothing leads to {1} {2}",
			"store_damaged":  "it cannot be read: {1}",
		},
		NoStore: "no store yet: nothing was played in it",
		Sound:   "sound: every id leads somewhere, everything fits its checksum", Unsound: "%d problems", More: "and %d more",
		Counts: "%d playthroughs, %d branches, %d turns, %d replies, %d prompt texts", Size: "%s, of which compact would give back about %s",
		Hidden: "%d deleted branches: 'restore --branch' brings them back, 'purge' takes them away for good", Unfinished: "%d turns wait for their reply",
		Unsealed: "%d records have no checksum, for an older fabula wrote them (--json names them): changes to these are not noticed",
		Copies:   "%d copies, the newest from %s", NoCopies: "no copies yet",
		Compacted: "%s before, %s now", Copied: "copied to %s, and read back whole", Restored: "restored from %s",
		Aside: "what was there is kept in %s", Dumped: "%d lines in %s", NoGoodCopy: "no copy is whole; 'fabula store salvage' saves what can be read",
		Choose:   "name what to go back to: a copy or a dump (FILE), --newest, or --branch NAME for a deleted branch",
		CopyLine: "%s  %s  %s  %s", HiddenLine: "deleted branch %s  %s  %s", BranchBack: "branch %s is back", NoneHidden: "no deleted branches",
		Salvaged: "saved %d turns, %d replies, %d branches into %s", Lost: "%d turns and replies hang on what is lost, and are not in it",
		Altered:     "%d records do not fit their checksums, and nothing better was found: kept as they are, 'store check' names them",
		ThenRestore: "the damaged file is as it was; 'fabula store restore %s %s' puts this one in its place",
		WouldPurge:  "%d deleted branches with %d turns and %d replies would go for good", PurgeHow: "'fabula store purge %s --yes' does it",
		Purged: "gone for good: %d branches, %d turns, %d replies, %d prompt texts; %s before, %s now", Adopted: "the store is now that of the world %s (before: %s)", StillIn: "%d copies still hold it; --copies takes them away too",
		Whys: map[string]string{"open": "at open", "upgrade": "before an upgrade", "restore": "put aside by a restore", "hand": "by hand"},
		Full: "nothing more can be written, the disk is full: make room; what is stored is whole",
		Gone: "the world's folder was deleted, moved or replaced: %s is no longer in its place. Everything up to now is in %s; put the folder back, or begin anew with fabula store restore", GoneOnly: "the world's folder was deleted, moved or replaced: %s is no longer in its place; put it back before you close fabula",
		Owed: ". The reply is kept, and stored as soon as it can be", Taken: "what could not be stored before is stored now",
	}
}

func storeZH() Store {
	return Store{
		Problems: map[string]string{
			"store_pages":    "数据页对不上：{1}",
			"store_decode":   "{1} 里的 {2} 读不出来：{3}",
			"store_missing":  "缺少 {1} {2}，{3} {4} 指向它",
			"store_hash":     "文本 {1} 与散列值不符",
			"store_altered":  "{1} 里的 {2} 写入之后被改动过：与校验和不符",
			"store_index":    "索引不符：{2}",
			"store_unplaced": "没有什么通向 {1} {2}",
			"store_damaged":  "无法读取：{1}",
		},
		NoStore: "还没有存档：这里还没有玩过",
		Sound:   "完好：每个编号都有着落，每条内容都与校验和相符", Unsound: "%d 处问题", More: "还有 %d 处",
		Counts: "%d 次游玩，%d 个分支，%d 轮，%d 条回复，%d 段提示词文本", Size: "%s，其中压缩后大约可省 %s",
		Hidden: "%d 个已删除的分支：restore --branch 可找回，purge 则彻底清除", Unfinished: "%d 轮还在等回复",
		Unsealed: "%d 条记录没有校验和，由旧版 fabula 写入（--json 会列出）：对它们的改动无法察觉",
		Copies:   "%d 份副本，最新一份在 %s", NoCopies: "还没有副本",
		Compacted: "原来 %s，现在 %s", Copied: "已复制到 %s，并完整读回核对", Restored: "已从 %s 恢复",
		Aside: "原有的保存在 %s", Dumped: "%d 行，写入 %s", NoGoodCopy: "没有一份完好的副本；fabula store salvage 可救出还能读的部分",
		Choose:   "请指明恢复到哪里：副本或转储文件（FILE），--newest，或用 --branch NAME 找回已删除的分支",
		CopyLine: "%s  %s  %s  %s", HiddenLine: "已删除的分支 %s  %s  %s", BranchBack: "分支 %s 已找回", NoneHidden: "没有已删除的分支",
		Salvaged: "救出 %d 轮、%d 条回复、%d 个分支，写入 %s", Lost: "%d 轮或回复所依附的内容已丢失，未能写入",
		Altered:     "%d 条记录与校验和不符，又找不到更好的：原样保留，store check 会列出",
		ThenRestore: "损坏的文件保持原样；用 fabula store restore %s %s 可换上这一份",
		WouldPurge:  "将彻底清除 %d 个已删除的分支，共 %d 轮、%d 条回复", PurgeHow: "用 fabula store purge %s --yes 执行",
		Purged: "已彻底清除：%d 个分支，%d 轮，%d 条回复，%d 段提示词文本；原来 %s，现在 %s", Adopted: "存档现在属于世界 %s（之前：%s）", StillIn: "还有 %d 份副本含有这些内容；加 --copies 一并清除",
		Whys: map[string]string{"open": "打开时", "upgrade": "升级之前", "restore": "恢复时换下", "hand": "手动"},
		Full: "写不进去了，磁盘已满：请腾出空间；已保存的都完好",
		Gone: "世界的文件夹被删除、移走或替换了：%s 不在原处。到此为止的一切都在 %s；请把文件夹放回，或用 fabula store restore 重新开始", GoneOnly: "世界的文件夹被删除、移走或替换了：%s 不在原处；关闭 fabula 之前请放回",
		Owed: "。回复还留着，能写时马上保存", Taken: "刚才没能保存的，现在保存好了",
	}
}
