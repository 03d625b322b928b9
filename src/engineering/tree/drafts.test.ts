// Drafts as dependencies, with a real compiler, sandbox and tests: they come from the commit that one stands on, are seen
// as far as their contract opens them, and are built once for the same content.
import { expect, test } from "vitest";
import { below, CLAMP_DRAFT, inDraftNode, openDrafts, PERCENT_DRAFT } from "../../../test/draft-ground.ts";
import { line } from "../../../test/engineering-ground.ts";
import { PERCENT_CONTRACT, percentInput } from "../../../test/module-ground.ts";
import { CLAMP, CLAMP_CONTRACT } from "../../../test/module-samples.ts";
import { shipSample } from "../../../test/shipped-sample.ts";
import { proposer } from "../../agents/roles/proposer.ts";

const INDEX = CLAMP["src/index.ts"] ?? "";
const SECRET = "value > high ? high : value";
/** Lets too much through at the upper end. */
const LAX = below("clamp", { "src/index.ts": INDEX.replace(SECRET, "value > high + 1000 ? high : value") });
const LONG = { timeout: 180_000 };

test("whoever builds on a draft is tested with the one in his commit", LONG, async () => {
  const ground = await openDrafts();
  const good = await ground.commit();
  const lax = await ground.commit(LAX);
  const tested = await inDraftNode(ground, good, async ({ ports, context }) => ({
    good: await ports.test(context, { contract: PERCENT_CONTRACT, commit: good }),
    lax: await ports.test(context, { contract: PERCENT_CONTRACT, commit: lax }),
  }));
  expect(tested.good).toEqual({ kind: "ran", passed: 2, failures: [] });
  expect(tested.lax).toMatchObject({
    kind: "ran",
    passed: 1,
    failures: [{ failure: { propertyName: "never more than all" } }],
  });
});

test(
  "an agent sees types, contract and examples of a draft, runs with it, and never its code",
  LONG,
  async () => {
    const calls = [
      { tool: "ls", input: { path: "/modules/clamp" } },
      { tool: "read", input: { path: "/modules/clamp/types/index.d.ts" } },
      { tool: "read", input: { path: "/modules/clamp/contract.json" } },
      { tool: "read", input: { path: "/modules/clamp/src/index.ts" } },
      { tool: "run_tests", input: { files: [] } },
    ];
    const output = { claim: "done", acceptance_checks: ["`half is fifty`: shown"], applied_amendments: [] };
    const leaky = `import { expect, test } from "vitest";
import { clamp } from "#modules/clamp";
test("half is fifty", () => expect(String(clamp)).toBe("nothing"));
`;
    const files = { "modules/percent/test/percent.test.ts": leaky };
    const script = [
      line({ role: "proposer", module: "MM-percent", node: "make", output, files, toolCalls: calls }),
    ];
    const ground = await openDrafts({ script });
    const base = await ground.commit();
    const written = await inDraftNode(ground, base, (turn) =>
      turn.ports.write(turn.context, { role: proposer, input: percentInput(turn), attempt: 1, base }),
    );
    expect(written).toMatchObject({ kind: "answered", work: { kind: "taken" } });
    const [listed = "", types = "", contract = "", code = "", run = ""] = ground.told.map(({ text }) => text);
    expect(listed).toContain("types");
    expect(listed).not.toMatch(/src|test|index\.js/);
    expect(types).toContain("export declare function clamp");
    expect(contract).toContain("MM-clamp");
    expect(code).toContain("ACCESS DENIED");
    expect(run).toContain("half is fifty");
    expect(ground.told.map(({ text }) => text).join()).not.toContain(SECRET);
  },
);

test(
  "the same content is built once, whatever commit it lies in; what is built on it is built anew when it changes",
  LONG,
  async () => {
    const share = { ref: "MM-share@1.0.0", folder: "share", dependencies: ["MM-percent@1.0.0"] };
    const ground = await openDrafts({ drafts: [CLAMP_DRAFT, PERCENT_DRAFT, share] });
    const { drafts, built } = ground;
    const first = await ground.commit();
    const around = await drafts.around([PERCENT_DRAFT.ref], first);
    expect(around.map(({ ref, name }) => [ref, name])).toEqual([
      ["MM-percent@1.0.0", "percent"],
      ["MM-clamp@1.0.0", "clamp"],
    ]);
    const both = await Promise.all(around.map((each) => each.whole()));
    expect(both.map(({ files }) => files["index.js"])).toEqual([
      expect.stringContaining("#modules/clamp"),
      expect.stringContaining("low is above high"),
    ]);
    const broken = (await around[1]?.broken())?.files["index.js"] ?? "";
    expect(broken).toContain("cupel:stub");
    expect(built()).toBe(2);
    const other = await ground.commit({ "README.md": "something else\n" });
    for (const each of await drafts.around([PERCENT_DRAFT.ref], other)) await each.open();
    expect(built()).toBe(2);
    const changed = await ground.commit(LAX);
    for (const each of await drafts.around([PERCENT_DRAFT.ref], changed)) await each.whole();
    expect(built()).toBe(4);
    expect(await drafts.keyOf(share, first)).toBeUndefined();
  },
);

test("what is no draft has shipped, and a draft that does not build is named", LONG, async () => {
  const ground = await openDrafts({ drafts: [PERCENT_DRAFT] });
  await shipSample(ground, CLAMP_CONTRACT, CLAMP);
  const commit = await ground.commit();
  const [percent, clamp] = await ground.drafts.around([PERCENT_DRAFT.ref], commit);
  expect(clamp?.ref).toBe("MM-clamp@1.0.0");
  expect((await clamp?.open())?.["ship.json"]).toBeDefined();
  expect((await percent?.whole())?.files["index.js"]).toContain("#modules/clamp");
  const torn = await ground.commit({
    "modules/percent/src/index.ts": "export const percent: number = true;\n",
  });
  const [bad] = await ground.drafts.around([PERCENT_DRAFT.ref], torn);
  await expect(bad?.whole()).rejects.toThrow("MM-percent@1.0.0 cannot be built upon");
});

test("modules that import each other in a circle are refused by name", LONG, async () => {
  const round = { ...CLAMP_DRAFT, dependencies: ["MM-percent@1.0.0"] };
  await expect(openDrafts({ drafts: [round, PERCENT_DRAFT] })).rejects.toThrow("clamp → percent → clamp");
});
