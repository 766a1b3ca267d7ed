package lang

import "strings"

// Usage gives the format of a refusal of the command line, which is written in
// English where it is made, in a language; as it is where there is no other.
func Usage(format, language string) string {
	if strings.HasPrefix(language, "zh") {
		if words, ok := usageZH()[format]; ok {
			return words
		}
		if words, ok := usageLabZH[format]; ok {
			return words
		}
	}
	return format
}

// usageZH words every refusal of the command line.
func usageZH() map[string]string {
	return map[string]string{
		"%s is no world: there is neither a world.yaml nor a store in it":                                              "%s 不是世界：里面既没有 world.yaml，也没有存档",
		"%s has no store yet: nothing was played in it":                                                                "%s 还没有存档：这里还没有玩过",
		"%s is neither a dump nor a copy of a store; nothing was changed":                                              "%s 既不是转储文件，也不是存档的副本；什么都没有改动",
		"%q: write accept or reject":                                                                                   "%q：请写 accept 或 reject",
		"%s has no batch %s; 'fabula vote list' shows those there are":                                                 "%s 没有批次 %s；'fabula vote list' 会列出现有的",
		"--turns %d: a scene has one turn or more":                                                                     "--turns %d：一个场景至少一轮",
		"--margin %v: it lies between 0 and 50 points":                                                                 "--margin %v：要在 0 到 50 个百分点之间",
		"two candidates or more are needed: branches A,B or --sides A,B or --answers A,B":                              "要有两个以上的候选：分支 A,B 或 --sides A,B 或 --answers A,B",
		"--names has %d names for %d candidates":                                                                       "--names 给了 %d 个名字，候选却有 %d 个",
		"%s has not as many branches as %s":                                                                            "%s 的分支数与 %s 不同",
		"%s has no %q; there are: %s":                                                                                  "%s 没有 %q；有的是：%s",
		"%s has no playtests; write playtests/*.yaml, or use --players all":                                            "%s 没有试玩；请写 playtests/*.yaml，或用 --players all",
		"%s has turns 0 to %d, there is no %d":                                                                         "%s 有第 0 到 %d 轮，没有第 %d 轮",
		"%s needs %s; %s is missing. See '%s --help'":                                                                  "%s 需要 %s；缺少 %s。请看 '%s --help'",
		"%s needs FILE; it is missing. See '%[1]s --help'":                                                             "%s 需要 FILE，现在没有。请看 '%[1]s --help'",
		"%s takes %s; %q is too much":                                                                                  "%s 只要 %s；%q 是多余的",
		"%s takes %s; %q is too much (quote a text of several words)":                                                  "%s 只要 %s；%q 是多余的（几个词的文本请加引号）",
		"%s: nobody in the world is called %s; import the card too, or say who it is with --as '%s=ID' (%s)":           "%s：世界里没有人叫 %s；请把角色卡也导入，或用 --as '%s=ID' 说明是谁（%s）",
		"--%s %d: 1 to 1000":                                                                                           "--%s %d：要在 1 到 1000 之间",
		"--%s %s: it takes %s":                                                                                         "--%s %s：这里要写%s",
		"--ab %s: write two engines or more with commas between, as in --ab gguf,recall":                               "--ab %s：请写两个以上的引擎，用逗号隔开，如 --ab gguf,recall",
		"--ab names who answers; --engine and --alternatives do not go with it":                                        "--ab 已指定由谁回答，不能再用 --engine 和 --alternatives",
		"%s: the world in %s keeps its own files there, and nothing else is written among them; choose another place":  "%s：%s 里的世界在那里放自己的文件，不能混入别的；请换一个地方",
		"%s holds what was played in the world %s, not in %s; --force takes it all the same":                           "%s 里是在世界 %s 里玩过的内容，不属于 %s；加 --force 仍可采用",
		"%s %s: nothing that was played has it; there are: %s":                                                         "%s %s：玩过的内容里没有；有的是：%s",
		"%s does not say which world it is: there is no 'world:' in its world.yaml":                                    "%s 没有说明自己是哪个世界：它的 world.yaml 里没有 world:",
		"--all and --branch exclude each other":                                                                        "--all 和 --branch 只能用一个",
		"--alternatives %d: 1 to %d can be asked for at once":                                                          "--alternatives %d：一次可要 1 到 %d 个",
		"--as %q: write NAME=ID with the id of a persona; there are: %s":                                               "--as %q：请写成 名字=ID，ID 是角色的 id；有的是：%s",
		"--branch brings one branch back, --newest and FILE a whole store: use one of them":                            "--branch 取回一个分支，--newest 和 FILE 取回整个存档：只能用一个",
		"--format %s: no such format; formats:\n%s":                                                                    "--format %s：没有这种格式；有的是：\n%s",
		"--baseline %s: it is no baseline; 'fabula lint WORLD --write-baseline FILE' writes one":                       "--baseline %s：不是基线；'fabula lint WORLD --write-baseline FILE' 写一个",
		"--turns %d: 2 to %d":                                                                                          "--turns %d：要在 2 到 %d 之间",
		"fabula golden run needs WORLD":                                                                                "fabula golden run 需要 WORLD",
		"%s is built in; copy it with 'fabula new NAME --template %[1]s' and add to the copy":                          "%s 是内置的；请用 'fabula new NAME --template %[1]s' 复制一份，再往副本里加",
		"%s: no NPC answers the player there":                                                                          "%s：那里没有角色回答玩家",
		"%s is there already; give another name by --id":                                                               "%s 已经有了；请用 --id 换个名字",
		"%s has no golden replies; make one with 'fabula golden add %[1]s BRANCH@N'":                                   "%s 没有样板回答；用 'fabula golden add %[1]s BRANCH@N' 做一个",
		"no golden reply %v in this world; there are: %v":                                                              "这个世界里没有样板回答 %v；有的是：%v",
		"fabula judge needs WORLD":                                                                                     "fabula judge 需要 WORLD",
		"--by is missing: name the model that judges; see 'fabula engines list'":                                       "缺少 --by：请写明由哪个模型评判；见 'fabula engines list'",
		"--by %s made %d of these replies itself (%s@%d is one); name another judge, or branches that it did not make": "--by %s 自己写了其中 %d 个回答（%s@%d 就是）；请换一个评判者，或只评判不是它写的分支",
		"--by %s: it cannot tell how likely a text is, so it cannot judge; name a model of 'fabula engines list'":      "--by %s：它说不出一段文字有多可能，所以不能评判；请写 'fabula engines list' 里的模型",
		"--flaws %s: there are %s":                                                                                     "--flaws %s：有的是 %s",
		"--limit %d: from 1":                                                                                           "--limit %d：要从 1 起",
		"nothing to judge: no engine made a reply on these branches":                                                   "没有可评判的：这些分支上没有引擎写的回答",
		"--free and --grounded: a reply is one or the other":                                                           "--free 和 --grounded：一个回答只能是其中一种",
		"--id names one persona; give one file with it":                                                                "--id 指定一个角色；请只给一个文件",
		"--id %q: an id is small letters, digits and _, a letter first":                                                "--id %q：标识由小写字母、数字和 _ 组成，以字母开头",
		"--lang %s: the interface speaks en and zh":                                                                    "--lang %s：界面只有 en 和 zh",
		"--merge adds to a plot tree: --format plottree":                                                               "--merge 是往剧情树里合并：请用 --format plottree",
		"--metrics-public needs --metrics and an address":                                                              "--metrics-public 要和 --metrics 及地址一起用",
		"--metrics: %v; add --metrics-public if that is meant":                                                         "--metrics：%v；若确实要这样，请加 --metrics-public",
		"--model names the model of --compare, which is missing":                                                       "--model 指定 --compare 用的模型，而没有 --compare",
		"--persona %s: %s has no such character; there are %s":                                                         "--persona %s：%s 里没有这个角色；有的是 %s",
		"--pin and --unpin: one at a time":                                                                             "--pin 和 --unpin：一次只能用一个",
		"--players %s: there are %s, all":                                                                              "--players %s：有的是 %s、all",
		"--replies, --tokens and --budget take numbers above 0":                                                        "--replies、--tokens 和 --budget 要写大于 0 的数",
		"--set %s: write it as variable=value":                                                                         "--set %s：请写成 变量=值",
		"--set begins a playthrough, or goes with --node; a branch has its state":                                      "--set 用来开始一局，或和 --node 一起用；分支有自己的状态",
		"--sizes %d: a size is a number of tokens from 1":                                                              "--sizes %d：大小是词元数，从 1 起",
		"--speak %s: %s is written in %s":                                                                              "--speak %s：%s 是用 %s 写的",
		"--state %s: %s; %s":                                                                                           "--state %s：%s；%s",
		"--text needs --npc: what a line calls to mind differs from one to the other":                                  "--text 要和 --npc 一起用：同一句话让各人想起的不一样",
		"--theme %s: no such theme; there are %s":                                                                      "--theme %s：没有这个主题；有的是 %s",
		"--top %d: 0 to %d can be kept":                                                                                "--top %d：可保留 0 到 %d 个",
		"--without %s: no such entry; there are: %s":                                                                   "--without %s：没有这一条；有的是：%s",
		"--without %s: this world has no lore":                                                                         "--without %s：这个世界没有设定",
		"FABULA_CACHE_MIB=%s: write how many MiB of memory prompts kept ready may take, from 1":                        "FABULA_CACHE_MIB=%s：请写备好的提示词最多占多少 MiB 内存，从 1 起",
		"--int8-skip, --int8-dynamic and --int8-alpha go with --int8":                                                  "--int8-skip、--int8-dynamic 和 --int8-alpha 要与 --int8 一起用",
		"--precision %s: %s names its file already":                                                                    "--precision %s：%s 已经写明了文件",
		"--int8-alpha %g: 0 to 1 can be":                                                                               "--int8-alpha %g：可以是 0 到 1",
		"--int8-skip %s: numbers of layers with commas between, and head":                                              "--int8-skip %s：写层的编号，用逗号隔开，也可以写 head",
		"engines use needs a name; see 'fabula engines list'":                                                          "engines use 需要一个名字；请看 'fabula engines list'",
		"export needs --format and --out; formats:\n%s":                                                                "export 需要 --format 和 --out；格式有：\n%s",
		"fabula play needs WORLD":                                                                                      "fabula play 需要 WORLD",
		"find needs a text to look for, or what it has to fit":                                                         "find 需要要找的文本，或者它要符合什么",
		"import into %s: %v":                                                                                           "导入到 %s：%v",
		"import needs --world, the folder to bring it into ('fabula new DIR' makes one)":                               "import 需要 --world，即要导入到的文件夹（'fabula new DIR' 可新建）",
		"model %s: no such file, and no model of this name in %s; 'fabula models' lists them":                          "模型 %s：没有这个文件，%s 里也没有叫这个名字的模型；'fabula models' 会列出来",
		"name a FILE, or use --newest, not both":                                                                       "请写 FILE 或用 --newest，不能都用",
		"new needs a folder to write to":                                                                               "new 需要一个要写入的文件夹",
		"no change of engines to take back":                                                                            "没有可以收回的引擎更换",
		"no command %q; did you mean 'fabula %s'?":                                                                     "没有 %q 这个命令；是不是 'fabula %s'？",
		"no command %q; see 'fabula --help'":                                                                           "没有 %q 这个命令；请看 'fabula --help'",
		"no key was given; --remove takes one out":                                                                     "没有给出密钥；--remove 用来删除",
		"no playtest %q in this world; there are: %s":                                                                  "这个世界没有叫 %q 的试玩；有的是：%s",
		"no recommended model speaks %q; --speak takes a code such as en or zh":                                        "推荐的模型里没有会 %q 的；--speak 要写 en 或 zh 这样的代码",
		"schema %s: no such kind; there are %s":                                                                        "schema %s：没有这种文件；有的是 %s",
		"--states %d --walks %d: at least one state is searched, and no less than no walk is played":                   "--states %d --walks %d：至少要查一个状态，走的次数不能小于零",
		"--branch %s --node %s: a jump leaves from a branch's end":                                                     "--branch %s --node %s：要从分支的末尾跳",
		"%s is in the world already, as personas/%s.yaml; --id NAME brings it in once more":                            "%s 已经在世界里，是 personas/%s.yaml；用 --id 名字 可再导入一份",
		"%s is there already; no author's file is written to: choose another name":                                     "%s 已经存在；作者的文件不会被改写：请换一个名字",
		"%s: turns are two numbers, the smaller first: %s@1..3":                                                        "%s：轮次是两个数，小的在前：%s@1..3",
		"%s: which turns? %s@1..3, or %s@2 for one":                                                                    "%s：哪几轮？%s@1..3，一轮就写 %s@2",
		"--players %s: name the model that speaks by --player-engine":                                                  "--players %s：请用 --player-engine 指定说话的模型",
		"--players %s: there are %s, %s, all":                                                                          "--players %s：有的是 %s、%s、all",
		// what a flag takes
		"a whole number": "整数", "a whole number from 0": "从 0 起的整数", "true or false": "true 或 false",
	}
}
