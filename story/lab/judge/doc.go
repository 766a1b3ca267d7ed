// Package judge has a model give opinions about what NPCs said: flaws out of a
// closed list, among them telling what the NPC cannot know, who of the world's NPCs
// a line is by, which of two lines is more in character.
//
//	Collect, Controls → Batch.Run → one Judgement an item → Sum: void or scores
//
// Every question is a choice that is scored by log-probability, in several orders
// and less what the labels have without the matter (engine/score), so that a small
// model can be asked and nothing has to be parsed. Items whose answer is known are
// mixed in: a judge that misses one voids the batch, whoever it is.
//
// Methods: flaw lists after CoSER, guessing the speaker after Ditto, both orders
// after Zheng et al. 2023 (arXiv 2306.05685).
// Non-goals: rules (personas/lint finds facts, here are opinions, and no table or
// count holds both), wording for people, files.
package judge
