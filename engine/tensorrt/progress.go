package tensorrt

import "time"

// Progress of a build.
type Progress struct {
	Phase    string        // what is being done
	Done     float64       // 0..1 of the whole, never falling
	Elapsed  time.Duration // since the build began
	Estimate time.Duration // how long an earlier build of the same took, 0 = there was none
}

// phases follows the phases of a builder: they nest and may overlap.
type phases struct {
	known map[string]*phase
	root  string
	most  float64
}

type phase struct {
	parent      string
	steps, done int
}

func newPhases() *phases { return &phases{known: map[string]*phase{}} }

func (p *phases) began(name, parent string, steps int) {
	p.known[name] = &phase{parent: parent, steps: max(steps, 1)}
	if parent == "" {
		p.root = name
	}
}

func (p *phases) stepped(name string, step int) {
	if ph := p.known[name]; ph != nil {
		ph.done = min(max(ph.done, step+1), ph.steps)
	}
}

func (p *phases) ended(name string) {
	if ph := p.known[name]; ph != nil {
		ph.done = ph.steps
		if name != p.root {
			delete(p.known, name)
		}
	}
}

// done is the share of the root's steps that are made, with what its children
// made of the next.
func (p *phases) done() float64 {
	if p.root == "" {
		return 0
	}
	p.most = max(p.most, min(1, p.share(p.root, 0)))
	return p.most
}

func (p *phases) share(name string, depth int) float64 {
	ph := p.known[name]
	if ph == nil {
		return 0
	}
	part := 0.0
	if depth < 8 {
		for child, c := range p.known {
			if c.parent == name && child != name {
				part = max(part, p.share(child, depth+1))
			}
		}
	}
	return (float64(ph.done) + min(part, 1)*boolean(ph.done < ph.steps)) / float64(ph.steps)
}

func boolean(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
