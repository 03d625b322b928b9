// One module through the blind protocol with played roles and a played harness: what each gives is a list, or what is usual.
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { BlindSettings } from "../../domain/blind/settings.ts";
import { NO_SPACES, SLUG_SPEC } from "../../domain/blind/blind.suite.ts";
import type { FailureType } from "../../domain/evidence/structured-failure.ts";
import type { RigorSetting } from "../../domain/evidence/rigor.ts";
import { LocalAdvisories } from "../../graph/advisory.ts";
import { openGraphs } from "../../graph/graphs.ts";
import type { Graphs } from "../../graph/graphs-port.ts";
import type { Update } from "../../graph/port.ts";
import { LocalJournal } from "../../store/local/journal.ts";
import { Sql } from "../../store/sql.ts";
import { draft, PASSING, type Play, playedPorts } from "../played-ports.suite.ts";
import { edgesOf } from "../walked-edges.suite.ts";
import type { ProtocolPorts } from "../port.ts";
import type { Examination, Look, Tested } from "../seen.ts";
import { blindAdvice } from "./advice.ts";
import { blindGraph } from "./graph.ts";

const { applied_amendments: _, ...shaped } = draft();

export const TYPES = {
  ...shaped,
  typeName: "Slug",
  typeKind: "string",
  description: "a title for machines",
  constructors: ["slugify"],
  imports: [],
  functions: [SLUG_SPEC],
  designNotes: "plain",
};
export const SOUND = { holes: [], analysis: "Every input was gone through.", confident: true };
export const TESTS = {
  properties: [NO_SPACES],
  selfVerified: true,
  strategy: "properties",
};
export const IMPL = {
  functions: [{ name: "slugify", approach: "replace", complexity: null, handlesEdges: [] }],
  dataRepresentation: "text",
  designNotes: "plain",
  buildPassed: true,
};
export const FIX = {
  changes: [{ function: "slugify", whatChanged: "trims", whyFailed: "spaces", fixType: "LogicFix" }],
  buildPassed: true,
};
/** Everybody does what is asked at the first try. */
export const HONEST = { types: [TYPES], type_adversary: [SOUND], tests: [TESTS], impl: [IMPL] };

export interface BlindPlay extends Omit<Play, "work" | "examinations" | "changes"> {
  /** Beside what is usual: src for code, test for tests. In the order of the questions for that commit's author. */
  changed?: Readonly<Record<string, string[][]>>;
  skeletons?: Examination[];
  verified?: Examination[];
  examined?: Examination[];
  /** Roles whose work brings nothing, by role and number of the call. */
  idle?: readonly string[];
  /** Runs before a role answers. */
  before?: (role: string, signal: AbortSignal) => Promise<void>;
}

export const PASSED: Examination = seen(["red-on-skeleton", "claims", "mutation"]);

function seen(gates: ("red-on-skeleton" | "claims" | "mutation")[]): Examination {
  return { ...PASSING, verdicts: gates.map((gate) => ({ gate, verdict: "PASS", findings: [] })) };
}

/** One gate says no. */
export function refusedBy(
  gate: "red-on-skeleton" | "claims" | "mutation" | "static",
  finding: string,
): Examination {
  const findings = [`${gate}: ${finding}`];
  const others = PASSED.verdicts.filter((one) => one.gate !== gate);
  return { ...PASSED, findings, verdicts: [...others, { gate, verdict: "FAIL", findings }] };
}

export function failing(
  name: string,
  type: FailureType = "PropertyFailed",
  message = `${name} is wrong`,
): Tested {
  const failure = { propertyName: name, failureType: type, message };
  return { kind: "ran", passed: 2, failures: [{ failure, functions: ["slugify"] }] };
}

export const COMMIT_OF: Readonly<Record<string, string>> = { tests: "7", impl: "8", fix: "9" };

/** The nth commit of a role, the first is 1. */
export function commitBy(role: string, nth = 1): string {
  return `${COMMIT_OF[role] ?? "f"}${nth.toString(16)}`.padEnd(40, "0");
}

export interface Setting {
  rigor?: RigorSetting;
  blind?: Partial<BlindSettings>;
}

export function blindPorts({ changed = {}, idle = [], before, ...play }: BlindPlay, setting: Setting = {}) {
  const { ports, noted } = playedPorts({ ...play, answers: play.answers }, setting.rigor);
  const written = new Map<string, number>();
  const asks = new Map<string, number>();
  const examine = async (look: Look | undefined, claims: Examination["claims"]): Promise<Examination> => {
    const kind =
      look === undefined ? "examined" : look.gates.includes("red-on-skeleton") ? "verified" : "skeletons";
    const given = play[kind]?.[next(asks, kind) - 1] ?? PASSED;
    return { ...given, claims: given.claims.length > 0 ? given.claims : claims };
  };
  const blind: ProtocolPorts = {
    ...ports,
    assignment: {
      ...ports.assignment,
      blind: { testers: 1, implementers: 1, speculation: "off", ...setting.blind },
    },
    async ask(context, request) {
      await before?.(request.role.name, context.signal);
      return ports.ask(context, request);
    },
    async write(context, request) {
      await before?.(request.role.name, context.signal);
      const answer = await ports.write(context, request);
      if (answer.kind === "stopped") return answer;
      const nth = next(written, request.role.name);
      const isIdle = idle.includes(`${request.role.name} ${nth}`);
      const commit = commitBy(request.role.name, nth);
      return { ...answer, work: isIdle ? { kind: "nothing" } : { kind: "taken", commit } };
    },
    async changed(_, { commit }) {
      const role = Object.entries(COMMIT_OF).find(([, digit]) => commit.startsWith(digit))?.[0] ?? "";
      const usual = role === "tests" ? "test/slugify.test.ts" : "src/index.ts";
      return changed[role]?.[next(asks, `changed ${role}`) - 1] ?? [usual];
    },
    async examine(context, candidate, look) {
      await ports.examine(context, candidate, look);
      const claims = (candidate.grounds?.claims ?? []).map((claim) => ({
        claim,
        outcome: "HOLDS" as const,
        source: "compiler" as const,
        found: claim.kind === "calls" ? claim.targets : [],
        against: [],
      }));
      return examine(look, claims);
    },
    contents: async () =>
      play.contents?.[next(asks, "contents") - 1] ?? new Map([["slugify", `code ${next(asks, "code")}`]]),
  };
  return { ports: blind, noted };
}

function next(counts: Map<string, number>, key: string): number {
  counts.set(key, (counts.get(key) ?? 0) + 1);
  return counts.get(key) ?? 0;
}

/** Real graphs with everything a thread can use, and every edge that was walked. */
export function blindGraphs() {
  const sql = Sql.open(join(temporaryDirectory(), "cupel.db"), { durability: "normal" });
  const updates: Update[] = [];
  const advisories = new LocalAdvisories({ sql, holder: "us", jobs: blindAdvice, pollMs: 5 });
  onTestFinished(async () => {
    await advisories.close();
    sql.close();
  });
  const graphs: Graphs = openGraphs({
    sql,
    holder: "us",
    advisories,
    observers: [(update) => void updates.push(update)],
  });
  const events = () => new LocalJournal(sql).read(0, 2000);
  return {
    graphs,
    way: async () => (await events()).flatMap((event) => (event.kind === "node_started" ? [event.node] : [])),
    edges: () => updates.flatMap((update) => edgesOf(blindGraph, update)),
  };
}
