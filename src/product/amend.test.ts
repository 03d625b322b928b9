// Amendments: the draft is kept, every point is answered, and what an agent says it changed has changed.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  answerIn,
  productProject,
  refineIn,
  renamedSpec,
  storeIn,
  transcriptsIn,
  waiting,
  type Said,
} from "../../test/product-samples.ts";
import type { ProductOutcome } from "./port.ts";

const AMEND = { action: "AMEND", feedback: "- Rename the first task.\n- Say which encoding." };

describe("an amendment", () => {
  const answers = [
    { point: 1, answer: "Renamed it.", changed: ["TSK-001"] },
    { point: 2, answer: "It is out of scope here.", changed: [] },
  ];

  test("keeps the draft, answers every point and shows what differs", async () => {
    const { directory, outcome } = await amended([{ spec: renamedSpec(), answers }]);
    const { id, review } = waiting(outcome);
    expect(review.answers.map(({ text, changed }) => [text, changed])).toEqual([
      ["Rename the first task.", ["TSK-001"]],
      ["Say which encoding.", []],
    ]);
    expect(review.difference).toMatchObject([{ change: "changed", id: "TSK-001" }]);
    expect(review.artifact).toBe(`${id}@1.1.0`);
    const [, prompt = ""] = await transcriptsIn(directory);
    expect(prompt).toContain("There is a draft of yours");
    const store = storeIn(directory);
    expect(String(await store.artifacts.readBody(id, "difference.txt"))).toMatch(/^~ task "Make a slug/);
    await store.close();
  });

  test.each([
    ["leaves a point out", { spec: renamedSpec(), answers: answers.slice(0, 1) }, "an answer to point 2"],
    [
      "answers with nothing",
      {
        spec: renamedSpec(),
        answers: [answers[0] ?? expect.unreachable(), { point: 2, answer: "TBD", changed: [] }],
      },
      "what was done about it",
    ],
    [
      "changes nothing",
      { answers: answers.map((each) => ({ ...each, changed: [] })) },
      "Nothing differs from the draft",
    ],
    [
      "says it changed what it did not",
      { spec: renamedSpec(), answers: answers.map((each) => ({ ...each, changed: ["TSK-001", "TSK-003"] })) },
      'says that \\\\\\"TSK-003\\\\\\" was changed; it was not',
    ],
  ])("is not done by an agent that %s", async (_, said, message) => {
    const good = { spec: renamedSpec(), answers };
    // Its one repair is no better.
    const { directory, outcome } = await amended([
      said,
      { attempt: 1, turn: 2, ...said },
      { attempt: 2, ...good },
    ]);
    expect(waiting(outcome).review.answers).toHaveLength(2);
    expect((await transcriptsIn(directory)).at(-1)).toContain(message);
  });

  test("is mended within the same call where a point was forgotten", async () => {
    const forgotten = { spec: renamedSpec(), answers: answers.slice(0, 1) };
    const { directory, outcome } = await amended([forgotten, { attempt: 1, turn: 2, spec: null, answers }]);
    expect(waiting(outcome).review.answers).toHaveLength(2);
    expect(await transcriptsIn(directory)).toHaveLength(2);
  });

  test("that came to nothing is given up when the person writes something else", async () => {
    const blocker = { kind: "blocker", why: "Both cannot be.", needs: ["one of them"] };
    const { directory, outcome } = await amended([
      { spec: null, output: { answer: blocker } },
      { round: 3, attempt: 1 },
    ]);
    expect(outcome).toMatchObject({ kind: "stopped" });
    writeFileSync(join(directory, "SPEC.md"), "# Only slugs\n");
    expect(waiting(await refineIn(directory)).review).toMatchObject({
      round: 3,
      answers: [],
      previous: null,
    });
  });

  test("has an advice beside it after three in a row, and may be followed by another", async () => {
    const said = [2, 3, 4].map((round) => ({
      round,
      spec: renamedSpec(`Name ${round}`),
      answers: [{ point: 1, answer: "Done.", changed: ["TSK-001"] }],
    }));
    const directory = productProject([{}, ...said]);
    const advice: (string | null)[] = [];
    let { id, review } = waiting(await refineIn(directory));
    for (let n = 0; n < 3; n++) {
      advice.push(review.advisory);
      await answerIn(directory, id, { action: "AMEND", feedback: "Another name." });
      ({ id, review } = waiting(await refineIn(directory)));
    }
    expect(advice).toEqual([null, null, null]);
    expect(review.advisory).toMatch(/^This specification was amended 3 times in a row\. You may go on/);
  });
});

async function amended(said: readonly Said[]): Promise<{ directory: string; outcome: ProductOutcome }> {
  const directory = productProject([
    {},
    ...said.map((each, index) => ({ round: 2, attempt: index + 1, ...each })),
  ]);
  await answerIn(directory, waiting(await refineIn(directory)).id, AMEND);
  return { directory, outcome: await refineIn(directory) };
}
