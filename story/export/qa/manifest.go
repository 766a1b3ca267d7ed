package qa

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strconv"

	"fabula/engine"
	"fabula/personas/source"
	"fabula/personas/source/emit"
	"fabula/story"
	"fabula/story/export"
)

// ManifestFormat names the version of manifest.yaml.
const ManifestFormat = "fabula-qa/1"

// Manifest says what a folder was made of, well enough to play it again.
type Manifest struct {
	Format, World, Hash string
	Files               []Sum
	Branches            []Recorded
}

// Sum is a file beside the manifest with its SHA-256.
type Sum struct{ File, SHA256 string }

// Recorded is a branch with the replies that an engine gave on it.
type Recorded struct {
	Branch, Name, Leaf, Language string
	Replies                      []Made
}

// Made is one reply: what made it of what.
type Made struct {
	Turn                                    int
	Alternative, Speaker, Engine, Kind      string
	BaseHash, Precision, Runtime            string
	Seed, Prompt, Persona, Sampling, SHA256 string
}

// Build is the engine build that made the reply.
func (m Made) Build() engine.Build {
	return engine.Build{BaseHash: m.BaseHash, Precision: m.Precision, Runtime: m.Runtime}
}

// Hash is the SHA-256 of a text, in hex.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// manifest writes manifest.yaml over the other files.
func manifest(in export.Input, files []export.File) []byte {
	var sums, branches emit.List
	for _, f := range files {
		sums = append(sums, emit.Object{{Key: "file", Value: f.Name}, {Key: "sha256", Value: Hash(string(f.Data))}})
	}
	for _, b := range in.Branches {
		leaf := ""
		var replies emit.List
		for _, s := range b.Steps {
			leaf = string(s.Alternative.ID)
			if s.Alternative.Reply != nil {
				replies = append(replies, made(s))
			}
		}
		branches = append(branches, emit.Object{{Key: "branch", Value: string(b.ID)}, {Key: "name", Value: b.Name}, {Key: "leaf", Value: leaf},
			{Key: "language", Value: b.Language}, {Key: "replies", Value: replies}})
	}
	return emit.File(emit.Object{{Key: "format", Value: ManifestFormat}, {Key: "world", Value: in.Script.ID}, {Key: "world_hash", Value: in.Script.Hash},
		{Key: "files", Value: sums}, {Key: "branches", Value: branches}},
		"What these files were made of. Play it again: fabula replay WORLD --manifest manifest.yaml")
}

func made(s story.Step) emit.Object {
	a, r := s.Alternative, s.Alternative.Reply
	knobs := fmt.Sprintf("temperature %g, top_k %d, top_p %g, min_p %g, repeat_penalty %g, max_tokens %d", r.Sampling.Temperature, r.Sampling.TopK,
		r.Sampling.TopP, r.Sampling.MinP, r.Sampling.RepeatPenalty, r.Sampling.MaxTokens)
	return emit.Object{{Key: "turn", Value: s.Turn.Depth}, {Key: "alternative", Value: string(a.ID)}, {Key: "speaker", Value: a.Speaker},
		{Key: "engine", Value: r.Engine.Name}, {Key: "kind", Value: string(r.Engine.Kind)}, {Key: "base_hash", Value: r.Engine.Build.BaseHash},
		{Key: "precision", Value: r.Engine.Build.Precision}, {Key: "runtime", Value: r.Engine.Build.Runtime},
		{Key: "seed", Value: emit.Raw(strconv.FormatUint(r.Seed, 10))}, {Key: "prompt_hash", Value: r.Prompt}, {Key: "persona_hash", Value: r.Persona.Hash},
		{Key: "sampling", Value: knobs}, {Key: "text_sha256", Value: Hash(a.Text)}}
}

// ReadManifest reads a manifest.yaml; faults have their lines.
func ReadManifest(file source.File) (Manifest, []source.Fault) {
	return source.Read(file, manifestType())
}

func manifestType() source.Type[Manifest] {
	return source.Object("manifest", "what an export for quality assurance was made of",
		source.Key("format", source.OneOf(ManifestFormat), func(m *Manifest) *string { return &m.Format }, "version of this file").Required(),
		source.Key("world", source.ID(), func(m *Manifest) *string { return &m.World }, "id of the world").Required(),
		source.Key("world_hash", source.Words("text"), func(m *Manifest) *string { return &m.Hash }, "SHA-256 over its files"),
		source.Key("files", source.List(source.Object("file", "a file beside this one",
			source.Key("file", source.Words("text"), func(s *Sum) *string { return &s.File }, "its name").Required(),
			source.Key("sha256", source.Words("text"), func(s *Sum) *string { return &s.SHA256 }, "of its bytes").Required())),
			func(m *Manifest) *[]Sum { return &m.Files }, "what was written"),
		source.Key("branches", source.List(recordedType()), func(m *Manifest) *[]Recorded { return &m.Branches }, "what was played"),
	)
}

func recordedType() source.Type[Recorded] {
	return source.Object("branch", "a branch",
		source.Key("branch", source.Words("text"), func(r *Recorded) *string { return &r.Branch }, "its id").Required(),
		source.Key("name", source.Words("text"), func(r *Recorded) *string { return &r.Name }, "its name"),
		source.Key("leaf", source.Words("text"), func(r *Recorded) *string { return &r.Leaf }, "its last alternative").Required(),
		source.Key("language", source.Language(), func(r *Recorded) *string { return &r.Language }, "what NPCs speak"),
		source.Key("replies", source.List(madeType()), func(r *Recorded) *[]Made { return &r.Replies }, "what engines said"),
	)
}

func madeType() source.Type[Made] {
	word := func(key, what string, into func(*Made) *string) source.Field[Made] {
		return source.Key(key, source.Words("text"), into, what)
	}
	return source.Object("reply", "a reply",
		source.Key("turn", source.AnyWhole(), func(m *Made) *int { return &m.Turn }, "its number"),
		word("alternative", "its id", func(m *Made) *string { return &m.Alternative }),
		word("speaker", "who said it", func(m *Made) *string { return &m.Speaker }),
		word("engine", "name of the engine", func(m *Made) *string { return &m.Engine }),
		word("kind", "kind of the engine", func(m *Made) *string { return &m.Kind }),
		word("base_hash", "SHA-256 of the weights", func(m *Made) *string { return &m.BaseHash }),
		word("precision", "of the weights", func(m *Made) *string { return &m.Precision }),
		word("runtime", "what ran them", func(m *Made) *string { return &m.Runtime }),
		word("seed", "of the sampler", func(m *Made) *string { return &m.Seed }),
		word("prompt_hash", "SHA-256 over the prompt", func(m *Made) *string { return &m.Prompt }),
		word("persona_hash", "version of the persona", func(m *Made) *string { return &m.Persona }),
		word("sampling", "knobs of the sampler", func(m *Made) *string { return &m.Sampling }),
		word("text_sha256", "SHA-256 of the reply", func(m *Made) *string { return &m.SHA256 }),
	)
}
