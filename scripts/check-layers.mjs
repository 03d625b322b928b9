// Checks the direction of imports, and that the check itself saw every module: a checker that looks at nothing passes.
import { readdirSync } from "node:fs";
import { join, relative } from "node:path";
import { cruise } from "dependency-cruiser";
import config, { FOLDERS } from "../.dependency-cruiser.mjs";

const root = process.argv[2] ?? ".";
process.chdir(root);

const files = sourceFiles("src");
const result = await cruise(["src"], {
  ...config.options,
  ruleSet: { forbidden: config.forbidden },
  validate: true,
});
const { modules, summary } = result.output;
const seen = new Set(modules.map((module) => module.source));

const complaints = [
  ...summary.violations.map((violation) => `${violation.rule.name}: ${violation.from} → ${violation.to}`),
  ...files.filter((file) => !seen.has(file)).map((file) => `not looked at: ${file}`),
  ...unknownFolders().map(
    (folder) => `no rule for the folder src/${folder}: say in .dependency-cruiser.mjs what it may import`,
  ),
  ...(files.length === 0 ? ["there is no module under src/"] : []),
];

for (const complaint of complaints) console.error(complaint);
console.log(
  `layers: ${files.length} modules, ${config.forbidden.length} rules, ${complaints.length} complaints`,
);
process.exitCode = complaints.length === 0 ? 0 : 1;

function sourceFiles(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter(
      (entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !/\.(test|suite)\.ts$/.test(entry.name),
    )
    .map((entry) => relative(".", join(entry.parentPath, entry.name)));
}

function unknownFolders() {
  const folders = readdirSync("src", { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.map((entry) => entry.name).filter((name) => !FOLDERS.includes(name));
}
