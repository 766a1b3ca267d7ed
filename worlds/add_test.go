package worlds_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"fabula/worlds"
)

func TestAddIsAllOrNothing(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "w")
	if err := worlds.New(dir, "blank"); err != nil {
		t.Fatal(err)
	}
	w, err := worlds.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	good := worlds.AddedFile{Name: "personas/new.yaml", Data: []byte("persona: new\nname: New\n")}
	after, err := w.With([]worlds.AddedFile{good})
	if err != nil || after.Script.Persona("new") == nil || w.Script.Persona("new") != nil {
		t.Fatalf("with it: %v", err)
	}
	host, err := os.ReadFile(filepath.Join(dir, "personas", "host.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"personas/host.yaml", "../out.yaml", "/abs.yaml"} {
		if _, err := w.Add([]worlds.AddedFile{good, {Name: bad, Data: []byte("x")}}); err == nil {
			t.Errorf("%s was taken", bad)
		}
		if _, err := w.With([]worlds.AddedFile{{Name: bad}}); err == nil {
			t.Errorf("%s would be taken", bad)
		}
		if _, err := os.Stat(filepath.Join(dir, "personas", "new.yaml")); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("beside %s, half was written: %v", bad, err)
		}
	}
	if now, _ := os.ReadFile(filepath.Join(dir, "personas", "host.yaml")); string(now) != string(host) {
		t.Error("a file that was there has changed")
	}
	undo, err := w.Add([]worlds.AddedFile{good, {Name: "personas/new.card.json", Data: []byte("{}")}})
	if err != nil {
		t.Fatal(err)
	}
	next, _, err := w.Reload()
	if err != nil || string(next.Cards()["new"].JSON) != "{}" {
		t.Errorf("the card is %v, %v", next.Cards(), err)
	}
	if err := undo(); err != nil {
		t.Error(err)
	}
	if _, changed, err := next.Reload(); !changed || err != nil {
		t.Errorf("undone: changed %v, %v", changed, err)
	}
}

func TestBuiltInTakesNoFiles(t *testing.T) {
	t.Chdir(t.TempDir()) // where no folder has that name
	w, err := worlds.Open("fox_lantern")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Add(nil); !errors.Is(err, worlds.ErrEmbedded) {
		t.Errorf("it gives %v", err)
	}
}
