package space
import "fmt"
func (sp *Space) Loose() { for _, n := range sp.main.m.nodes { fmt.Println(n.id, n.loose, n.voiced, n.dead) } 
 r := sp.main
 for i := 0; i < r.table.count && i < 30; i++ { st := make([]int, len(r.m.fields)); r.m.unpack(st, r.table.row(i)); s := ""; for f := range st { s += fmt.Sprintf(" %s=%s", r.m.called(f), r.m.shown(f, st[f])) }; fmt.Println(i, r.parents[i], s) } }
