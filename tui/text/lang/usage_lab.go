package lang

// usageLabZH words the refusals of calibrate and drift. They stand apart so that
// a long one does not move the others.
var usageLabZH = map[string]string{
	"--limit %d: a number of tokens, 0 = all":                                              "--limit %d：词元数，0 = 全部",
	"--npc %s: %s has no such character":                                                   "--npc %s：%s 里没有这个角色",
	"--same-top takes a share from 0 to 1, --mean-kl, --p99-kl and --mass a number from 0": "--same-top 要写 0 到 1 的比例，--mean-kl、--p99-kl 和 --mass 要写从 0 起的数",
	"%s cannot read texts: only engines that own a model can, gguf and tensorrt":           "%s 不能读文本：只有自带模型的引擎能读，即 gguf 和 tensorrt",
	"--size takes a number from 8, --draws one from 1 to 16":                               "--size 要写从 8 起的数，--draws 要写 1 到 16",
	"%s holds another set; --force replaces it, --out names another folder":                "%s 里有另一套样本；--force 会替换它，--out 指定别的文件夹",
}
