// Compiles ink with inkjs and plays it. Input: {stories: [text], plays: [{story, start?, choices}]},
// where a choice is {n} or {id}, the one of the tag "choice:ID". Output: {errors: [[…]], plays: [{lines, offered, vars, error}]}.
const { createRequire } = require("module");
const { Compiler, CompilerOptions, Story } = createRequire(process.env.FABULA_NPM + "/")("inkjs/full");
const input = JSON.parse(require("fs").readFileSync(0, "utf8"));

const errors = [];
const compiled = input.stories.map((text) => {
  const notes = [];
  errors.push(notes);
  const options = new CompilerOptions(null, [], false, (message, type) => { if (type > 0) notes.push(message); }, null);
  try {
    return new Compiler(text, options).Compile().ToJson();
  } catch (e) {
    notes.push(String(e));
    return null;
  }
});

const loaded = [];

function play(p) {
  const out = { lines: [], vars: {}, offered: [], error: "" };
  if (!compiled[p.story]) return { ...out, error: "not compiled" };
  const story = loaded[p.story] ||= new Story(compiled[p.story]);
  story.ResetState();
  story.onError = (message) => { out.error += message + "\n"; };
  const read = () => {
    while (story.canContinue) {
      const line = story.Continue().replace(/\n$/, "");
      if (line === "") continue;
      out.lines.push(line);
    }
  };
  if (p.start) story.ChoosePathString(p.start);
  read();
  for (const c of p.choices || []) {
    const offered = story.currentChoices.map((x) => ((x.tags || []).find((t) => t.startsWith("choice:")) || "").slice(7));
    out.offered.push(story.currentChoices.map((x) => x.text));
    const i = c.id ? offered.indexOf(c.id) : c.n;
    if (i < 0 || i >= offered.length) return { ...out, error: out.error + `no choice ${c.id || c.n} among ${offered}` };
    story.ChooseChoiceIndex(i);
    read();
  }
  for (const name of story.variablesState._globalVariables.keys()) out.vars[name] = story.variablesState[name];
  return out;
}
process.stdout.write(JSON.stringify({ errors, plays: input.plays.map(play) }));
