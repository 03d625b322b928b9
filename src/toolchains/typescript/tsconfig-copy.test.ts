import { expect, test } from "vitest";
import { withinModule } from "./tsconfig-copy.ts";

const FILES = ["tsconfig.json", "base.json", "config/base.json", "src/index.ts"];

function copied(text: string): unknown {
  const result = withinModule("tsconfig.json", Buffer.from(text), FILES);
  return typeof result === "string" ? JSON.parse(result) : "as it was";
}

test.for([
  '{ "extends": "./base.json" }',
  '{ "extends": ["./base", "./config/base.json"] }',
  '{ "compilerOptions": {} }',
  "{{",
  "[]",
])("%s stays as it is", (text) => {
  expect(copied(text)).toBe("as it was");
});

test.for([
  ['{ "extends": "../base.json" }', { "extends (left out)": "../base.json" }],
  ['{ "extends": "@scope/base/tsconfig.json" }', { "extends (left out)": "@scope/base/tsconfig.json" }],
  ['{ "extends": "/etc/base.json" }', { "extends (left out)": "/etc/base.json" }],
  [
    '{ "extends": ["./base", "../x.json"] }',
    { extends: ["./base"], "extends (left out)": ["./base", "../x.json"] },
  ],
  ['{ "extends": 1, "references": [{ "path": "../other" }] }', { "extends (left out)": 1 }],
  ['{ "files": [], "references": [{ "path": "../other" }] }', { files: [] }],
] as const)("of %s the copy has %j", ([text, config]) => {
  expect(copied(text)).toEqual(config);
});
