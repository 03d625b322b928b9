// A cheat or its twin as a behaviour: whoever writes hands in its part of the changed work, whoever drafts the contract drafts the changed one.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ScriptFile } from "../domain/agent/script-line.ts";
import { CANARY_FILE } from "../workshop/blindness/canary.ts";
import { withCanary } from "./cheats/canary-mark.ts";
import type { Cheat, CheatFamily, ModuleWork } from "./cheats/port.ts";
import { everything, folderOf } from "./honest.ts";
import { namingTests } from "./naming-tests.ts";
import type { Behaviour, Performance, SimulatedCase } from "./port.ts";

/** On the case that it is meant for; whoever works on another module stays honest. */
export function playCheat(cheat: Cheat, as: "cheat" | "twin"): Behaviour {
  const { case: onCase = FIRST_CASE } = cheat;
  return {
    name: `${as}/${cheat.name}`,
    roles: "all",
    perform(honest, { case: about, workspace }) {
      if (about === undefined || about.name !== onCase) return honest;
      const before = workOf(about);
      const after = withCanary(
        as === "cheat" ? cheat.cheat(before) : cheat.twin(before),
        canaryIn(workspace),
      );
      const drafted = withContract(honest, before, after);
      const part = partOf(drafted, about);
      if (part === undefined) return drafted;
      const files = changesFor(
        part,
        `${folderOf(about)}examples.md` in drafted.files,
        cheat.family,
        before,
        after,
      );
      const told = answering(drafted, (answer) => namingTests(answer, after.files));
      return {
        ...told,
        files: { ...told.files, ...inWorkspace(files, about) },
        ...(isHandedInBy(part, cheat.family, after) ? manners(told, after) : {}),
      };
    },
  };
}

/** The case of cheats that name none. */
export const FIRST_CASE = "parse-quantity";

/** What whoever plays could copy from its workspace. */
function canaryIn(workspace: string | undefined): string {
  if (workspace === undefined) return "";
  const [token = ""] = readFileSync(join(workspace, CANARY_FILE), "utf8").split(" ");
  return token;
}

export function workOf(about: SimulatedCase): ModuleWork {
  return { files: everything(about), contract: about.contract };
}

/** What somebody writes: code, tests, or both. */
type Part = { code: boolean; tests: boolean };

function partOf({ files }: Performance, about: SimulatedCase): Part | undefined {
  const paths = Object.keys(files);
  const tests = paths.some((path) => path.startsWith(`${folderOf(about)}test/`));
  const code = paths.some((path) => path.startsWith(`${folderOf(about)}src/`));
  return tests || code ? { code, tests } : undefined;
}

const BY_THE_TESTER: readonly CheatFamily[] = ["tests", "assertions", "configuration", "runner"];

/** Where two agents share the work, the cheat is the one whose work it is about. */
function isHandedInBy({ code, tests }: Part, family: CheatFamily, { toolCalls = [] }: ModuleWork): boolean {
  const isOfTests = toolCalls.some(
    ({ tool, input }) => tool === "write" && JSON.stringify(input).includes("/test/"),
  );
  return isOfTests || BY_THE_TESTER.includes(family) ? tests : code;
}

function changesFor(
  part: Part,
  hasExamples: boolean,
  family: CheatFamily,
  before: ModuleWork,
  after: ModuleWork,
): Record<string, ScriptFile> {
  const paths = [...new Set([...Object.keys(before.files), ...Object.keys(after.files)])];
  const mine = paths.filter((path) => {
    if (path.startsWith("test/")) return part.tests;
    if (path.startsWith("src/")) return part.code;
    if (path === "examples.md") return hasExamples;
    return isHandedInBy(part, family, after);
  });
  return Object.fromEntries(
    mine
      .filter((path) => after.files[path] !== before.files[path])
      .map((path) => [path, after.files[path] ?? null]),
  );
}

function inWorkspace(
  files: Readonly<Record<string, ScriptFile>>,
  about: SimulatedCase,
): Performance["files"] {
  const placed = Object.entries(files).map(([path, text]) => [
    path.startsWith("/") ? path.slice(1) : folderOf(about) + path,
    text,
  ]);
  return Object.fromEntries(placed);
}

function withContract(honest: Performance, before: ModuleWork, after: ModuleWork): Performance {
  if (after.contract === before.contract) return honest;
  const drafted = (answer: object): object => {
    // In a tree the contract is a part of how its plan ends.
    if ("exit" in answer && typeof answer.exit === "object" && answer.exit !== null)
      return { ...answer, exit: drafted(answer.exit) };
    return "contract" in answer ? { ...answer, contract: after.contract } : answer;
  };
  return answering(honest, drafted);
}

/** How it is handed in: what is said and claimed, which tools were used, how it ends. */
function manners(honest: Performance, { said, ending, toolCalls, claims }: ModuleWork): Partial<Performance> {
  const { output } =
    claims === undefined ? honest : answering(honest, (answer) => ({ ...answer, ...within(claims, answer) }));
  return {
    output,
    ...(said === undefined ? {} : { said }),
    ...(ending === undefined ? {} : { ending }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
  };
}

/** Who is not asked for a claim makes none. */
function within(claims: object, answer: object): object {
  return Object.fromEntries(Object.entries(claims).filter(([key]) => key in answer));
}

function answering(honest: Performance, change: (answer: object) => object): Performance {
  const { output } = honest;
  if (typeof output !== "object" || output === null || !("answer" in output)) return honest;
  const { answer } = output;
  if (typeof answer !== "object" || answer === null) return honest;
  return { ...honest, output: JSON.parse(JSON.stringify({ answer: change(answer) })) };
}
