import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import { byPriority, Message, MessageKind } from "./message.ts";
import { spoil } from "../../../test/spoil.ts";

const message = {
  id: "m-1",
  dedupe_key: "r-1/impl/3",
  seq: 0,
  kind: "TestChallenge",
  type: "BLOCKED_DEPENDENCY",
  severity: "BLOCKER",
  route_hint: "check_sibling_exports",
  from: "node-a/impl",
  to: "node-a/scaffold",
  payload_ref: `sha256:${"0".repeat(64)}`,
};

describe("Message", () => {
  it("accepts a full envelope", () => {
    expect(parse(Message, message)).toEqual({ kind: "ok", value: message });
  });

  it.each([
    [{ kind: "Rebase" }, "$.kind"],
    [{ type: "blocked dependency" }, "$.type"],
    [{ type: `A${"A".repeat(64)}` }, "$.type"],
    [{ severity: "HIGH" }, "$.severity"],
    [{ route_hint: "Look at the stack trace: …" }, "$.route_hint"],
    [{ route_hint: "a".repeat(65) }, "$.route_hint"],
    [{ route_hint: "Retry" }, "$.route_hint"],
    [{ id: "" }, "$.id"],
    [{ dedupe_key: "x".repeat(201) }, "$.dedupe_key"],
    [{ seq: -1 }, "$.seq"],
    [{ seq: 0.5 }, "$.seq"],
    [{ from: "node a" }, "$.from"],
    [{ to: "a\nb" }, "$.to"],
    [{ payload_ref: "context/blockers/node-a.json" }, "$.payload_ref"],
    [{ payload: { trace: "…" } }, "$.payload"],
  ])("refuses %j at %s", (change, path) => {
    expect(parse(Message, { ...message, ...change })).toMatchObject({ problems: [{ path }] });
  });

  it.each(spoil(message))("refuses $how at $path", ({ input, path }) => {
    const parsed = parse(Message, input);
    expect(parsed.kind === "invalid" && parsed.problems.map((problem) => problem.path)).toContain(path);
  });

  it("converts to JSON Schema", () => {
    expect(z.toJSONSchema(Message)).toBeDefined();
  });
});

describe("byPriority", () => {
  it("puts a shift of context first, then critique, then new work, then questions", () => {
    const kinds = ["StatusQuery", "TestChallenge", "ContextShift", "SemanticCritique"] as const;
    const sorted = kinds.map((kind, seq) => ({ kind, seq })).toSorted(byPriority);
    expect(sorted.map(({ kind }) => kind)).toEqual([
      "ContextShift",
      "SemanticCritique",
      "TestChallenge",
      "StatusQuery",
    ]);
  });

  it("lets an urgent latecomer overtake, but nobody of its own kind", () => {
    const mailbox = [
      { kind: "TestChallenge", seq: 1 },
      { kind: "ContextShift", seq: 9 },
      { kind: "TestChallenge", seq: 0 },
      { kind: "ContextShift", seq: 3 },
    ] as const;
    expect(mailbox.toSorted(byPriority).map(({ seq }) => seq)).toEqual([3, 9, 0, 1]);
  });

  it("sorts as four queues emptied one after the other, equals staying in place", () => {
    const anyMessage = fc.record({
      kind: fc.constantFrom(...MessageKind.options),
      seq: fc.nat({ max: 5 }),
      id: fc.nat(),
    });
    fc.assert(
      fc.property(fc.array(anyMessage), (mailbox) => {
        const naive = ["ContextShift", "SemanticCritique", "TestChallenge", "StatusQuery"].flatMap((kind) =>
          [0, 1, 2, 3, 4, 5].flatMap((seq) => mailbox.filter((m) => m.kind === kind && m.seq === seq)),
        );
        expect(mailbox.toSorted(byPriority)).toEqual(naive);
      }),
    );
  });
});
