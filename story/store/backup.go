package store

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	bolt "go.etcd.io/bbolt"
)

// BackupDir is the folder of copies, below the store's.
const BackupDir = "backups"

// What a copy was made for. Only those made at open are ever taken away by age;
// of those made before a change of the whole file the newest few are kept.
const (
	AtOpen        = "open"
	BeforeUpgrade = "upgrade"
	BeforeRestore = "restore" // what a restore put aside
	ByHand        = "hand"
)

// How many copies made at open are kept: the newest, and the last one of each
// of the past days and weeks.
const (
	KeptNewest = 5
	KeptDays   = 7
	KeptWeeks  = 4
	keptOthers = 3 // of each other sort but ByHand
)

// A store of more than seldomSize bytes is copied at most once in seldom.
const (
	seldomSize = 64 << 20
	seldom     = time.Hour
)

// Backup is one copy of a store.
type Backup struct {
	File  string
	Made  time.Time
	Why   string
	Bytes int64
}

const backupStamp = "20060102T150405.000Z"

// backupName names a copy that is made now; schema is of a BeforeUpgrade.
func backupName(why string, schema int) func(at time.Time) string {
	if why == BeforeUpgrade {
		why += strconv.Itoa(schema)
	}
	return func(at time.Time) string { return "fabula-" + at.UTC().Format(backupStamp) + "-" + why + ".db" }
}

// Backups lists the copies of the store in dir, newest first.
func Backups(dir string) []Backup {
	var all []Backup
	files, err := os.ReadDir(filepath.Join(dir, BackupDir))
	if err != nil {
		return nil
	}
	for _, f := range files {
		b, ok := backupOf(f.Name())
		info, err := f.Info()
		if !ok || err != nil || !info.Mode().IsRegular() {
			continue
		}
		b.File, b.Bytes = filepath.Join(dir, BackupDir, f.Name()), info.Size()
		all = append(all, b)
	}
	slices.SortFunc(all, func(a, b Backup) int { return cmp.Or(b.Made.Compare(a.Made), cmp.Compare(b.File, a.File)) })
	return all
}

// backupOf reads a copy's name.
func backupOf(name string) (b Backup, ok bool) {
	name, ok1 := strings.CutPrefix(name, "fabula-")
	name, ok2 := strings.CutSuffix(name, ".db")
	stamp, why, ok3 := strings.Cut(name, "-")
	made, err := time.Parse(backupStamp, stamp)
	if !ok1 || !ok2 || !ok3 || err != nil {
		return b, false
	}
	return Backup{Made: made, Why: strings.TrimRight(why, "0123456789")}, true
}

// copiesOf lists the files to go back to when a store is damaged, newest first:
// copies, and those that programs before this version put beside it.
func copiesOf(file string) []string {
	var all []string
	for _, b := range Backups(filepath.Dir(file)) {
		if b.Why != BeforeRestore { // a person went away from that
			all = append(all, b.File)
		}
	}
	return append(all, oldCopies(file)...)
}

// allCopies also lists what a restore put aside and what was salvaged: whatever
// holds what was played.
func allCopies(file string) []string {
	all := named(filepath.Dir(file), "salvaged*.db")
	for _, b := range Backups(filepath.Dir(file)) {
		all = append(all, b.File)
	}
	return append(all, oldCopies(file)...)
}

// oldCopies are those that programs before this version made, newest first.
func oldCopies(file string) []string {
	old := named(filepath.Dir(file), filepath.Base(file)+".*.bak")
	slices.Reverse(old)
	return old
}

// named lists the files of a folder whose names fit a pattern, sorted. The folder's
// own name is none: filepath.Glob would find nothing in "salt [2]".
func named(dir, pattern string) []string {
	files, _ := fs.Glob(os.DirFS(dir), pattern) // the pattern is well-formed
	for i, name := range files {
		files[i] = filepath.Join(dir, name)
	}
	return files
}

// NewestGood gives the newest copy that is whole; ok is false when none is.
func NewestGood(dir string) (file string, ok bool) {
	for _, file := range copiesOf(filepath.Join(dir, File)) {
		if verify(file) == nil {
			return file, true
		}
	}
	return "", false
}

// backUp copies the file in the background when it changed since the last copy.
// What keeps it from doing so is for the log: no reason not to play.
func (s *Store) backUp() {
	newest := Backup{}
	if all := Backups(s.dir); len(all) > 0 {
		newest = all[0]
	}
	if !s.changedSince(newest) {
		return
	}
	tx, err := s.db.Begin(false)
	if err != nil {
		s.options.log.Warn("store not copied", "file", s.file, "error", err)
		return
	}
	s.background.Go(func() {
		defer func() { _ = tx.Rollback() }()
		to, err := copyVerified(s.dir, tx, backupName(AtOpen, 0))
		if err != nil {
			s.options.log.Warn("store not copied", "file", s.file, "error", err)
			return
		}
		s.options.log.Info("store copied", "to", to)
		rotate(Backups(s.dir), time.Now())
	})
}

// changedSince reports whether a copy is due: something was ever stored, and
// the file's last transaction is not the copy's.
func (s *Store) changedSince(newest Backup) bool {
	empty, last := true, meta{}
	err := s.view(func(tx *bolt.Tx) error {
		k, _ := tx.Bucket([]byte("playthroughs")).Cursor().First()
		empty = k == nil
		last = meta{tx: uint64(tx.ID()), size: int64(tx.DB().Info().PageSize)}
		last.pages = tx.Size() / last.size
		return nil
	})
	switch {
	case err != nil || empty:
		return false
	case newest.File == "":
		return true
	case last.pages*last.size > seldomSize && time.Since(newest.Made).Abs() < seldom:
		return false
	}
	f, err := os.Open(newest.File)
	if err != nil {
		return true
	}
	defer func() { _ = f.Close() }()
	copied, err := newestMeta(f)
	copied.root = 0 // what a transaction does not tell
	return err != nil || copied != last
}

// copyNow copies the file as it is now.
func (s *Store) copyNow(name func(time.Time) string) (to string, err error) {
	err = s.view(func(tx *bolt.Tx) error {
		to, err = copyVerified(s.dir, tx, name)
		return err
	})
	return to, err
}

// copyVerified writes what a transaction sees into the folder of copies, reads
// it back whole, and only then gives it its name.
func copyVerified(dir string, tx *bolt.Tx, name func(time.Time) string) (string, error) {
	folder := filepath.Join(dir, BackupDir)
	if err := os.MkdirAll(folder, dirMode); err != nil {
		return "", err
	}
	at := time.Now()
	if all := Backups(dir); len(all) > 0 && !at.After(all[0].Made) { // the clock was set back
		at = all[0].Made
	}
	to := filepath.Join(folder, name(at.Add(time.Millisecond)))
	return to, writeVerified(to, func(w io.Writer) error {
		_, err := tx.WriteTo(w)
		return err
	})
}

// writeVerified writes a store file beside its place, syncs it, reads it back
// whole, and renames it there.
func writeVerified(to string, write func(io.Writer) error) error {
	tmp := fmt.Sprintf("%s%s%d", to, unfinished, os.Getpid())
	f, err := os.OpenFile(tmp, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	if err = write(f); err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err == nil {
		err = verify(tmp)
	}
	if err == nil {
		err = os.Rename(tmp, to)
	}
	if err != nil {
		_ = os.Remove(tmp)
		return unwritten(to, err)
	}
	return syncDir(filepath.Dir(to))
}

// unfinished is in the names of files that were not written to their end.
const unfinished = ".new."

// sweep removes what a killed program left half written. The lock is held, so
// nobody is at it.
func (s *Store) sweep() {
	for _, dir := range []string{s.dir, filepath.Join(s.dir, BackupDir)} {
		for _, file := range named(dir, "*"+unfinished+"*") {
			_ = os.Remove(file)
		}
	}
}

// verify reads a file whole: the library's own check, and every key.
func verify(file string) error {
	db, _, err := openFile(file, true)
	if err != nil {
		return err
	}
	r := &reader{db: db, file: file}
	n, err := r.schema()
	if err == nil && n > Schema {
		err = &SchemaError{File: file, Found: n}
	}
	if err == nil && n >= oldest {
		err = r.walk()
	}
	if err == nil {
		err = r.view(func(tx *bolt.Tx) error { return errors.Join(pageFaults(tx)...) })
	}
	return errors.Join(err, db.Close())
}

// pageFaults lists what the library finds wrong with the pages of a file, a few
// of it. It looks from a goroutine where a fault of the mapped file would end
// the program, so the file has to be walked before.
func pageFaults(tx *bolt.Tx) []error {
	var all []error
	for err := range tx.Check() {
		if len(all) < 20 {
			all = append(all, err)
		}
	}
	return all
}

// rotate takes copies away that are neither of the newest nor the last of one
// of the past days or weeks. Copies made by hand stay.
func rotate(all []Backup, now time.Time) {
	for _, b := range superfluous(all, now) {
		_ = os.Remove(b.File)
	}
}

// superfluous lists what rotate takes away; all is newest first.
func superfluous(all []Backup, now time.Time) []Backup {
	var out []Backup
	count, seen := map[string]int{}, map[string]bool{}
	for _, b := range all {
		count[b.Why]++
		switch {
		case b.Why == ByHand:
		case b.Why != AtOpen:
			if count[b.Why] > keptOthers {
				out = append(out, b)
			}
		default:
			day, week := b.Made.Format("day 2006-01-02"), weekOf(b.Made)
			kept := count[b.Why] <= KeptNewest ||
				!seen[day] && now.Sub(b.Made) < KeptDays*24*time.Hour ||
				!seen[week] && now.Sub(b.Made) < KeptWeeks*7*24*time.Hour
			seen[day], seen[week] = true, true
			if !kept {
				out = append(out, b)
			}
		}
	}
	return out
}

func weekOf(t time.Time) string {
	year, week := t.ISOWeek()
	return fmt.Sprintf("week %d-%d", year, week)
}

// Copy writes a verified copy of the store in dir, to a file of its own or, with
// an empty name, into the folder of copies. A store that is held gives it out of
// a snapshot.
func Copy(dir, to string) (string, error) {
	r, c, err := OpenReader(dir)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	from, ok := r.(*fileReader)
	if !ok {
		return "", fmt.Errorf("store %s: nothing was played yet: %w", filepath.Join(dir, File), os.ErrNotExist)
	}
	err = from.view(func(tx *bolt.Tx) error {
		if to == "" {
			to, err = copyVerified(dir, tx, backupName(ByHand, 0))
			return err
		}
		if _, err := os.Lstat(to); err == nil {
			return fmt.Errorf("copy store to %s: %w: nothing is overwritten", to, os.ErrExist)
		}
		return writeVerified(to, func(w io.Writer) error {
			_, err := tx.WriteTo(w)
			return err
		})
	})
	return to, err
}

func (r *reader) copyTo(w io.Writer) error {
	return r.view(func(tx *bolt.Tx) error {
		_, err := tx.WriteTo(w)
		return err
	})
}
