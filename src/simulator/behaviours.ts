// The ways in which agents fail, each as a change of what an honest one would have done.
import type { ScriptFile } from "../domain/agent/script-line.ts";
import { pick } from "../domain/chance.ts";
import { LEAKING } from "./leaking.ts";
import type { Behaviour, Performance, SimulatedCall } from "./port.ts";

const HONEST: Behaviour = { name: "honest", roles: "all", perform: (honest) => honest };

/** Leaves the stubs as they are, and tests nothing. */
const LAZY: Behaviour = {
  name: "lazy",
  roles: "all",
  perform: (honest) => ({
    ...honest,
    files: mapFiles(honest, (path, text) => {
      if (path.includes("/test/")) return TRIVIAL_TEST;
      return path.includes("/src/") ? undefined : text;
    }),
  }),
};

const TRIVIAL_TEST = `import { expect, test } from "vitest";

test("it works", () => {
  expect(true).toBe(true);
});
`;

/** Fails every now and then. */
function flaky(share: number): Behaviour {
  return {
    name: `flaky/${share}`,
    roles: "all",
    perform: (honest, { random }) =>
      random() < share
        ? { ...honest, files: {}, ending: "crash", said: "the simulated agent failed by chance" }
        : honest,
  };
}

function slow(milliseconds: number): Behaviour {
  return {
    name: `slow/${milliseconds}`,
    roles: "all",
    perform: (honest, { random }) => ({
      ...honest,
      latencyMs: honest.latencyMs + Math.round(milliseconds * (0.5 + random())),
    }),
  };
}

/** Breaks off in the middle of a file. */
const CRASHING: Behaviour = {
  name: "crashing",
  roles: "all",
  perform: (honest) => ({
    ...honest,
    files: halfOf(honest),
    ending: "crash",
    said: "the simulated agent crashed after partial output",
  }),
};

function halfOf({ files }: Performance): Performance["files"] {
  const entries = Object.entries(files).slice(0, Math.ceil(Object.keys(files).length / 2));
  return Object.fromEntries(
    entries.map(([path, text], index) => [path, index + 1 === entries.length ? half(text) : text]),
  );
}

function half(text: ScriptFile): ScriptFile {
  return typeof text === "string" ? text.slice(0, Math.floor(text.length / 2)) : text;
}

/** Its answer never comes. */
const SILENT: Behaviour = {
  name: "silent",
  roles: "all",
  perform: (honest) => ({ ...honest, files: {}, ending: "silent" }),
};

interface Defect {
  readonly name: string;
  readonly from: RegExp;
  readonly to: string;
}

/** What people get wrong, as changes of code that is right. */
export const DEFECTS: readonly Defect[] = [
  { name: "a flipped equality", from: /===/, to: "!==" },
  { name: "a moved boundary", from: /< 0/, to: "<= 0" },
  { name: "a factor that is off", from: /1000/, to: "100" },
  { name: "a difference for a sum", from: /weight \+/, to: "weight -" },
  { name: "rounded the other way", from: /Math\.floor/, to: "Math.ceil" },
  { name: "another message", from: /"no /, to: '"not a ' },
];

/** Hands in a good solution with one known defect. */
const WRONG: Behaviour = {
  name: "wrong",
  roles: "all",
  perform(honest, { random }) {
    const sources = Object.entries(honest.files).filter(([path]) => path.includes("/src/"));
    const [first, ...others] = sources.flatMap(([path, text]) =>
      typeof text === "string"
        ? DEFECTS.filter(({ from }) => from.test(text)).map(
            ({ from, to }) => [path, text.replace(from, to)] as const,
          )
        : [],
    );
    if (first === undefined) return honest;
    const [path, text] = pick(random, [first, ...others]);
    return { ...honest, files: { ...honest.files, [path]: text } };
  },
};

function mapFiles(
  { files }: Performance,
  change: (path: string, text: ScriptFile) => ScriptFile | undefined,
): Performance["files"] {
  const changed = Object.entries(files).flatMap(([path, text]) => {
    const next = change(path, text);
    return next === undefined ? [] : [[path, next] as const];
  });
  return Object.fromEntries(changed);
}

/** Those that take no number. */
export const PLAIN_BEHAVIOURS: readonly Behaviour[] = [HONEST, LAZY, CRASHING, SILENT, WRONG, LEAKING];

/** Those that take one after a slash, and the one that holds where none is given. */
export const NUMBERED_BEHAVIOURS: Readonly<
  Record<string, { of: (n: number) => Behaviour; unless: number; most: number }>
> = {
  flaky: { of: flaky, unless: 0.3, most: 1 },
  slow: { of: slow, unless: 500, most: 60_000 },
};

/** Those that the role may show, one after the other. */
export async function performed(
  honest: Performance,
  behaviours: readonly Behaviour[],
  call: (behaviour: Behaviour) => SimulatedCall,
): Promise<Performance> {
  let performance = honest;
  for (const behaviour of behaviours) {
    const of = call(behaviour);
    if (behaviour.roles === "all" || behaviour.roles.includes(of.role))
      performance = await behaviour.perform(performance, of);
  }
  return performance;
}
