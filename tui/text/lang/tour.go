package lang

// Tour is the words of the tour through the demo world. An action's id in braces
// stands for its key.
type Tour struct {
	Title, Offer string
	Steps        []string
	None         string // why no tour can be ended
	Elsewhere    string // why none can be begun
	Again        string // it is over, and can begin anew
}

func tourEN() Tour {
	return Tour{
		Title: "Tour", None: "no tour is on", Elsewhere: "the tour is in the demo world: fabula fox_lantern",
		Again: "that was the tour; {tour} once more begins it again",
		Offer: "New here? {tour} begins a short tour; it waits for what you do. {tour.end} hides this for good.",
		Steps: []string{
			"You are the traveller. Write something to Lao Zhou, such as “Who lit the lamp?”, and press {chat.send}. ({tour} skips a step, {tour.end} ends the tour.)",
			"The reply streams with its time to the first token. The row above the text offers choices: {chat.choose} takes one. What is dimmed says what it needs.",
			"Now leave the text: {chat.read}. While reading, letters are commands; {chat.compose} writes again.",
			"{chat.retry} asks for another reply to the same line. Nothing is overwritten: the old one stays beside it.",
			"{chat.alt.next} steps through the alternatives of a turn.",
			"Go up with k to a turn and press {chat.branch}: a branch begins there, and the old one stays as it was.",
			"{chat.inspect} shows what is behind a turn: state, the prompt exactly as it was sent, what memory brought. Again closes it.",
			"{tree} shows every turn ever taken as a tree: titles, marks, comparing, hiding.",
			"{plot} shows the nodes of the story, where they lead and which were played.",
			"Everything can be done by name: {palette} lists what this screen can do, in English and Chinese.",
			"{world} is the world: branches, nodes, files. Edits of the files are taken up as soon as they are saved.",
			"{world.analyse} searches everything that play can come to, and shows what breaks the story.",
			"That was the tour. “fabula new my_world” begins a world of your own; {help} explains every key.",
		},
	}
}

func tourZH() Tour {
	return Tour{
		Title: "导览", None: "没有在导览", Elsewhere: "导览在演示世界里：fabula fox_lantern",
		Again: "导览已经结束；再按一次 {tour} 从头开始",
		Offer: "第一次来？按 {tour} 开始简短的导览，它会等你做完每一步。按 {tour.end} 不再提示。",
		Steps: []string{
			"你是旅人。对老周写点什么，比如“昨夜的灯是谁点的？”，然后按 {chat.send}。（{tour} 跳过一步，{tour.end} 结束导览。）",
			"回答会一边生成一边出现，并标出首词元用时。文本框上面是选项：用 {chat.choose} 选一个；变暗的会说明还需要什么。",
			"现在离开书写：按 {chat.read}。阅读时字母就是命令；按 {chat.compose} 再写。",
			"按 {chat.retry} 让对方重新回答同一句话。什么都不会被覆盖：旧的回答留在旁边。",
			"按 {chat.alt.next} 在同一轮的几个版本之间换。",
			"用 k 往上选一轮，再按 {chat.branch}：从那里开出新的分支，原来的分支不变。",
			"按 {chat.inspect} 看这一轮背后的东西：状态、原样发出的提示词、想起了什么。再按一次关闭。",
			"按 {tree} 看走过的每一轮画成的树：标题、标记、比较、隐藏。",
			"按 {plot} 看故事的节点、通向哪里、哪些玩到过。",
			"一切都能按名字来做：{palette} 列出这一页能做的事，中英文都能找。",
			"{world} 是世界页：分支、节点、文件。文件一保存，改动就生效。",
			"按 {world.analyse} 查遍游玩能到的一切，看有什么会弄坏故事。",
			"导览到此结束。用 “fabula new my_world” 开始你自己的世界；{help} 解释每一个键。",
		},
	}
}
