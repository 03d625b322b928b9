// What a person decides about a request for another contract is kept beside it, once, and carried out once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openGround, orderOf } from "../../../test/engineering-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { InterfaceChangeDecision } from "../../domain/people/interface-change.ts";
import type { TaskPorts } from "../port.ts";
import { decideInterfaceChange } from "./decide.ts";

const ICE = "ICE-0a1b2c3d";
const DEFER: InterfaceChangeDecision = { decision: "DEFER", exception_id: ICE };
const APPROVE: InterfaceChangeDecision = { decision: "APPROVE_CHANGE", exception_id: ICE };

function reject(requeue: boolean, reason = "It can be done without."): InterfaceChangeDecision {
  return { decision: "REJECT_CHANGE", exception_id: ICE, reason, requeue };
}

const EXCEPTION = {
  exception_id: ICE,
  type: "CANNOT_SUPPORT",
  raised_by: { artifact_ref: "MM-files@1.0.0", role: "proposer", run_id: "r-1" },
  target_module: "MM-slugify@1.0.0",
  reason: "File names need an underscore between words.",
  evidence: ["a file name with a dash is refused by the importer"],
  proposed_contract_delta: { removed_inputs: ["title"] },
  compatibility_expectation: "UNKNOWN",
  urgency: "HIGH",
};

async function raised() {
  const ground = await openGround(temporaryDirectory());
  onTestFinished(() => ground.close());
  const { store, fence } = ground.ports;
  await store.artifacts.create(fence, {
    id: ICE,
    type: "INTERFACE_CHANGE_EXCEPTION",
    pillar: "text",
    createdBy: { role: "harness", run_id: "r-1" },
    contextPackRef: null,
    body: { "exception.json": JSON.stringify(EXCEPTION) },
  });
  await store.documents.write(fence, "exceptions", `${ICE}.json`, EXCEPTION);
  const files = () => readdirSync(join(store.root, "exceptions")).toSorted();
  return { ports: ground.ports, files };
}

function decide(ports: TaskPorts, decision: InterfaceChangeDecision) {
  return decideInterfaceChange(ports, { decision, order: orderOf(), taskId: "T-text-slugs-002" });
}

test("what is put off stays halted, is written down beside the request, and can be decided later", async () => {
  const { ports, files } = await raised();
  const deferred = { kind: "stays_halted", because: "deferred" };
  expect(await decide(ports, DEFER)).toEqual(deferred);
  expect(await decide(ports, DEFER)).toEqual(deferred);
  expect(files()).toEqual([`${ICE}.decision-1.json`, `${ICE}.json`]);
  const written = readFileSync(join(ports.store.root, "exceptions", `${ICE}.decision-1.json`), "utf8");
  expect(JSON.parse(written)).toEqual({ exception_id: ICE, number: 1, status: "DEFERRED", decision: DEFER });
  expect(await decide(ports, reject(false))).toEqual({ kind: "stays_halted", because: "rejected" });
  expect(await decide(ports, DEFER)).toEqual(deferred);
  expect(files()).toHaveLength(4);
});

test("a rejected request sends the task back to work once; nothing calls it back", async () => {
  const { ports, files } = await raised();
  const requeue = { kind: "requeue", reason: "It can be done without." };
  expect(await decide(ports, reject(true))).toEqual(requeue);
  expect(await decide(ports, reject(true))).toEqual(requeue);
  for (const other of [APPROVE, DEFER, reject(false), reject(true, "For another reason.")])
    await expect(decide(ports, other)).rejects.toMatchObject({
      code: "illegal_transition",
      message: expect.stringContaining(`${ICE} is REJECTED already`),
    });
  expect(files()).toHaveLength(2);
});

const dying = () => Promise.reject(new Error("killed"));

test("a decision that was kept and not yet filed is filed when it comes again", async () => {
  const { ports, files } = await raised();
  const { store } = ports;
  const documents = new Proxy(store.documents, {
    get: (target, name) => (name === "write" ? dying : Reflect.get(target, name)),
  });
  await expect(decide({ ...ports, store: { ...store, documents } }, DEFER)).rejects.toThrow("killed");
  expect(files()).toHaveLength(1);
  await decide(ports, DEFER);
  expect(files()).toEqual([`${ICE}.decision-1.json`, `${ICE}.json`]);
  expect(await store.artifacts.query({ type: "INTERFACE_CHANGE_EXCEPTION" })).toHaveLength(2);
});

test("a request that nobody raised, and a change of what never shipped, are told", async () => {
  const { ports } = await raised();
  await expect(decide(ports, { ...DEFER, exception_id: "ICE-ffffffff" })).rejects.toMatchObject({
    code: "not_found",
    message: "nobody has raised ICE-ffffffff",
  });
  await expect(decide(ports, APPROVE)).rejects.toThrow("MM-slugify@1.0.0 has not shipped");
  // It was said, and nothing came of it, so another word may follow.
  expect(await decide(ports, DEFER)).toMatchObject({ kind: "stays_halted" });
});
