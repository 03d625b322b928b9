// Who could see whom in a thread: real workspaces, real transcripts, and an agent that carries a canary across, at both
// levels of the sandbox.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { bubblewrapWorks } from "../../../test/bubblewrap.ts";
import { type Ground, openGround } from "../../../test/engineering-ground.ts";
import { inNode, PERCENT_CONTRACT, percentInput, shipClamp, THREAD } from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import { proposer } from "../../agents/roles/proposer.ts";
import type { Runtime, RuntimeRequest, TranscriptEntry } from "../../agents/port.ts";
import type { BlindnessCertificate } from "../../domain/evidence/blindness-certificate.ts";
import { CANARY_FILE } from "../../workshop/blindness/canary.ts";
import { bubblewrap } from "../../workshop/sandbox/bubblewrap.ts";
import { none } from "../../workshop/sandbox/none.ts";
import type { Sandbox } from "../../workshop/sandbox/port.ts";
import { forgetWatched, watchedWorkspaces } from "../../workshop/workspace/watched.ts";
import { doorWith } from "./door.ts";

const LONG = { timeout: 60_000 };

type Deed = (tree: string, seen: readonly string[]) => string;

/** Two agents, one after the other; `seen` are the canaries of those before. */
function agents(deeds: readonly Deed[]): Runtime {
  const canaries: string[] = [];
  return {
    name: "scripted",
    forks: "never",
    costs: "nothing",
    close: async () => undefined,
    async run({ system, prompt, workspace = "" }: RuntimeRequest) {
      const said = deeds[canaries.length]?.(workspace, [...canaries]) ?? "";
      canaries.push(readFileSync(join(workspace, CANARY_FILE), "utf8"));
      const output = { claim: "done", acceptance_checks: ["`a`: shown"], applied_amendments: [] };
      const transcript: TranscriptEntry[] = [
        { kind: "system", text: system },
        { kind: "prompt", text: prompt },
        { kind: "said", text: said },
      ];
      const usage = { inputTokens: 1, outputTokens: 1 };
      return { kind: "answered", output: { answer: output }, session: "s", usage, costUsd: 0, transcript };
    },
  };
}

function source(text: string): Deed {
  return (tree) => {
    writeFileSync(join(tree, "modules/percent/src/index.ts"), text);
    return "done";
  };
}

const HONEST = [source("export const one = 1;\n"), source("export const two = 2;\n")];

async function certified(
  deeds: readonly Deed[],
  sandbox: Sandbox,
  after?: (at: Ground) => void,
): Promise<BlindnessCertificate> {
  const directory = temporaryDirectory();
  const opened: { ground?: Ground } = {};
  const at = await openGround(directory, {
    runtime: agents(deeds),
    sandbox,
    journal: true,
    door: (making) => {
      if (opened.ground === undefined) throw new Error("it is not open yet");
      const { ports } = opened.ground;
      return doorWith({ ...ports, versions: {}, memory: join(directory, "memory") })(making);
    },
  });
  opened.ground = at;
  onTestFinished(() => at.close());
  await shipClamp(at);
  const work = async ({ ports, context }: Parameters<Parameters<typeof inNode>[1]>[0]) => {
    const base = await ports.scaffold(context, PERCENT_CONTRACT);
    for (const attempt of [1, 2]) {
      const input = percentInput({ ports, context, at: "make", given: "" });
      const written = await ports.write(context, { role: proposer, input, attempt, base });
      if (written.kind === "stopped") throw new Error(written.stop.why);
    }
    after?.(at);
    return ports.certify(context);
  };
  return inNode(at, work, THREAD, ["blindness"]);
}

const LEVELS: [string, Sandbox][] = [
  ...(bubblewrapWorks ? [["bubblewrap", bubblewrap()] satisfies [string, Sandbox]] : []),
  ["none", none()],
];

describe.each(LEVELS)("at the level %s", (level, sandbox) => {
  test("two agents that never saw each other: held, and everything was looked at", LONG, async () => {
    const certificate = await certified(HONEST, sandbox);
    expect(certificate).toMatchObject({ result: "held", doubts: [], leaks: [], barrier: "repository" });
    expect(certificate.workspaces).toHaveLength(2);
    const kinds = new Set(certificate.scanned.map(({ kind }) => kind));
    expect([...kinds].toSorted()).toEqual(["artifact", "prompt", "repository", "transcript", "workspace"]);
    expect(certificate.openDoors.length > 0).toBe(level === "none");
  });

  test.each<[string, Deed, string[]]>([
    [
      "in its code",
      (tree, [canary = ""]) =>
        source(`// ${Buffer.from(canary).toString("base64")}\nexport const two = 2;\n`)(tree, []),
      ["repository", "workspace"],
    ],
    [
      "in a file that nobody takes",
      (tree, [canary = ""]) => {
        mkdirSync(join(tree, "notes"), { recursive: true });
        writeFileSync(join(tree, "notes", "mine"), canary);
        return "done";
      },
      ["workspace"],
    ],
    ["in what it says", (_tree, [canary = ""]) => `I saw ${canary}`, ["transcript"]],
  ])("one that carries the other's canary %s: broken", LONG, async (_where, deed, kinds) => {
    const certificate = await certified([HONEST[0] ?? deed, deed], sandbox);
    expect(certificate.result).toBe("broken");
    expect([...new Set(certificate.leaks.map(({ kind }) => kind))].toSorted()).toEqual(kinds);
  });
});

test("a workspace that is gone is missed: unproven, never held", LONG, async () => {
  const certificate = await certified(HONEST, none(), ({ ports }) => {
    for (const { tree } of watchedWorkspaces(ports.hub, THREAD).slice(0, 1))
      rmSync(tree, { recursive: true, force: true });
  });
  expect(certificate.result).toBe("unproven");
  expect(certificate.doubts.join("\n")).toMatch(/the workspace \S+ was not looked at/);
});

test("what is forgotten leaves nothing to look at", LONG, async () => {
  const emptied: Promise<void>[] = [];
  const certificate = await certified(HONEST, none(), ({ ports }) => {
    emptied.push(forgetWatched(ports.hub, THREAD));
  });
  await Promise.all(emptied);
  expect(certificate.result).toBe("unproven");
});
