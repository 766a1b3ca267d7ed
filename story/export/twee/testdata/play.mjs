// Parses Twee with extwee, checks what extwee lets pass, and plays the subset of
// SugarCube that fabula writes. Input: {stories: [text], plays: [{story, start?, choices}]}.
import { createRequire } from "module";
import { readFileSync } from "fs";
import { pathToFileURL } from "url";
const root = process.env.FABULA_NPM + "/node_modules/extwee/";
const manifest = JSON.parse(readFileSync(root + "package.json", "utf8"));
const entry = typeof manifest.exports === "string" ? manifest.exports : manifest.exports?.["."]?.import || manifest.exports?.["."] || manifest.main;
const { parseTwee } = await import(pathToFileURL(root + (typeof entry === "string" ? entry : entry.default)));
const input = JSON.parse(readFileSync(0, "utf8"));
const errors = [];

const stories = input.stories.map((text) => {
  const notes = [];
  errors.push(notes);
  const warn = console.warn;
  console.warn = (m) => notes.push(String(m));
  const story = parseTwee(text);
  console.warn = warn;
  const passages = new Map();
  for (const p of story.passages) {
    if (passages.has(p.name)) notes.push("two passages " + p.name);
    passages.set(p.name, p.text);
  }
  if (!/^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/.test(story.IFID)) notes.push("IFID " + story.IFID);
  if (!passages.has(story.start)) notes.push("start " + story.start);
  for (const [name, text] of passages) {
    for (const m of text.matchAll(/\[\[.*?->(\w+)\]\]|<<include "(\w+)">>/g)) {
      if (!passages.has(m[1] || m[2])) notes.push(`${name} leads to ${m[1] || m[2]}`);
    }
  }
  return { passages, start: story.start };
});

const decode = (s) => s.replace(/&#(\d+);/g, (_, n) => String.fromCodePoint(Number(n)));

function play(p) {
  const { passages, start } = stories[p.story];
  const v = {}, out = { lines: [], offered: [], vars: {}, error: "" };
  const value = (src) => Function("v", "return " + src.replace(/"(?:[^"\\]|\\.)*"|\$(\w+)/g, (m, name) => (name ? "v." + name : m)))(v);
  let links = [];
  const show = (name) => {
    const text = passages.get(name).replace(/\\\n/g, "\n");
    const open = [true], done = [true];
    for (const line of text.split("\n")) {
      const on = open.every(Boolean);
      let m;
      if ((m = /^<<if (.*)>>$/.exec(line))) { const yes = on && value(m[1]); open.push(yes); done.push(!on || yes); }
      else if ((m = /^<<elseif (.*)>>$/.exec(line))) { const yes = !done.at(-1) && value(m[1]); open[open.length - 1] = yes; done[done.length - 1] ||= yes; }
      else if (line === "<<else>>") open[open.length - 1] = !done.at(-1);
      else if (line === "<</if>>") { open.pop(); done.pop(); }
      else if (!on || line === "" || /^\/\*.*\*\/$/.test(line)) continue;
      else if ((m = /^<<set \$(\w+) to (.*)>>$/.exec(line))) v[m[1]] = value(m[2]);
      else if ((m = /^<<include "(\w+)">>$/.exec(line))) show(m[1]);
      else if ((m = /^\[\[(.*)->(\w+)\]\]$/.exec(line))) links.push({ text: value(m[1]), to: m[2] });
      else {
        const bare = line.replace(/<<print \$(\w+)>>/g, (_, n) => String(v[n]));
        if (/<<|>>|\[\[|\]\]|''|\$/.test(bare)) out.error += "markup in " + line + "\n";
        out.lines.push(decode(bare));
      }
    }
    if (open.length !== 1) out.error += "open <<if>> in " + name + "\n";
  };
  show("StoryInit");
  show(p.start || start);
  for (const c of p.choices || []) {
    out.offered.push(links.map((l) => l.text));
    const next = c.to ? links.find((l) => l.to === c.to) : links[c.n];
    if (!next) return { ...out, error: out.error + `no link ${c.to || c.n} among ${JSON.stringify(links)}` };
    links = [];
    show(next.to);
  }
  out.vars = v;
  return out;
}
process.stdout.write(JSON.stringify({ errors, plays: input.plays.map(play) }));
