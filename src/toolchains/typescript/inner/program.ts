// The inner runner as one text, with vitest's collector, matchers and spies inside it.
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

let bundled: Promise<string> | undefined;

export function innerProgram(): Promise<string> {
  return (bundled ??= bundle());
}

/**
 * What `node -e` runs: everything else comes on stdin, so that nothing has to lie in the site. In a block, because names
 * of a script are seen by all others. First come the marks of the answers, as bytes: text would be easier to find.
 */
export const BOOT = `{
const input = require("node:fs").readFileSync(0);
const from = 4 + input.readUInt32LE(0);
const marks = new Uint8Array(input.subarray(4, from));
input.fill(0, 0, from);
const { program, job } = JSON.parse(input.toString("utf8", from));
const made = { exports: {} };
const text = "(function (require, module, exports) {" + program + "\\n})";
require("node:vm").runInThisContext(text, { filename: "inner.cjs" })(require, made, made.exports);
made.exports.main(job, marks);
}`;

async function bundle(): Promise<string> {
  const entry = ["ts", "js"]
    .map((ending) => fileURLToPath(new URL(`../inside/inner-runner.${ending}`, import.meta.url)))
    .find((path) => existsSync(path));
  if (entry === undefined) throw new Error("the inner runner is not part of this installation");
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    target: "node20",
    minifySyntax: true,
    minifyWhitespace: true,
    logLevel: "silent",
  });
  const text = result.outputFiles[0]?.text;
  if (text === undefined) throw new Error("esbuild gave no text for the inner runner");
  return text;
}
