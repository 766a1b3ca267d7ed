package lang

// Deeds names the bindings of chat and inspector that came with them.
type Deeds struct {
	EditReply, Continue, Undo, Redo, FoldHead, ListChoices, TakeChoice     Row
	Inspector, ShowState, ShowPrompt, ShowRecall, ShowFindings             Row
	NextTab, PrevTab, JumpTo, DiffPrompt, ShowMarks, CopyPrompt, SwitchOff Row
	Regenerate, TurnUp, TurnDown, ScrollText, ToInspector, CloseInspect    Row
}

func deedsEN() Deeds {
	return Deeds{
		EditReply:    Row{"edit reply", "Change what the NPC said, by hand. The old reply stays beside it, yours is marked as human."},
		Continue:     Row{"go on", "Have a reply that was stopped or cut go on where it ended."},
		Undo:         Row{"undo", "Go back to where this branch was before: a turn, another reply, a mark, a hidden branch. Nothing is deleted."},
		Redo:         Row{"redo", "Do again what was undone last."},
		FoldHead:     Row{"scene line", "Show or hide the line of the scene and of what the player is like."},
		ListChoices:  Row{"choices", "List every choice, to be walked or taken by its number, also from 10 on."},
		TakeChoice:   Row{"choose", "Take the selected choice. Digits select by number."},
		Inspector:    Row{"inspect", "Show or hide the inspector: state, prompt, lore and memory, findings of the selected turn."},
		ShowState:    Row{"state", "Show the state after the selected turn, and what changed it."},
		ShowPrompt:   Row{"prompt", "Show the prompt of the selected turn exactly as it was sent."},
		ShowRecall:   Row{"lore", "Show which lore fired by which words, what was remembered and why, and what was left out."},
		ShowFindings: Row{"findings", "List what was found in the replies of this branch."},
		NextTab:      Row{"next", "The next page of the inspector."},
		PrevTab:      Row{"previous", "The page of the inspector before this one."},
		JumpTo:       Row{"jump", "Go to the turn of the selected finding."},
		DiffPrompt:   Row{"compare", "Compare the prompt with the one before."},
		ShowMarks:    Row{"marks", "Show or hide what the model's template writes around the segments."},
		CopyPrompt:   Row{"copy", "Copy the whole prompt, or what is shown."},
		SwitchOff:    Row{"on/off", "Switch the selected segment of the prompt off, or on again."},
		Regenerate:   Row{"reply without", "Ask for a reply beside this one, by the same seed, without the segments that are switched off."},
		TurnUp:       Row{"turn before", "Inspect the turn before."},
		TurnDown:     Row{"next turn", "Inspect the next turn."},
		ScrollText:   Row{"scroll", "Scroll the text of the selected segment."},
		ToInspector:  Row{"pane", "Give the keys to the inspector; esc gives them back."},
		CloseInspect: Row{"back", "Back to the talk."},
	}
}

func deedsZH() Deeds {
	return Deeds{
		EditReply:    Row{"改回答", "亲手改角色说的话。原来的回答留在旁边，你的标为人工改写。"},
		Continue:     Row{"接着说", "让停下或截断的回答从那里接着说。"},
		Undo:         Row{"撤销", "回到这条分支之前的样子：一轮、另一个回答、一个标记、一条隐藏的分支。什么也不会删掉。"},
		Redo:         Row{"重做", "重做刚刚撤销的。"},
		FoldHead:     Row{"场景行", "显示或收起场景和玩家品性的那一行。"},
		ListChoices:  Row{"选项", "列出全部选项，可以逐个走，也可以按编号选，10 号以后也行。"},
		TakeChoice:   Row{"选择", "选所在的一项。数字键按编号走。"},
		Inspector:    Row{"检视", "显示或收起检视：所选一轮的状态、提示词、设定与记忆、问题。"},
		ShowState:    Row{"状态", "看所选一轮之后的状态，以及是什么改变了它。"},
		ShowPrompt:   Row{"提示词", "看所选一轮实际发出的提示词。"},
		ShowRecall:   Row{"设定", "看哪些设定因哪些字触发，想起了什么、为什么，哪些没放进去。"},
		ShowFindings: Row{"问题", "列出这条分支的回答里查出的问题。"},
		NextTab:      Row{"下一页", "检视的下一页。"},
		PrevTab:      Row{"上一页", "检视的上一页。"},
		JumpTo:       Row{"跳到", "到所选问题所在的一轮。"},
		DiffPrompt:   Row{"对照", "把提示词和前一个对照。"},
		ShowMarks:    Row{"标记", "显示或收起模板写在各段前后的标记。"},
		CopyPrompt:   Row{"复制", "复制整个提示词，或正显示的内容。"},
		SwitchOff:    Row{"开关", "关掉提示词里所选的一段，或再打开。"},
		Regenerate:   Row{"去掉重答", "用同一个种子，去掉关掉的几段，另要一个回答放在旁边。"},
		TurnUp:       Row{"前一轮", "检视前一轮。"},
		TurnDown:     Row{"后一轮", "检视后一轮。"},
		ScrollText:   Row{"滚动", "滚动所选一段的文字。"},
		ToInspector:  Row{"窗格", "把键盘交给检视；esc 交还。"},
		CloseInspect: Row{"返回", "回到对话。"},
	}
}
