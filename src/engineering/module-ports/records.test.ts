// The record of a debate: where it lies, what it does to its target, and that a crash makes nothing twice.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { challenge } from "../../../test/agent-samples.ts";
import { type Ground, type GroundOptions, openGround } from "../../../test/engineering-ground.ts";
import { inNode, OWN, PERCENT_CONTRACT, shipClamp } from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";

async function ground(script: GroundOptions["script"] = []): Promise<Ground> {
  const opened = await openGround(temporaryDirectory(), { script });
  onTestFinished(() => opened.close());
  await shipClamp(opened);
  return opened;
}

const judged = {
  verdict: challenge.verdict,
  failures: challenge.failures,
  rubric_assessments: challenge.rubric_assessments,
};

describe("records", () => {
  test("lie in the store and in debates/, move their target on, and are made once", async () => {
    const at = await ground();
    const { store } = at.ports;
    const work = () =>
      inNode(at, async ({ ports, context }) => {
        const { records } = ports;
        const by = { role: "harness" } as const;
        const first = await records.propose(context, {
          claim: "The contract says it all.",
          acceptance_checks: ["read it"],
          deliverable: { kind: "contract", contract: PERCENT_CONTRACT },
          by,
        });
        const failed = await records.challenge(context, first, judged, by);
        const revised = { ...PERCENT_CONTRACT, purpose: "Turns a share into percents." };
        const second = await records.propose(context, {
          claim: "Better.",
          acceptance_checks: ["read it"],
          deliverable: { kind: "contract", contract: revised },
          revises: first,
          by,
        });
        await records.challenge(context, second, judged, by);
        const decision = { amendments: [], rationale: "Fine." };
        const adjudication = await records.adjudicate(
          context,
          second,
          { ...decision, decision: "APPROVE", ship_directive: "SHIP" },
          by,
        );
        const locked = [await ports.lock(context, revised), await ports.lock(context, revised)];
        const other = await ports.lock(context, { ...revised, tags: ["x"] });
        return { first, failed, second, adjudication, locked, other };
      });
    const { first, failed, second, adjudication, locked, other } = await work();
    const status = async (id: string) => (await store.artifacts.get(id)).envelope;
    expect(await status(first.target_artifact_id)).toMatchObject({ status: "CHALLENGED", version: "1.0.0" });
    expect(await status(second.target_artifact_id)).toMatchObject({
      status: "ADJUDICATED",
      version: "1.1.0",
    });
    const read = (id: string, name: string) =>
      JSON.parse(readFileSync(join(store.root, "debates", id, `${name}.json`), "utf8"));
    expect(read(first.target_artifact_id, "proposal")).toEqual(first);
    expect(read(first.target_artifact_id, "challenge")).toEqual(failed);
    expect(read(second.target_artifact_id, "adjudication")).toEqual(adjudication);
    // What was debated is what is locked.
    expect(locked[0]).toEqual(locked[1]);
    expect(locked[0]?.ref).toBe(`${second.target_artifact_id}@1.1.0`);
    expect(other.ref).not.toBe(locked[0]?.ref);
    expect((await store.artifacts.contributions()).map(({ type }) => type)).toEqual([
      "CONTRACT",
      "CHALLENGE",
      "CONTRACT",
      "CHALLENGE",
      "ADJUDICATION",
    ]);
  });

  test("a node that dies on the way makes none of them twice", async () => {
    const at = await ground();
    let tries = 0;
    const work = () =>
      inNode(at, async ({ ports, context }) => {
        const { records } = ports;
        const by = { role: "person" } as const;
        const commit = await ports.scaffold(context, PERCENT_CONTRACT);
        const proposed = await records.propose(context, {
          claim: "done",
          acceptance_checks: ["run it"],
          deliverable: { kind: "module", commit },
          by,
        });
        await records.challenge(context, proposed, judged, by);
        tries += 1;
        if (tries < 3) throw new Error("killed");
        return { commit, proposed };
      });
    await expect(work()).rejects.toThrow("killed");
    await expect(work()).rejects.toThrow("killed");
    const { commit, proposed } = await work();
    const { artifacts } = at.ports.store;
    const types = (await artifacts.query({})).map(({ envelope }) => envelope.artifact_type);
    expect(types).toEqual(["IMPLEMENTATION", "PROPOSAL", "CHALLENGE"]);
    expect(await artifacts.contributions()).toHaveLength(2);
    const body = await artifacts.readBody(proposed.target_artifact_id, "deliverable.json");
    expect(JSON.parse(String(body))).toEqual({ module: `${OWN}@1.0.0`, folder: "percent", commit });
    expect(
      existsSync(join(at.ports.store.root, "debates", proposed.target_artifact_id, "challenge.json")),
    ).toBe(true);
  });
});
