package lang

// English and Chinese for the codes of engine/ladder: what befell an engine.
// {1} is its name.
var (
	faultsOfEnginesEN = map[string]string{
		"first_token":   "{1} gave no first token within {2} ms",
		"gap":           "{1} fell silent for {2} ms",
		"memory":        "{1} needs {2} MiB of memory, {3} MiB are free",
		"out_of_memory": "{1} ran out of memory",
		"load":          "{1} could not be loaded",
		"loading":       "{1} is still loading",
		"crashed":       "{1} crashed",
		"killed":        "{1} was killed by the system, most often for want of memory",
		"incompatible":  "{1} does not fit this machine or program",
		"unavailable":   "{1} does not serve just now",
		"fault":         "{1} failed",
		"nothing":       "{1} returned nothing",
		"unsupported":   "{1} cannot do what was asked",
		"no_line":       "nothing is authored that {1} may say here",
		"ungrounded":    "{1} cannot choose among authored lines",
	}
	faultsOfEnginesZH = map[string]string{
		"first_token":   "{1} 没能在 {2} 毫秒内给出第一个词元",
		"gap":           "{1} 停顿超过 {2} 毫秒",
		"memory":        "{1} 需要 {2} MiB 内存，只剩 {3} MiB",
		"out_of_memory": "{1} 内存不足",
		"load":          "{1} 加载失败",
		"loading":       "{1} 还在加载",
		"crashed":       "{1} 崩溃了",
		"killed":        "{1} 被系统终止，多半是内存不足",
		"incompatible":  "{1} 与这台机器或程序不相容",
		"unavailable":   "{1} 眼下不能作答",
		"fault":         "{1} 出错了",
		"nothing":       "{1} 没有返回任何内容",
		"unsupported":   "{1} 做不到所要求的事",
		"no_line":       "这里没有 {1} 可说的台词",
		"ungrounded":    "{1} 不会从写好的台词里挑选",
	}
)
