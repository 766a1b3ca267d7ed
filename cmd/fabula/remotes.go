package main

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/adrg/xdg"
	"github.com/spf13/cobra"
	"golang.org/x/term"

	"fabula/engine"
	"fabula/engine/remote"
	"fabula/personas"
	"fabula/personas/source"
)

// remotesFile is where a person configures servers that answer in place of this
// machine.
func remotesFile() string { return filepath.Join(xdg.ConfigHome, "fabula", "remotes.yaml") }

// server is one entry of the file.
type server struct {
	remote.Options
	dialect  string
	keyEnv   string
	keyring  bool
	first    int // seconds, as the rest
	gap      int
	attempts int
	pos      source.Pos
}

// remotesType declares the keys of remotes.yaml.
func remotesType() source.Type[[]server] {
	dialects := make([]string, 0, 3)
	for _, d := range remote.Dialects() {
		dialects = append(dialects, string(d))
	}
	one := source.Object("remote", "one server that speaks the OpenAI protocol",
		source.Key("remote", source.ID(), func(s *server) *string { return &s.Name }, "name, as --engine takes it").Required(),
		source.Key("url", source.Words("an address"), func(s *server) *string { return &s.URL }, "address up to and including /v1").Required().Example("http://127.0.0.1:8000/v1"),
		source.Key("model", source.Words("a model"), func(s *server) *string { return &s.Model }, "name of the model at the server").Required(),
		source.Key("languages", source.List(source.Language()), func(s *server) *[]string { return &s.Languages }, "languages that it speaks; any where not written"),
		source.Key("context", source.Whole(1, 1<<24), func(s *server) *int { return &s.Context }, "window in tokens"),
		source.Key("dialect", source.OneOf(dialects...), func(s *server) *string { return &s.dialect }, "what the server is; others get the fields that all understand"),
		source.Key("priority", source.Bool(), func(s *server) *bool { return &s.Priority }, "send priorities (vLLM with --scheduling-policy priority)"),
		source.Key("key_env", source.Words("a variable"), func(s *server) *string { return &s.keyEnv }, "environment variable that holds the key"),
		source.Key("keyring", source.Bool(), func(s *server) *bool { return &s.keyring }, "the key is in the system's keyring; 'fabula engines key NAME' puts it there"),
		source.Key("plain_key", source.Bool(), func(s *server) *bool { return &s.PlainKey }, "allow the key over http to another machine"),
		source.Key("ca", source.Words("a file"), func(s *server) *string { return &s.CA }, "PEM file of an authority that is trusted beside the system's"),
		source.Key("first_token_s", source.Whole(1, 3600), func(s *server) *int { return &s.first }, "seconds to the first text of an attempt").Default(60),
		source.Key("gap_s", source.Whole(1, 3600), func(s *server) *int { return &s.gap }, "seconds between two chunks").Default(30),
		source.Key("attempts", source.Whole(1, 100), func(s *server) *int { return &s.attempts }, "how often it is asked while no text came").Default(4),
	).Placed(func(s *server) *source.Pos { return &s.pos })
	list := source.List(one).Checked(func(all *[]server, v source.Value) {
		for i, s := range *all {
			first := slices.IndexFunc(*all, func(o server) bool { return o.Name == s.Name })
			if first < i && s.Name != "" {
				v.FaultAt(s.pos, personas.CodeDuplicateID, "remote", s.Name, (*all)[first].pos.File+":"+strconv.Itoa((*all)[first].pos.Line))
			}
		}
	})
	return source.Object("remotes", "servers that answer in place of this machine",
		source.Key("remotes", list, func(all *[]server) *[]server { return all }, "the servers, best first").Required())
}

// configFault is a configuration that cannot be read.
type configFault struct {
	file   string
	faults []source.Fault
}

func (c *configFault) Error() string {
	return fmt.Sprintf("configuration %s: %s", c.file, plural(len(c.faults), "fault"))
}

// remotes reads which servers there are: the one of the environment first, then
// those of the file. A relative ca is beside the file.
func remotes(log *slog.Logger) ([]remote.Options, error) {
	all := environmentRemote()
	file := remotesFile()
	data, err := os.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		data, err = nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("configuration: %w", err)
	}
	if data != nil {
		servers, faults := source.Read(source.File{Name: file, Data: data}, remotesType())
		if len(faults) > 0 {
			return nil, &configFault{file, faults}
		}
		for _, s := range servers {
			all = append(all, s.options(filepath.Dir(file)))
		}
	}
	for i := range all {
		all[i].Log = log
	}
	return all, nil
}

func (s server) options(dir string) remote.Options {
	o := s.Options
	o.Dialect = remote.Dialect(s.dialect)
	o.FirstToken, o.Gap, o.Attempts = time.Duration(s.first)*time.Second, time.Duration(s.gap)*time.Second, s.attempts
	if o.CA != "" && !filepath.IsAbs(o.CA) {
		o.CA = filepath.Join(dir, o.CA)
	}
	if s.keyEnv != "" {
		o.Key = remote.Environment(s.keyEnv)
	} else if s.keyring {
		o.Key = remote.Keyring(s.Name)
	}
	return o
}

// environmentRemote is the server of FABULA_REMOTE_URL, _MODEL and _KEY.
func environmentRemote() []remote.Options {
	url := os.Getenv("FABULA_REMOTE_URL")
	if url == "" {
		return nil
	}
	o := remote.Options{Name: string(engine.Remote), URL: url, Model: os.Getenv("FABULA_REMOTE_MODEL")}
	if os.Getenv("FABULA_REMOTE_KEY") != "" {
		o.Key = remote.Environment("FABULA_REMOTE_KEY")
	}
	return []remote.Options{o}
}

// newEnginesKey keeps the key of a server where no file and no log has it.
func newEnginesKey() *cobra.Command {
	var remove bool
	c := &cobra.Command{
		Use:   "key NAME",
		Short: "Put the key of a remote server into the system's keyring",
		Long: `Put the key of a remote server into the system's keyring. The key is asked for
on the terminal without showing it, or read from standard input. The server's
entry in ` + "remotes.yaml" + ` then says keyring: true.`,
		Example: "  fabula engines key studio\n  fabula engines key studio --remove",
		Args:    exactly("NAME"),
		RunE: func(c *cobra.Command, args []string) error {
			secret := ""
			if !remove {
				var err error
				if secret, err = readSecret(c.InOrStdin(), c.ErrOrStderr()); err != nil {
					return err
				}
			}
			return remote.StoreKey(c.Context(), args[0], secret)
		},
	}
	c.Flags().BoolVar(&remove, "remove", false, "take it out again")
	return c
}

// readSecret reads one line, hidden on a terminal.
func readSecret(in io.Reader, notes io.Writer) (string, error) {
	var line string
	if f, ok := in.(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		fmt.Fprint(notes, "key (not shown): ")
		raw, err := term.ReadPassword(int(f.Fd()))
		fmt.Fprintln(notes)
		if err != nil {
			return "", fmt.Errorf("read key: %w", err)
		}
		line = string(raw)
	} else {
		read, err := bufio.NewReader(io.LimitReader(in, 1<<16)).ReadString('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return "", fmt.Errorf("read key: %w", err)
		}
		line = read
	}
	if line = strings.TrimSpace(line); line == "" {
		return "", usage("no key was given; --remove takes one out")
	}
	return line, nil
}

// remoteLines tells of the servers; none is asked.
func remoteLines() ([]engineLine, error) {
	all, err := remotes(slog.New(slog.DiscardHandler))
	var lines []engineLine
	for _, o := range all {
		l := engineLine{Event: "engine", Kind: engine.Remote, Name: o.Name, Model: o.Model, Languages: o.Languages, Detail: "not asked yet"}
		if e, wrong := remote.New(o); wrong != nil {
			l.Why, l.Detail = "failed", wrong.Error()
		} else {
			l.Detail = cmp.Or(where(o.URL), l.Detail)
			_ = e.Close()
		}
		lines = append(lines, l)
	}
	return lines, err
}

// where is the machine of an address that New took.
func where(url string) string {
	_, rest, _ := strings.Cut(url, "://")
	host, _, _ := strings.Cut(rest, "/")
	return host
}

// examineRemotes looks at what is configured; no server is asked.
func examineRemotes() []examined {
	lines, err := remoteLines()
	if err != nil {
		return []examined{{Name: "remotes", Is: bad, What: err.Error(), Do: "'fabula engines list' names the places"}}
	}
	var list []examined
	for _, l := range lines {
		e := examined{Name: "remote", Is: good, What: l.Name + " at " + l.Detail + ", " + l.Model + ", not asked"}
		if l.Why != "" {
			e.Is, e.What, e.Do = bad, l.Detail, "mend it in "+remotesFile()
		}
		list = append(list, e)
	}
	return list
}
