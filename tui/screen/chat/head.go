package chat

import (
	"fmt"
	"strings"

	"fabula/story"
	"fabula/tui/text"
)

// headFrom is the height from which the line of scene and player stands unasked.
const headFrom = 30

// headed reports whether the line of scene and player is drawn.
func (c *Chat) headed() bool {
	if c.head == no || c.head == byWidth && c.h < headFrom {
		return false
	}
	return len(c.scene()) > 0 || len(c.path.traits) > 0
}

// fold shows that line, or hides it.
func (c *Chat) fold() {
	if c.headed() {
		c.head = no
	} else {
		c.head = yes
	}
}

// scene gives the tags of the present node: place, time, weather, sound, mood.
func (c *Chat) scene() []string {
	s, st := c.env.Session.Script(), c.path.state
	n := s.Node(st.Node)
	if n == nil {
		return nil
	}
	var tags []string
	for _, tag := range n.Scene {
		if v := s.Expand(tag.Value.In(c.Speaks(), s.Languages...), st, c.Speaks()); v != "" {
			tags = append(tags, text.Line(v))
		}
	}
	return tags
}

// headRow draws scene and player in one line; of two that do not fit the scene
// gives way, down to half of it.
func (c *Chat) headRow() string {
	th := c.env.Theme
	dot := " " + th.Signs.Bullet + " "
	parts := make([]string, len(c.path.traits))
	for i, t := range c.path.traits {
		parts[i] = c.trait(t)
	}
	scene, player := strings.Join(c.scene(), dot), strings.Join(parts, dot)
	if player == "" {
		return text.Fit(" "+th.Told.Render(text.Fit(scene, c.w-2, th.Signs.Ellipsis)), c.w, "")
	}
	you := c.env.Text.Chat.You
	room := max(c.w-text.Width(player)-text.Width(you)-5, c.w/2)
	if text.Width(scene) > room {
		scene = text.Fit(scene, room, th.Signs.Ellipsis)
	}
	line := " " + th.Told.Render(scene)
	if scene != "" {
		line += "  "
	}
	return text.Fit(line+th.Player.Render(you)+" "+th.Dim.Render(player), c.w, th.Signs.Ellipsis)
}

// trait words what the player is like in one respect: "put himself first
// (selfish 2 of 3)".
func (c *Chat) trait(t story.Trait) string {
	count := fmt.Sprintf(c.env.Text.Talk.Profile, text.Line(t.Var), t.Acts, t.Of)
	if len(t.Words) == 0 {
		return count
	}
	return text.Line(strings.Join(t.Words, c.env.Text.Way.List)) + " (" + count + ")"
}
