// Reads XLIFF with another's library. In: {"v12": [text], "v20": [text]}. Out:
// for each document the sources by unit, inline elements as [id].
const path = require("path");
const xliff = require(path.join(process.env.FABULA_NPM, "node_modules", "xliff"));
const all = JSON.parse(require("fs").readFileSync(0, "utf8"));
const flat = (v) =>
  Array.isArray(v) ? v.map(flat).join("") : typeof v === "string" ? v : "[" + Object.values(v).map((x) => x.id).join() + "]";
const units = (doc) => {
  const out = {};
  for (const file of Object.values(doc.resources)) for (const [id, u] of Object.entries(file)) out[id] = flat(u.source ?? "");
  return out;
};
(async () => {
  const out = { v12: [], v20: [] };
  for (const text of all.v12) out.v12.push(units(await xliff.xliff12ToJs(text)));
  for (const text of all.v20) out.v20.push(units(await xliff.xliff2js(text)));
  process.stdout.write(JSON.stringify(out));
})();
