// What a person decides about a request for another contract is kept beside it, once, and carried out once.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openGround, orderOf } from "../../../test/engineering-ground.ts";
import { EXCEPTION, ICE, raiseSample } from "../../../test/raised-change.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { InterfaceChangeDecision } from "../../domain/people/interface-change.ts";
import type { TaskPorts } from "../port.ts";
import { decideInterfaceChange } from "./decide.ts";

const DEFER: InterfaceChangeDecision = { decision: "DEFER", exception_id: ICE };
const APPROVE: InterfaceChangeDecision = { decision: "APPROVE_CHANGE", exception_id: ICE };

function reject(requeue: boolean, reason = "It can be done without."): InterfaceChangeDecision {
  return { decision: "REJECT_CHANGE", exception_id: ICE, reason, requeue };
}

async function raised() {
  const ground = await openGround(temporaryDirectory());
  onTestFinished(() => ground.close());
  const { store } = ground.ports;
  await raiseSample(ground.ports);
  const files = () => readdirSync(join(store.root, "exceptions")).toSorted();
  return { ports: ground.ports, files };
}

function decide(ports: TaskPorts, decision: InterfaceChangeDecision) {
  return decideInterfaceChange(ports, { decision, order: orderOf(), taskId: "T-text-slugs-002" });
}

test("what is put off stays halted, is written down beside the request, and can be decided later", async () => {
  const { ports, files } = await raised();
  const deferred = { kind: "stays_halted", because: "deferred" };
  expect(await decide(ports, DEFER)).toMatchObject(deferred);
  expect(await decide(ports, DEFER)).toMatchObject(deferred);
  expect(files()).toEqual([`${ICE}.decision-1.json`, `${ICE}.json`]);
  const written = readFileSync(join(ports.store.root, "exceptions", `${ICE}.decision-1.json`), "utf8");
  expect(JSON.parse(written)).toEqual({ exception_id: ICE, number: 1, status: "DEFERRED", decision: DEFER });
  expect(await decide(ports, reject(false))).toMatchObject({ kind: "stays_halted", because: "rejected" });
  expect(await decide(ports, DEFER)).toMatchObject(deferred);
  expect(files()).toHaveLength(4);
});

test("whoever puts it off is asked again, as often as they do, with all that is needed to decide", async () => {
  const { ports } = await raised();
  const { inbox } = ports.store;
  const asked = async () => {
    const first = await decide(ports, DEFER);
    // Told twice, as after a crash, it is the same question.
    expect(await decide(ports, DEFER)).toEqual(first);
    if (first.kind !== "stays_halted") throw new Error(first.kind);
    const open = await inbox.open();
    expect(open.map(({ id }) => id)).toEqual([first.escalation.escalation_id]);
    return open[0];
  };
  const question = await asked();
  expect(question).toMatchObject({
    kind: "interface_change",
    answerSchema: "InterfaceChangeDecision",
    title: expect.stringContaining(`Decide about ${ICE}, which was put off`),
    body: {
      interface_change_ref: ICE,
      interface_change: {
        reason: EXCEPTION.reason,
        evidence: EXCEPTION.evidence,
        proposed_contract_delta: EXCEPTION.proposed_contract_delta,
        target_module: EXCEPTION.target_module,
      },
      interface_change_decision: DEFER,
    },
  });
  expect(await inbox.answer(question?.id ?? "", DEFER, "ada")).toMatchObject({ kind: "accepted" });
  const second = await asked();
  expect(second?.id).not.toBe(question?.id);
  expect(await inbox.answer(second?.id ?? "", reject(false), "ada")).toMatchObject({ kind: "accepted" });

  // Rejected for good, it is the task that waits for a word.
  await decide(ports, reject(false));
  expect(await inbox.open()).toMatchObject([
    {
      kind: "escalation",
      answerSchema: "HumanResolution",
      body: { interface_change_decision: reject(false), interface_change: { exception_id: ICE } },
    },
  ]);
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
