// An agent that carries what it could see across the barrier: the canary gives it away, at both levels of the sandbox.
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Runtime } from "../src/agents/port.ts";
import { scriptedRuntime } from "../src/agents/runtimes/scripted.ts";
import { ScriptLine } from "../src/domain/agent/script-line.ts";
import { HybridResult } from "../src/domain/blind/hybrid-result.ts";
import { engineerTask } from "../src/engineering/engineer-task.ts";
import { doorWith } from "../src/engineering/ship/door.ts";
import { reportOn } from "../src/factory/work-left.ts";
import { blind } from "../src/protocols/blind/protocol.ts";
import { CANARY_FILE } from "../src/workshop/blindness/canary.ts";
import { bubblewrap } from "../src/workshop/sandbox/bubblewrap.ts";
import { none } from "../src/workshop/sandbox/none.ts";
import type { Sandbox } from "../src/workshop/sandbox/port.ts";
import { BLIND_MODULE, blindLines } from "./blind-samples.ts";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { type Ground, openGround } from "./engineering-ground.ts";
import { INVOICE_TASK } from "./invoice-samples.ts";
import { scriptText } from "./invoice-script.ts";
import { orderFor } from "../src/simulator/lone-task.ts";
import { temporaryDirectory } from "./temporary.ts";

const LEVELS: [string, Sandbox][] = [
  ...(bubblewrapWorks ? [["bubblewrap", bubblewrap()] satisfies [string, Sandbox]] : []),
  ["none", none()],
];

test.each(LEVELS)(
  "a tester that has the implementer's canary halts the module (%s)",
  { timeout: 300_000 },
  async (_, sandbox) => {
    const directory = temporaryDirectory();
    const opened: { ground?: Ground } = {};
    const ground = await openGround(directory, {
      runtime: leaking(),
      sandbox,
      journal: true,
      protocol: blind,
      door: (making) => {
        if (opened.ground === undefined) throw new Error("it is not open yet");
        return doorWith({ ...opened.ground.ports, versions: {}, memory: join(directory, "memory") })(making);
      },
    });
    opened.ground = ground;
    onTestFinished(() => ground.close());
    const outcome = await engineerTask(ground.ports, orderFor(INVOICE_TASK, { protocol: "blind" }));
    expect(outcome).toMatchObject({ kind: "halted" });
    expect(JSON.stringify(outcome)).toContain("the canary of impl-");
    const { store } = ground.ports;
    const [report] = await store.artifacts.query({ type: "WITNESS_REPORT" });
    expect(await reportOn(store, BLIND_MODULE)).toBe(report?.envelope.artifact_id);
    const text = (await store.payloads.get(report?.body["result.json"] ?? "")).toString("utf8");
    expect(HybridResult.parse(JSON.parse(text))).toMatchObject({
      shipped: null,
      blindness: { result: "broken" },
    });
  },
);

/** Honest in everything, but the tester writes down a line that only the implementer had. */
function leaking(): Runtime {
  const lines = scriptText(blindLines())
    .trim()
    .split("\n")
    .map((line) => ScriptLine.parse(JSON.parse(line)));
  const honest = scriptedRuntime(lines);
  const seen: { canary?: string } = {};
  return {
    ...honest,
    async run(request) {
      const { role, workspace = "" } = request;
      if (role === "impl") seen.canary = readFileSync(join(workspace, CANARY_FILE), "utf8");
      const answer = await honest.run(request);
      if (role === "tests") {
        const canary = await vi.waitUntil(() => seen.canary, { timeout: 60_000 });
        appendFileSync(join(workspace, "modules/initials/test/initials.test.ts"), `// ${canary.trim()}\n`);
      }
      return answer;
    },
  };
}
