package story_test

import (
	"context"
	"fmt"
	"os"

	"fabula/engine/scripted"
	"fabula/story"
	"fabula/story/store"
)

// A turn from the input to the stored reply.
func ExampleSession_Say() {
	dir, _ := os.MkdirTemp("", "ferry")
	defer func() { _ = os.RemoveAll(dir) }()
	script, _ := loadFerry(nil)
	engine, _ := scripted.Parse([]byte("reply\nsay \"Look at the water.\"\n"))
	held, _ := store.Open(dir)
	s, err := story.New(story.Config{Script: script, Store: held, Engines: rungs{{Engine: engine, Step: "full"}}})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer func() { _ = s.Close() }()

	branch, opening, _ := s.Begin(story.Start{})
	fmt.Println(opening.Alternative.Lines[0].Text)
	running, err := s.Say(context.Background(), branch.ID, story.Input{Text: "Will you take me over?"}, story.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	_, step, _ := running.Wait()
	fmt.Println(step.Alternative.Speaker+":", step.Alternative.Text)
	// Output:
	// Three qian of herbs, stranger.
	// adu: Look at the water.
}
