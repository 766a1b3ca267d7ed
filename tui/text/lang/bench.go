package lang

// Bench is the words of `fabula bench`.
type Bench struct {
	Prompt, Engine, Prefill, Decode, Cold, Cached, Gap string // heads of columns
	Load, WarmUp, Memory                               string // duration; duration; MB
	Reads, Share                                       string // GB/s; percent, GB/s of the machine
	Lines                                              string // the sizes of recall
	Legend                                             string // fewest counts of p50, p95, p99
	Fake, Remote, Chunks, LeftOut, Fault, Busy         string // …; tokens; note; fault; load, cores
	Ratio, Interval, NoInterval                        string // size, decode, first token; low, high; count needed
	Measuring                                          string // engine, size, reply, of how many
}

var benchEN = Bench{
	Prompt: "prompt", Engine: "engine", Prefill: "prefill tok/s", Decode: "decode tok/s",
	Cold: "first token, cold", Cached: "first token, cached", Gap: "gap",
	Load: "load %s", WarmUp: "warm-up %s", Memory: "peak memory %.0f MB",
	Reads: "weights read at %.1f GB/s", Share: "%.0f%% of the machine's %.1f GB/s",
	Lines:  "sizes are lines to choose from; recalled lines are not decoded, so they have no speed",
	Legend: "times: p50 / p95 / p99 / max in ms (how many); nearest rank; – means too few: p50 needs %d, p95 %d, p99 %d",
	Fake:   "a script plays: a fake, not a measurement", Remote: "another machine: the network is in every time",
	Chunks: "the server sent %.1f tokens at once: gaps are between those", LeftOut: "left out: %s", Fault: "failed: %s",
	Busy:  "other work ran on this machine (load %.1f on %d cores): the figures are worse than it can do",
	Ratio: "%d tokens, first against second: decode %.2f%s, first token cold %.2f%s", Interval: " (95%%: %.2f to %.2f)",
	NoInterval: "no intervals: they need %d replies of each", Measuring: "%s, %d tokens, reply %d of %d",
}

var benchZH = Bench{
	Prompt: "提示", Engine: "引擎", Prefill: "预填 词元/秒", Decode: "解码 词元/秒",
	Cold: "首词元，冷", Cached: "首词元，有缓存", Gap: "间隔",
	Load: "载入 %s", WarmUp: "预热 %s", Memory: "内存峰值 %.0f MB",
	Reads: "读权重 %.1f GB/s", Share: "占 %.0f%% （本机 %.1f GB/s）",
	Lines:  "规模是可选台词的行数；检索出的台词不是解码的，所以没有速度",
	Legend: "时间：p50 / p95 / p99 / 最长，毫秒（个数）；最近秩；– 表示太少：p50 要 %d 个，p95 要 %d 个，p99 要 %d 个",
	Fake:   "这是照脚本演的假引擎，不是测量", Remote: "在另一台机器上：每个时间都含网络",
	Chunks: "服务器一次发来 %.1f 个词元：间隔是两次之间的", LeftOut: "略过：%s", Fault: "出错：%s",
	Busy:  "本机还有别的活在跑（负载 %.1f，%d 核）：数字比它能做到的差",
	Ratio: "%d 词元，前者比后者：解码 %.2f%s，冷首词元 %.2f%s", Interval: "（95%%: %.2f 到 %.2f）",
	NoInterval: "没有区间：每边要 %d 次回答", Measuring: "%s，%d 词元，第 %d 次，共 %d 次",
}
