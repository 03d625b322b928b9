// Puts blocks of test code together as one file that imports what they use and nothing else.

/** `source` is the module that they test; `more` are further import lines, one for each package. */
export function testFile(blocks: readonly string[], source: string, more: readonly string[] = []): string {
  const code = blocks.join("\n\n");
  const lines = [
    'import fc from "fast-check";',
    ...more,
    'import { expect, onTestFinished, test, vi } from "vitest";',
    `import { ${exportsOf(source).join(", ")} } from "../src/index.ts";`,
  ];
  return `${lines.flatMap((line) => inUse(line, code)).join("\n")}\n\n${code}\n`;
}

/** Whether code calls an entry point, such as `parse` or `Stack.push`, which is called on an instance or the class. */
export function callsEntry(code: string, entry: string): boolean {
  const [name = entry, member] = entry.split(".");
  const called = member === undefined ? String.raw`\b${name}` : String.raw`\.${member}`;
  return new RegExp(String.raw`${called}(?:<[^()]*>)?\(`).test(code);
}

/** Types with the word before their name, as in an import. */
function exportsOf(source: string): string[] {
  const found = source.matchAll(
    /^export (?:async |abstract )?(class|enum|function\*?|const|type|interface) (\w+)/gm,
  );
  const lists = [...source.matchAll(/^export \{([^}]*)\}/gm)].flatMap(([, list = ""]) => list.split(","));
  return [
    ...[...found].map(([, kind, name]) =>
      kind === "type" || kind === "interface" ? `type ${name}` : `${name}`,
    ),
    ...lists.flatMap((each) => each.trim().replace(/^.* as /, "") || []),
  ];
}

function inUse(line: string, code: string): string[] {
  const isUsed = (name: string) => new RegExp(String.raw`\b${name.replace(/^type /, "")}\b`).test(code);
  const [, names = "", from = ""] = /^import \{ (.+) \} (from .+)$/.exec(line) ?? [];
  if (names === "") return isUsed("fc") ? [line] : [];
  const used = names.split(", ").filter(isUsed);
  return used.length === 0 ? [] : [`import { ${used.join(", ")} } ${from}`];
}

/** Tests as they are written here: a line `// title` begins one, and the lines of its body follow. */
export function blocksIn(text: string): { title: string; code: string }[] {
  const parts = text.trim().split(/^(?=\/\/ )/m);
  return parts.map((part) => {
    const [head = "", ...body] = part.trimEnd().split("\n");
    const title = head.replace("// ", "").replace(/^C\d+: /, "");
    return { title, code: testBlock(title, body) };
  });
}

function testBlock(title: string, body: readonly string[]): string {
  const lines = body.map((line) => (line === "" ? "" : `  ${line}`)).join("\n");
  const does = body.some((line) => /\bawait\b/.test(line)) ? "async () =>" : "() =>";
  return `test(${JSON.stringify(title)}, ${does} {\n${lines}\n});`;
}
