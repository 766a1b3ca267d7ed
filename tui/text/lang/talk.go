package lang

import "fmt"

// Talk is the words of the chat that are about going on with a talk: undoing,
// going on with a reply, choosing from a list.
type Talk struct {
	EditingReply  string // state: changing an NPC's reply
	NoReply       string // the selected turn has no reply to change
	Unanswered    string // the selected turn has no reply
	ChangeGone    string // a draft was a change of a turn that is not here
	SameReply     string // nothing was changed
	Complete      string // the reply ended by itself
	GoesOn        string // mark of a reply that goes on from another
	NoUndo        string
	NoRedo        string
	UndoneMove    string // turn
	RedoneMove    string // turn
	UndoneStamp   string
	RedoneStamp   string
	Restored      string // branch
	HiddenAgain   string // branch
	Renamed       string // branch
	Choosing      string // state: i, n
	ByNumber      string // digits typed so far
	Paused        string // blocks below
	Profile       string // variable, acts, of
	Branches      string // heading
	Cold          string // tokens computed
	Cached        string // tokens reused, percent
	Queue         string // time
	PrefillDecode string // times
	Latency       string // heading
	GapsOf        string // heading: how many
	NoGaps        string
	BestEngine    string
	OneEngine     string // engine
}

func talkEN() Talk {
	return Talk{
		EditingReply: "changing a reply", NoReply: "no reply to change in this turn", SameReply: "nothing was changed",
		Unanswered: "this turn has no reply", ChangeGone: "what you were changing is not on this branch: sent, the text is a new line of yours",
		Complete: "this reply ended by itself: r gives another", GoesOn: "goes on",
		NoUndo: "nothing to undo on this branch", NoRedo: "nothing to redo on this branch",
		UndoneMove: "back at turn %d; nothing is deleted, U goes on again", RedoneMove: "at turn %d again",
		UndoneStamp: "mark and title are as they were", RedoneStamp: "mark and title are set again",
		Restored: "branch %s is there again", HiddenAgain: "branch %s is hidden again", Renamed: "the branch is called %s",
		Choosing: "choices %d/%d", ByNumber: "number %s",
		Paused: "paused, %d below: G follows", Profile: "%s %d of %d",
		Branches: "Branches", Cold: "cold, %d computed", Cached: "%d cached, %d%%", Queue: "queue %s", PrefillDecode: "prefill %s decode %s",
		Latency: "Gap of every token, ms", GapsOf: "Gaps of this session, n=%d", NoGaps: "no token yet", BestEngine: "the best engine there is answers from now on", OneEngine: "%s answers from now on",
	}
}

func talkZH() Talk {
	return Talk{
		EditingReply: "改回答", NoReply: "这一轮没有可改的回答", SameReply: "没有改动",
		Unanswered: "这一轮没有回答", ChangeGone: "你在改的那一轮不在这条分支上：发送后就是你新说的一句话",
		Complete: "这句回答自己说完了：按 r 另要一句", GoesOn: "接着说",
		NoUndo: "这条分支上没有可撤销的", NoRedo: "这条分支上没有可重做的",
		UndoneMove: "回到第 %d 轮；什么也没删，按 U 再往前", RedoneMove: "又到第 %d 轮",
		UndoneStamp: "标记和标题已恢复原样", RedoneStamp: "标记和标题又设上了",
		Restored: "分支 %s 又在了", HiddenAgain: "分支 %s 又隐藏了", Renamed: "分支叫 %s",
		Choosing: "选项 %d/%d", ByNumber: "编号 %s",
		Paused: "已暂停，下面还有 %d 轮：按 G 跟随", Profile: "%s %d/%d",
		Branches: "分支", Cold: "全新，算了 %d", Cached: "缓存 %d，%d%%", Queue: "排队 %s", PrefillDecode: "预填 %s 解码 %s",
		Latency: "每个词元的间隔，毫秒", GapsOf: "本次会话的间隔，共 %d", NoGaps: "还没有词元", BestEngine: "往后由最好的引擎作答", OneEngine: "往后由 %s 作答",
	}
}

// Undone says what an undo did, or a redo (forth), by the code of its kind.
func (s *Strings) Undone(kind string, forth bool, turn int, branch string) string {
	t := s.Talk
	switch {
	case kind == "stamp" && forth:
		return t.RedoneStamp
	case kind == "stamp":
		return t.UndoneStamp
	case kind == "rename":
		return fmt.Sprintf(t.Renamed, branch)
	case kind == "delete" && forth:
		return fmt.Sprintf(t.HiddenAgain, branch)
	case kind == "delete":
		return fmt.Sprintf(t.Restored, branch)
	case forth:
		return fmt.Sprintf(t.RedoneMove, turn)
	}
	return fmt.Sprintf(t.UndoneMove, turn)
}
