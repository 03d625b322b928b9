// Test and configuration files are byte for byte what their author committed.
import type { Finding } from "../../domain/evidence/gate-verdict.ts";
import type { Files } from "../../toolchains/port.ts";
import type { GateDefinition } from "../port.ts";

export const testsUntouched: GateDefinition = {
  name: "tests-untouched",
  look: async (facts) => {
    const { site, base } = facts.module;
    if (base === undefined) return { kind: "error", message: "there is nothing to compare with" };
    const { tests, configuration } = site.layout;
    const now = pick(site.files(), [...tests, ...configuration]);
    const names = new Set([...Object.keys(base), ...Object.keys(now)]);
    return {
      kind: "looked",
      looked: names.size,
      summary: `${names.size} test and configuration files`,
      findings: [...names].toSorted().flatMap((file) => compare(file, base[file], now[file])),
    };
  },
  plant: async (facts) => {
    const { site } = facts.module;
    const [file] = site.layout.tests;
    if (file === undefined) return { kind: "impossible", why: "there is no test to change" };
    const edits = { [file]: `${site.files()[file] ?? ""}\n// a changed assertion\n` };
    return { kind: "planted", what: `a change in ${file}`, facts: await facts.spoiled({ edits }) };
  },
};

function pick(files: Files, names: readonly string[]): Files {
  return Object.fromEntries(
    names.flatMap((name) => (files[name] === undefined ? [] : [[name, files[name]]])),
  );
}

function compare(file: string, before: string | undefined, now: string | undefined): Finding[] {
  if (before === now) return [];
  const what = before === undefined ? "was added" : now === undefined ? "is gone" : "was changed";
  return [{ rule: "touched", file, message: `${what} since its author committed it` }];
}
