package chat

import "fabula/story"

// SetPath shows a path that is not stored.
func (c *Chat) SetPath(play story.Playthrough, steps []story.Step) {
	c.path = path{branch: story.Branch{Name: "main"}, play: play, steps: steps, state: steps[len(steps)-1].Alternative.State}
	c.path.offers = c.env.Session.Script().Offers(c.path.state, play.Language)
	c.rebuild()
	c.script.Follow()
}

// Progress is what a look at a running reply does.
func (c *Chat) Progress(s story.Snapshot) { c.Update(progress{c.run, []story.Snapshot{s}}) }
