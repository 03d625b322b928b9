// Prepares the watch on the assertions that stand in the tests, and reads which of them a run never came by.
import type { Site, UnreachedAssertion } from "../../port.ts";
import { assertionSites, unreached } from "../static/assertion-sites.ts";
import { type CodeFile, parseCode } from "../static/syntax.ts";
import type { WorkerReports } from "../vitest-run.ts";

/** How the watch takes part in a run, in the words of RunExtras; then what it has seen. */
export interface AssertionWatch {
  tools: Readonly<Record<string, string>>;
  vitePlugins: readonly string[];
  read(reports: WorkerReports): UnreachedAssertion[];
}

const PLUGIN = "assertion-watch.mjs";
const KEY = "cupel.asserted";

export function watchAssertions({ layout, files }: Pick<Site, "layout" | "files">): AssertionWatch {
  const { files: tests } = parseCode(files(), layout.tests);
  const marked = tests.map((file) => ({ path: `/${file.path}`, before: file.text, after: withMarks(file) }));
  return {
    tools: { [PLUGIN]: `const CUPEL_MARKED = ${JSON.stringify(marked)};\n${PROGRAM}` },
    vitePlugins: [PLUGIN],
    read: (reports) => tests.flatMap((file) => missing(file, reports[file.path]?.[KEY] ?? [])),
  };
}

/** Only a file that is loaded as it stands. Lines stay where they are. */
const PROGRAM = `export const plugin = {
  name: "cupel-assertions",
  enforce: "pre",
  transform: (code, id) => {
    const found = CUPEL_MARKED.find(({ path, before }) => id.endsWith(path) && code === before);
    return found === undefined ? undefined : { code: found.after, map: null };
  },
};
`;

const MARK = `
function cupelAsserted(at) {
  const seen = (cupelAsserted.seen ??= {});
  if (seen[at] === true) return;
  seen[at] = true;
  globalThis[Symbol.for("cupel.report")]("${KEY}", at);
}
`;

function withMarks(file: CodeFile): string {
  const marked = assertionSites(file)
    .flatMap(({ start, end }) => [
      { at: start, text: `(cupelAsserted(${start}), ` },
      { at: end, text: ")" },
    ])
    .toSorted((one, other) => other.at - one.at)
    .reduce((text, { at, text: mark }) => text.slice(0, at) + mark + text.slice(at), file.text);
  return `${marked}\n${MARK}`;
}

function missing(file: CodeFile, reached: readonly unknown[]): UnreachedAssertion[] {
  return unreached(assertionSites(file), ({ start }) => reached.includes(start)).map(({ line, node }) => ({
    file: file.path,
    line,
    text: node.getText(),
  }));
}
