package screen

import (
	tea "github.com/charmbracelet/bubbletea"

	"fabula/story"
	"fabula/story/export"
)

// Exporter makes files for other programs of what was played. The command that
// opens the workbench gives it; without Render nothing can be exported.
type Exporter struct {
	Formats []string // in the order in which they are offered
	Folder  string   // where files go unless the person says otherwise
	Redact  bool     // secrets are masked unless the person says otherwise
	// Render makes the files of a format. It reads the tree and the world's
	// files: only in commands. Its error says by name what the format refuses.
	Render func(r story.Reader, ask ExportAsk) (Exported, error)
}

// ExportAsk is what a person wants exported.
type ExportAsk struct {
	Format   string
	Branches []string // names or ids; none = all
	Approved bool     // only approved lines, no recorded ones
	Redact   bool     // secrets are masked
}

// Exported is files that were made and not written yet.
type Exported struct {
	Files    []export.File
	Warnings []ExportWarning
	// Keep remembers the ids that lines were given, once the files are written.
	Keep func() error
}

// ExportWarning is what a person should know of the files before they leave the
// house. Text/lang words the code; its argument is a count or names.
type ExportWarning struct{ Code, Arg string }

// The codes of warnings.
const (
	WarnSecrets   = "secrets"   // that the files give away
	WarnSimulated = "simulated" // branches that no person played
	WarnLeftOut   = "left_out"  // trials that this format does not take
	WarnEmpty     = "empty"     // no branch was selected
)

// ExportThis asks the export dialog for one branch; without one, for all.
type ExportThis struct{ Branch story.ID }

// ExportOf shows the export dialog for a branch, or for all without one.
func ExportOf(branch story.ID) tea.Cmd {
	return func() tea.Msg { return Open{Name: Export, With: ExportThis{Branch: branch}} }
}
