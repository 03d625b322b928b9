#!/usr/bin/env node
// Starts the command line; says so plainly where Node is too old or Cupel was not built yet.
import { existsSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const main = new URL("../dist/cli/main.js", import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`cupel: Node ${process.versions.node} is too old; Cupel needs Node 20.19 or newer\n`);
  process.exitCode = 78;
} else if (existsSync(main)) {
  await import(main.href);
} else {
  process.stderr.write("cupel: not built yet\n  next: npm ci\n");
  process.exitCode = 78;
}
