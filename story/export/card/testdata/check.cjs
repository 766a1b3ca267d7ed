// Holds character cards against two libraries of others. In: {"v2": [card],
// "v3": [card]}. Out: a sentence for each card that one of them refuses.
const path = require("path");
const at = (name) => require(path.join(process.env.FABULA_NPM, "node_modules", name));
const { CCardLib } = at("@risuai/ccardlib");
const cards = at("character-card-utils");
const all = JSON.parse(require("fs").readFileSync(0, "utf8"));
const wrong = [];
for (const version of ["v2", "v3"]) {
  all[version].forEach((card, i) => {
    const found = CCardLib.character.check(card);
    if (found !== version) wrong.push(`${version} ${i}: ccardlib says ${found}`);
    if (version === "v2") {
      const r = cards.v2.safeParse(card);
      if (!r.success) wrong.push(`v2 ${i}: character-card-utils: ${JSON.stringify(r.error.issues.slice(0, 2))}`);
    }
  });
}
process.stdout.write(JSON.stringify(wrong));
