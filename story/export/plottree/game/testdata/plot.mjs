// Plays plottree.json (fabula-plot/1) of fabula. Copy it into your game; it needs nothing else.
//   const p = new Plot(doc), s = p.start(); let lines = p.enter(s, doc.start);   // ids of lines to show
//   p.exits(s) gives the open edges; lines = p.take(s, exit), p.fire(s, beat); p.turn(s) when the player speaks.
// A state is plain JSON: save it and load it as it is.
export class Plot {
  constructor(doc) {
    if (doc.format !== "fabula-plot/1") throw new Error("format " + doc.format);
    const by = (list, key) => new Map(list.map((x) => [key(x), x]));
    this.doc = doc;
    this.nodes = by(doc.nodes, (n) => n.id);
    this.edges = by(doc.edges, (e) => e.from + "." + e.exit);
    this.lines = by(doc.lines, (l) => l.id);
    this.vars = by(doc.state, (v) => v.id);
    this.greets = new Set(doc.personas.filter((p) => Object.keys(p.greeting || {}).length).map((p) => p.id));
  }
  start() {
    const vars = Object.fromEntries(this.doc.state.map((v) => [v.id, v.default]));
    return { node: "", vars, beats: {}, exits: {}, visits: {}, told: {}, greeted: {}, turns: 0, turns_total: 0 };
  }
  enter(s, id) {
    const n = this.nodes.get(id);
    Object.assign(s, { node: id, turns: 0 });
    this.assign(bump(s, "visits", id), n.on_enter);
    const lines = this.play(s, n, "enter");
    if (lines.length) return lines;
    const silent = (m) => this.greets.has(m.npc) && !s.greeted[m.npc] && holds(m.when, s, id);
    return n.cast.filter((m) => silent(m) && bump(s, "greeted", m.npc)).map((m) => m.npc + ".greeting");
  }
  turn(s) { s.turns++; s.turns_total++; }
  tell(s, secret) { bump(s, "told", secret); }
  fire(s, beat) {
    const n = this.nodes.get(s.node);
    this.assign(bump(s, "beats", n.id + "." + beat), n.beats.find((b) => b.id === beat).effects);
    return this.play(s, n, "beat:" + beat);
  }
  exits(s) {
    const all = this.doc.edges.filter((e) => e.from === s.node && this.passable(s, e));
    return all.some((e) => !e.otherwise) ? all.filter((e) => !e.otherwise) : all;
  }
  passable(s, e) {
    const to = this.nodes.get(e.to);
    return holds(e.when, s, e.from) && (e.stay || !to.when || holds(to.when, this.leave(structuredClone(s), e), e.to));
  }
  leave(s, e) { return this.assign(bump(s, "exits", e.from + "." + e.exit), e.effects); }
  take(s, exit) {
    const e = this.edges.get(s.node + "." + exit);
    const lines = this.play(this.leave(s, e), this.nodes.get(e.from), "exit:" + exit);
    return e.stay ? lines : lines.concat(this.enter(s, e.to));
  }
  play(s, n, at) { // one after the other: a line may tell what the next asks for
    const now = (l) => l.at === at && holds(l.when, s, n.id);
    return n.lines.filter((id) => now(this.lines.get(id)) && (this.lines.get(id).tells || []).every((t) => bump(s, "told", t)));
  }
  assign(s, effects) {
    for (const e of effects) {
      if (!holds(e.when, s, s.node)) continue;
      const v = this.vars.get(e.var), x = value(e.ast, s, s.node), old = s.vars[e.var];
      const now = e.op === "+=" ? old + x : e.op === "-=" ? old - x : x;
      s.vars[e.var] = v.type === "int" ? Math.min(Math.max(now, v.min), v.max) : now;
    }
    return s;
  }
}
const bump = (s, what, id) => { s[what][id] = (s[what][id] || 0) + 1; return s; };
const holds = (c, s, node) => !c || value(c.ast, s, node);
const ops = {
  not: (a) => !a, and: (a, b) => a && b, or: (a, b) => a || b, "==": (a, b) => a === b, "!=": (a, b) => a !== b,
  "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
  "+": (a, b) => a + b, "-": (a, b) => a - b, in: (a, list) => list.includes(a), list: (...all) => all,
};
export function value([op, ...args], s, node) {
  if (op === "lit") return args[0];
  if (op === "var") return s.vars[args[0]];
  if (op !== "call") return ops[op](...args.map((a) => value(a, s, node)));
  const [f, id] = [args[0], args[1] ? value(args[1], s, node) : node];
  if (f === "turns" || f === "turns_total") return s[f];
  return f === "visits" ? s.visits[id] || 0 : !!s[{ beat: "beats", exit: "exits", told: "told" }[f]][id];
}
