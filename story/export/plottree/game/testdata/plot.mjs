// Plays plottree.json (fabula-plot/1) of fabula. Copy it into your game; it needs nothing else. A state is plain JSON.
//   const p = new Plot(doc), s = p.start(); let lines = p.enter(s, doc.start);   // ids of lines to show
//   p.exits(s) gives the open edges; lines = p.take(s, exit), p.fire(s, beat); p.turn(s) when the player speaks.
export class Plot {
  constructor(doc) {
    if (doc.format !== "fabula-plot/1") throw new Error("format " + doc.format);
    const by = (list) => new Map(list.map((x) => [x.id, x]));
    Object.assign(this, { doc, nodes: by(doc.nodes), lines: by(doc.lines), vars: by(doc.state), personas: by(doc.personas) });
  }
  start() {
    const vars = Object.fromEntries(this.doc.state.map((v) => [v.id, v.default]));
    return { node: "", vars, beats: {}, exits: {}, visits: {}, told: {}, greeted: {}, turns: 0, turns_total: 0 };
  }
  enter(s, id) {
    const { cast, on_enter } = this.nodes.get(id);
    Object.assign(s, { node: id, turns: 0 });
    const lines = this.play(this.assign(bump(s, "visits", id), on_enter), "enter");
    const greets = ({ npc, when }) => this.personas.get(npc).greeting && !s.greeted[npc] && holds(when, s) && bump(s, "greeted", npc);
    return lines.length ? lines : cast.filter(greets).map((m) => m.npc + ".greeting");
  }
  turn(s) { s.turns++; s.turns_total++; }
  tell(s, secret) { bump(s, "told", secret); }
  fire(s, beat) {
    const { effects } = this.nodes.get(s.node).beats.find((b) => b.id === beat);
    return this.play(this.assign(bump(s, "beats", s.node + "." + beat), effects), "beat:" + beat);
  }
  exits(s) {
    const all = this.doc.edges.filter((e) => e.from === s.node && holds(e.when, s) && (e.stay || this.enterable(s, e)));
    return all.some((e) => !e.otherwise) ? all.filter((e) => !e.otherwise) : all;
  }
  enterable(s, e) { return holds(this.nodes.get(e.to).when, this.leave(structuredClone(s), e), e.to); }
  leave(s, e) { return this.assign(bump(s, "exits", e.from + "." + e.exit), e.effects); }
  take(s, exit) {
    const e = this.doc.edges.find((x) => x.from === s.node && x.exit === exit);
    const lines = this.play(this.leave(s, e), "exit:" + exit);
    return e.stay ? lines : lines.concat(this.enter(s, e.to));
  }
  play(s, at) { // one after the other: a line may tell what the next asks for
    const all = this.nodes.get(s.node).lines.map((id) => this.lines.get(id)).filter((l) => l.at === at);
    return all.filter((l) => holds(l.when, s) && (l.tells || []).every((t) => bump(s, "told", t))).map((l) => l.id);
  }
  assign(s, effects) { // each sees what the one before did
    for (const e of effects) if (holds(e.when, s)) {
      const v = this.vars.get(e.var), old = s.vars[e.var], x = value(e.ast, s);
      const now = { "=": x, "+=": old + x, "-=": old - x }[e.op];
      s.vars[e.var] = v.type === "int" ? Math.min(Math.max(now, v.min), v.max) : now;
    }
    return s;
  }
}
const bump = (s, what, id) => { s[what][id] = (s[what][id] || 0) + 1; return s; };
const holds = (c, s, node = s.node) => !c || value(c.ast, s, node);
const ops = {
  not: (a) => !a, and: (a, b) => a && b, or: (a, b) => a || b, "==": (a, b) => a === b, "!=": (a, b) => a !== b,
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "+": (a, b) => a + b, "-": (a, b) => a - b, in: (a, list) => list.includes(a), list: (...all) => all,
};
export function value([op, ...args], s, node = s.node) {
  if (op === "lit" || op === "var") return op === "lit" ? args[0] : s.vars[args[0]];
  if (op !== "call") return ops[op](...args.map((a) => value(a, s, node)));
  const id = args[1] ? value(args[1], s, node) : node; // turns and turns_total are the state's own
  return { ...s, visits: s.visits[id] || 0, beat: !!s.beats[id], exit: !!s.exits[id], told: !!s.told[id] }[args[0]];
}
