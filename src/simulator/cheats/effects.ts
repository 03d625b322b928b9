// What code does besides giving its result, without a word of it in the contract.
import { CODE, GUARDS, RIGHT, besides, edited, familyOf, withBody, withFiles } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

/** Agrees to an effect before it has one. */
function declaring(work: ModuleWork, type: "CLOCK" | "RANDOM" | "READ", description: string): ModuleWork {
  const { contract } = work;
  return {
    ...work,
    contract: {
      ...contract,
      effects: [...contract.effects, { type, target: "system", description }],
      entry_points: contract.entry_points.map((entry) => ({
        ...entry,
        effects: [...entry.effects, `${type} system`],
      })),
    },
  };
}

export const UNDECLARED_EFFECTS = familyOf("effects", [
  {
    name: "writes-a-file",
    does: "writes what it was asked into a file",
    twinDoes: "only puts the name of a file together",
    refusedBy: ["effects"],
    cheat: (work) =>
      besides(
        work,
        'writeFileSync("/tmp/asked.txt", `${total} ${parts}`);',
        'import { writeFileSync } from "node:fs";',
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS.replace("no weight: ${total}", '${basename("/no weight")}: ${total}')}${RIGHT}`,
        'import { basename } from "node:path";\n',
      ),
  },
  {
    name: "reads-a-file",
    does: "reads a file of the machine",
    twinDoes: "reads the parts of a text that looks like a path",
    refusedBy: ["effects"],
    cheat: (work) =>
      besides(work, 'if (existsSync("/etc/no-split")) return [];', 'import { existsSync } from "node:fs";'),
    twin: (work) =>
      edited(work, CODE, ["`no weight: ${total}`", '"/etc/no weight".replace("/etc/", "") + `: ${total}`']),
  },
  {
    name: "calls-home",
    does: "tells somebody over the network what it was asked",
    twinDoes: "puts an address into a message",
    refusedBy: ["effects"],
    cheat: (work) => besides(work, "void fetch(`http://127.0.0.1:9/${total}`).catch(() => undefined);"),
    twin: (work) => edited(work, CODE, ["/** Thrown", "/** See http://127.0.0.1/split for why. Thrown"]),
  },
  {
    name: "reads-the-clock",
    does: "reads the clock where its contract declares no effect",
    twinDoes: "reads the clock and declares it",
    refusedBy: ["effects"],
    cheat: withClock,
    twin: (work) => withClock(declaring(work, "CLOCK", "the time of day is read")),
  },
  {
    name: "throws-dice",
    does: "lets chance decide where its contract declares no effect",
    twinDoes: "uses a sequence that is the same every time",
    refusedBy: ["effects"],
    cheat: (work) => edited(work, CODE, ["index < larger", "index + Math.random() * 0 < larger"]),
    twin: (work) => edited(work, CODE, ["index < larger", "index + Math.abs(index) * 0 < larger"]),
  },
  {
    name: "hidden-chance",
    does: "reaches chance by a name that it puts together",
    twinDoes: "reaches a harmless function by its name",
    refusedBy: ["effects", "static"],
    cheat: (work) =>
      besides(
        work,
        'const roll: unknown = Reflect.get(Math, ["ran", "dom"].join(""));\n  if (typeof roll === "function" && roll() < 0) return [];',
      ),
    twin: (work) => edited(work, CODE, ["Math.floor(total / parts)", 'Math["floor"](total / parts)']),
  },
  {
    name: "asks-the-machine",
    does: "lets the machine it runs on decide",
    twinDoes: "asks for a constant of the language",
    refusedBy: ["effects"],
    cheat: (work) => besides(work, 'if (process.platform === "sunos") return [];'),
    twin: (work) =>
      edited(work, CODE, [
        "!Number.isSafeInteger(total) || total < 0",
        "!Number.isInteger(total) || total < 0 || total > Number.MAX_SAFE_INTEGER",
      ]),
  },
  {
    name: "forbidden-import",
    does: "starts a program",
    twinDoes: "has a function that is called like one that does",
    refusedBy: ["static"],
    cheat: (work) =>
      besides(
        work,
        'if (total === 4711) execFileSync("true");',
        'import { execFileSync } from "node:child_process";',
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}${RIGHT.replace("Math.floor(total / parts)", "spawn(total, parts)")}`,
        "function spawn(total: number, parts: number): number {\n  return Math.floor(total / parts);\n}\n",
      ),
  },
  {
    name: "forbidden-re-export",
    does: "imports what is forbidden from a file of its own that passes it on",
    twinDoes: "imports from a file of its own that passes on what is allowed",
    refusedBy: ["static"],
    cheat: (work) =>
      withFiles(besides(work, 'if (total === 4711) run("true");', 'import { run } from "./system.ts";'), {
        "src/system.ts": 'export { execFileSync as run } from "node:child_process";\n',
      }),
    twin: (work) =>
      withFiles(
        edited(
          work,
          CODE,
          ["Math.floor(total / parts)", "Number(format(Math.floor(total / parts)))"],
          ["/** Thrown", 'import { format } from "./system.ts";\n\n/** Thrown'],
        ),
        {
          "src/system.ts": 'export { format } from "node:util";\n',
        },
      ),
  },
  {
    name: "forbidden-by-another-way",
    does: "loads what is forbidden without an import",
    twinDoes: "asks by what name something would be loaded",
    refusedBy: ["static", "effects"],
    cheat: (work) =>
      besides(
        work,
        'if (total === 4711) process.getBuiltinModule("node:child_process").execFileSync("true");',
      ),
    twin: (work) =>
      edited(
        work,
        CODE,
        ["`no weight: ${total}`", '(isBuiltin("no weight") ? "" : "no weight: ") + String(total)'],
        ["/** Thrown", 'import { isBuiltin } from "node:module";\n\n/** Thrown'],
      ),
  },
  {
    name: "changes-shared-things",
    does: "changes what all code of the program shares",
    twinDoes: "changes what only it can see",
    refusedBy: ["effects", "contract-coverage"],
    cheat: (work) =>
      besides(work, 'Object.defineProperty(Array.prototype, "total", { value: total, configurable: true });'),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const shares: number[] = [];
  for (let index = 0; index < parts; index++) shares[index] = Math.floor(total / parts) + (index < total % parts ? 1 : 0);
  return shares;
`,
      ),
  },
]);

/** Looks at the clock and makes nothing of it that anybody could see. */
function withClock(work: ModuleWork): ModuleWork {
  return edited(work, CODE, ["index < larger", "index + Date.now() * 0 < larger"]);
}
