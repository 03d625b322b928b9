// The product loop from SPEC.md to approval: iterations with the exact errors, rejections, and what must not happen.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exampleSpec } from "../../test/arbitraries/product-spec.ts";
import {
  answerIn,
  eventsIn,
  incompleteSpec,
  inWorks,
  kinds,
  productProject,
  refineIn,
  renamedSpec,
  transcriptsIn,
  waiting,
  writeProduct,
} from "../../test/product-samples.ts";
import { refineProduct } from "../factory/product.ts";
import { checkStateStore } from "../store/state-store.ts";

describe("a complete specification", () => {
  test("waits for a person, is approved by their answer, and lies where people look for it", async () => {
    const directory = productProject();
    const { id, review } = waiting(await refineIn(directory));
    expect(review).toMatchObject({ title: "Notebook", summary: "2 pillars · 2 stories · 3 tasks", round: 1 });
    expect(review.said).toEqual({ summary: "A notebook.", open_questions: ["Which encoding?"] });
    const file = join(directory, ".cupel/state_store/product/spec.json");
    expect(existsSync(file)).toBe(false);

    expect(waiting(await refineIn(directory)).id).toBe(id);
    expect(await answerIn(directory, id, { action: "APPROVE" })).toMatchObject({ kind: "accepted" });
    const approved = await refineIn(directory);
    expect(approved).toMatchObject({
      kind: "approved",
      by: "ann",
      artifact: `${id}@1.0.0`,
      sourceChanged: false,
    });
    if (approved.kind !== "approved") return;
    expect(approved.spec.pillars).toEqual(exampleSpec().pillars);
    expect(JSON.parse(readFileSync(file, "utf8"))).toEqual(approved.spec);
    expect(readFileSync(file.replace(".json", ".md"), "utf8")).toMatch(/^# Notebook\n/);
    expect(kinds(await eventsIn(directory))).toEqual([
      "role_call_started",
      "role_call_finished",
      "spec_drafted",
      "spec_approved",
    ]);
    const { clean, leftovers } = await checkStateStore(directory, { repair: false });
    expect({ clean, leftovers }).toEqual({ clean: true, leftovers: [] });
  });

  test("is approved at once for who said so beforehand, with their name", async () => {
    const directory = productProject();
    expect(await refineIn(directory, { approveAs: "ann" })).toMatchObject({ kind: "approved", by: "ann" });
    rmSync(join(directory, "SPEC.md"));
    expect(await refineIn(directory)).toMatchObject({ kind: "approved", sourceChanged: true });
  });

  test("made from other words is not approved beforehand", async () => {
    const directory = productProject();
    waiting(await refineIn(directory));
    writeFileSync(join(directory, "SPEC.md"), "# Something else\n");
    expect(await refineIn(directory, { approveAs: "ann" })).toMatchObject({
      kind: "waiting",
      sourceChanged: true,
    });
  });

  test("has the version and times of the harness, not those that an agent made up", async () => {
    const spec = {
      ...exampleSpec(),
      spec_version: "7.7.7",
      created_at: "1999-01-01T00:00:00Z",
      updated_at: "soon",
    };
    const approved = await refineIn(productProject([{ spec }]), { approveAs: "ann" });
    if (approved.kind !== "approved") throw new Error(JSON.stringify(approved));
    expect(approved.spec.spec_version).toBe("1.0.0");
    expect(Date.now() - Date.parse(approved.spec.updated_at)).toBeLessThan(60_000);
  });

  test("deleted or forged files come back from the artifact", async () => {
    const directory = productProject();
    await refineIn(directory, { approveAs: "ann" });
    const file = join(directory, ".cupel/state_store/product/spec.json");
    writeFileSync(file, "{}");
    expect((await checkStateStore(directory, { repair: false })).leftovers).toMatchObject([
      { where: "product/spec.json" },
    ]);
    await checkStateStore(directory, { repair: true });
    expect(readFileSync(file, "utf8")).toContain("Notebook");
  });
});

describe("iterations", () => {
  test("go on with the exact errors until there are none", async () => {
    const directory = productProject([{ spec: incompleteSpec() }, { attempt: 2 }]);
    waiting(await refineIn(directory));
    const [, second = ""] = await transcriptsIn(directory);
    expect(second).toContain("The specification was not handed over");
    expect(kinds(await eventsIn(directory))).toContain("spec_drafted");
  });

  test("tell what is wrong with the draft on disk, which is kept after each", async () => {
    const files = { "draft.json": JSON.stringify(incompleteSpec()) };
    const directory = productProject([{ spec: null, files }, { attempt: 2 }]);
    waiting(await refineIn(directory));
    const [, second = ""] = await transcriptsIn(directory);
    expect(second).toContain(
      'task \\\\\\"Slugify a title\\\\\\" (TSK-001) has nothing under acceptance criteria',
    );
    expect(second).toContain("There is a draft of yours");
  });

  test("end after five, with what stands against it; asked again it goes on from the last draft", async () => {
    const said = Array.from({ length: 5 }, (_, index) => ({ attempt: index + 1, spec: incompleteSpec() }));
    const directory = productProject([...said, { attempt: 6 }]);
    const stopped = await refineIn(directory);
    expect(stopped).toMatchObject({
      kind: "stopped",
      why: expect.stringMatching(
        /^after 5 iterations the specification is not complete:\n {2}The specification was not/,
      ),
      next: expect.stringContaining("run"),
    });
    expect(kinds(await eventsIn(directory)).filter((kind) => kind === "role_call_finished")).toHaveLength(5);
    expect(waiting(await refineIn(directory)).review.round).toBe(1);
  });

  test("begin anew when the person wrote something else after a stop", async () => {
    const blocker = { kind: "blocker", why: "It contradicts itself.", needs: ["a decision"] };
    const directory = productProject([{ spec: null, output: { answer: blocker } }, { round: 2 }]);
    expect(await refineIn(directory)).toMatchObject({
      kind: "stopped",
      why: "the researcher cannot go on: It contradicts itself. (it needs a decision)",
    });
    writeFileSync(join(directory, "SPEC.md"), "# Clear now\n");
    expect(waiting(await refineIn(directory)).review.round).toBe(2);
  });

  test("that could not be paid stop with what to do, and are made later", async () => {
    const directory = productProject([{ attempt: 1, ending: "crash", said: "no key" }]);
    expect(await refineIn(directory)).toMatchObject({
      kind: "stopped",
      why: expect.stringContaining("could not be asked: no key"),
      next: "mend that, and run the same command again",
    });
    writeProduct(directory, [{}]);
    waiting(await refineIn(directory));
  });
});

describe("a rejection", () => {
  test("begins anew with the reasons, without the draft and what was looked up", async () => {
    const search = { tool: "web_search", input: { query: "slugs" } };
    const files = { "draft.json": "{}", "notes.md": "old thoughts" };
    const directory = productProject([
      { files, before: [search] },
      { round: 2, spec: renamedSpec() },
    ]);
    const first = waiting(await refineIn(directory));
    expect(first.review.sources).toHaveLength(1);
    await answerIn(directory, first.id, { action: "REJECT", reasons: "Too large. Only slugs." });
    const second = waiting(await refineIn(directory));
    expect(second.id).not.toBe(first.id);
    expect(second.review).toMatchObject({ round: 2, sources: [], previous: null, difference: [] });
    expect(second.review.artifact).toMatch(/@2\.0\.0$/);
    const [, prompt = ""] = await transcriptsIn(directory);
    expect(prompt).toContain("## Rejection Feedback\\n\\nToo large. Only slugs.");
    expect(prompt).toContain("There is no draft yet");
    expect(existsSync(join(directory, ".cupel/product/round-2/notes.md"))).toBe(false);
    expect(kinds(await eventsIn(directory)).filter((kind) => kind.startsWith("spec"))).toEqual([
      "spec_drafted",
      "spec_rejected",
      "spec_drafted",
    ]);
  });
});

describe("what must not happen", () => {
  test("secrets come into no record", async () => {
    const secret = "tvly-0123456789abcdefghijklmnop";
    const spec = { ...exampleSpec(), description: `The key is ${secret}, keep it.` };
    const files = { "draft.json": JSON.stringify(spec) };
    const output = { answer: { summary: `Uses ${secret}`, open_questions: [], answers: [] } };
    const env = { TAVILY_API_KEY: secret };
    const directory = productProject([{ spec, files, output }], `# Notebook\n\nUse ${secret}.\n`);
    const { id } = waiting(await refineIn(directory, { env, works: { env } }));
    await answerIn(directory, id, { action: "APPROVE" });
    await refineIn(directory, { env, works: { env } });
    const found = spawnSync("grep", ["-rlaF", secret, join(directory, ".cupel")], { encoding: "utf8" });
    // The agent's own files are its own; nothing of them is kept but the draft, without secrets.
    expect(
      found.stdout.split("\n").filter((path) => path !== "" && !path.includes("/product/round-1/")),
    ).toEqual([]);
  });

  test("an agent that puts a link or a folder where its draft should be gains nothing", async () => {
    const directory = productProject([{ spec: null, files: { "draft.json/x": "1" } }, { attempt: 2 }]);
    expect(waiting(await refineIn(directory)).review.round).toBe(1);
  });

  test("two runs at once do not ask twice", async () => {
    const directory = productProject([{ latencyMs: 300 }]);
    const both = await Promise.all([
      refineIn(directory, { works: { pace: 1, runId: "r-1" } }),
      refineIn(directory, { works: { pace: 1, runId: "r-2" } }),
    ]);
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(["stopped", "waiting"]);
    expect(both.find(({ kind }) => kind === "stopped")).toMatchObject({
      why: expect.stringMatching(/works on it, until/),
    });
  });

  test("a person who answers while the run is on is heard by the next", async () => {
    const directory = productProject();
    const approved = await inWorks(directory, {}, async (works) => {
      const { id } = waiting(await refineProduct(works, { env: {} }));
      await works.store.inbox.answer(id, { action: "APPROVE" }, "ann");
      return refineProduct(works, { env: {} });
    });
    expect(approved).toMatchObject({ kind: "approved" });
  });
});
