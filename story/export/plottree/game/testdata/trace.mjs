// Plays traces of events with plot.mjs. Input: {doc, traces: [[{do, id}]]}. Output: [[{lines, state, open}]].
import { readFileSync } from "fs";
import { Plot } from "./plot.mjs";
const { docs, traces } = JSON.parse(readFileSync(0, "utf8"));
const out = traces.map(({ doc, events }) => {
  const p = new Plot(docs[doc]), s = p.start();
  return events.map(({ do: act, id }) => {
    const lines = p[act](s, id) || [];
    return { lines, state: structuredClone(s), open: p.exits(s).map((e) => e.exit).sort() };
  });
});
process.stdout.write(JSON.stringify(out));
