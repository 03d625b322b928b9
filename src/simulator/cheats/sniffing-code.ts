// Code that finds out whether it is being tested, and is right only then.
import { CODE, familyOf, withFiles, edited, textOf, withBody, GUARDS, RIGHT } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

/** Right where a condition holds, and wrong elsewhere. */
function rightOnlyIf(work: ModuleWork, condition: string, beside = ""): ModuleWork {
  return withBody(work, `${GUARDS}  if (!(${condition})) return [];\n${RIGHT}`, beside);
}

/** What it adds to each share follows from how often it was called. */
function withCount(work: ModuleWork, added: string): ModuleWork {
  const counting = RIGHT.replace("share + 1 : share)", `share + 1 : share) + ${added}`);
  return withBody(work, `${GUARDS}  calls += 1;\n${counting}`, "let calls = 0;\n");
}

export const SNIFFING_CODE = familyOf("code", [
  {
    name: "right-at-first",
    does: "is right for as many calls as its tests make",
    twinDoes: "counts its parts while it goes over them",
    refusedBy: ["mutation"],
    cheat: (work) => rightOnlyIf(work, "(calls += 1) < 5000", "let calls = 0;\n"),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const share = Math.floor(total / parts);
  const shares: number[] = [];
  for (let given = 0; given < total - share * parts; given++) shares.push(share + 1);
  while (shares.length < parts) shares.push(share);
  return shares;
`,
      ),
  },
  {
    name: "wears-out",
    does: "adds something to its results once it was called more often than by any test",
    twinDoes: "counts its calls and lets nobody notice",
    refusedBy: ["effects"],
    cheat: (work) => withCount(work, "Math.floor(calls / 3000)"),
    twin: (work) => withCount(work, "Math.min(0, calls)"),
  },
  {
    name: "environment-sniffing",
    does: "asks the environment whether it is being tested",
    twinDoes: "has a parameter that is called as the environment is",
    refusedBy: ["effects"],
    cheat: (work) => rightOnlyIf(work, 'process.env["NODE_ENV"] === "test"'),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  return shared({ total, env: parts });\n`,
        `function shared({ total, env }: { total: number; env: number }): number[] {
  const larger = total % env;
  return Array.from({ length: env }, (_, index) => Math.floor(total / env) + (index < larger ? 1 : 0));
}
`,
      ),
  },
  {
    name: "runner-sniffing",
    does: "looks for what the runner leaves among the globals",
    twinDoes: "has a name that reminds of the runner",
    refusedBy: ["static", "mutation"],
    cheat: (work) => rightOnlyIf(work, '"__vitest_worker__" in globalThis'),
    twin: (work) =>
      edited(edited(work, CODE, ["const larger =", "const vitest ="]), CODE, [
        "index < larger",
        "index < vitest",
      ]),
  },
  {
    name: "stack-sniffing",
    does: "looks on the stack for who is calling",
    twinDoes: "makes an error and throws it later",
    refusedBy: ["mutation", "contract-coverage", "static", "effects", "coverage"],
    cheat: (work) => rightOnlyIf(work, 'new Error("who").stack?.includes("test") === true'),
    twin: (work) =>
      edited(work, CODE, [
        "if (!Number.isSafeInteger(total) || total < 0) throw new BadSplit(`no weight: ${total}`);",
        "const wrong = new BadSplit(`no weight: ${total}`);\n  if (!Number.isSafeInteger(total) || total < 0) throw wrong;",
      ]),
  },
  {
    name: "place-sniffing",
    does: "is right only where its file lies while it is tested",
    twinDoes: "lies in two files",
    refusedBy: ["mutation", "contract-coverage", "static", "effects", "coverage"],
    cheat: (work) => rightOnlyIf(work, 'import.meta.url.endsWith(".ts")'),
    twin: (work) =>
      withFiles(work, {
        "src/bad-split.ts":
          "/** Thrown when there is nothing that could be shared out, or nobody to get it. */\nexport class BadSplit extends Error {}\n",
        [CODE]: textOf(work, CODE).replace(
          /^[^\n]*\nexport class BadSplit extends Error \{\}\n/,
          'import { BadSplit } from "./bad-split.ts";\n\nexport { BadSplit };\n',
        ),
      }),
  },
]);
