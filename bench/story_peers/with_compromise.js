// Read a text, print what compromise names in it as [name, type, mentions]; the argument is a node_modules folder.
const path = require("path");
const nlp = require("module").createRequire(path.resolve(process.argv[2], "..", "x.js"))("compromise");
const text = require("fs").readFileSync(0, "utf8").replace(/([^\n])\n(?!\n)/g, "$1 ");
const counts = new Map();
const add = (names, type) => {
  for (const name of names) {
    const plain = name.replace(/['’]s?$|[,.!?;:"“”]+/g, "").trim();
    const known = counts.get(plain) ?? { character: 0, location: 0, faction: 0 };
    known[type] += 1;
    counts.set(plain, known);
  }
};
for (const part of text.split("\n\n")) {
  const document = nlp(part);
  add(document.people().out("array"), "character");
  add(document.places().out("array"), "location");
  add(document.organizations().out("array"), "faction");
}
const rows = [...counts].filter(([name]) => name).map(([name, found]) => {
  const [type] = Object.entries(found).sort((a, b) => b[1] - a[1])[0];
  return [name, type, found.character + found.location + found.faction];
});
console.log(JSON.stringify(rows));
