// init, inbox, show, approve and diff as a person types them.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseConfigText } from "../src/project/config-file.ts";
import { exampleSpec } from "./arbitraries/product-spec.ts";
import { BIN, cupelIn } from "./cupel-process.ts";
import { productProject, refineIn, renamedSpec, type Said, storeIn, waiting } from "./product-samples.ts";
import { filledStore } from "./store-samples.ts";
import { temporaryDirectory } from "./temporary.ts";

async function asked(said: readonly Said[] = [{}]): Promise<{ project: string; id: string }> {
  const project = productProject(said);
  return { project, id: waiting(await refineIn(project)).id };
}

const CHANGED = {
  round: 2,
  spec: renamedSpec("Slugs \u001B[2J of titles"),
  answers: [{ point: 1, answer: "Done.", changed: ["TSK-001"] }],
};

describe("init", () => {
  test("writes two files that can be used, says what to do next, and overwrites nothing", () => {
    const directory = temporaryDirectory();
    const first = cupelIn(directory, ["init"]);
    expect(first).toMatchObject({ code: 0, err: "" });
    expect(first.out).toMatch(
      /^\+ SPEC\.md\n\+ cupel\.config\.json\nNext:\n {2}1\. git init[\s\S]*SPEC\.md[\s\S]*cupel run/,
    );
    expect(parseConfigText(readFileSync(join(directory, "cupel.config.json"), "utf8"), "x").kind).toBe("ok");

    writeFileSync(join(directory, "SPEC.md"), "mine");
    const again = cupelIn(directory, ["init"]);
    expect(again.code).toBe(0);
    expect(again.out).toContain("= SPEC.md (was there already, left as it is)");
    expect(readFileSync(join(directory, "SPEC.md"), "utf8")).toBe("mine");
  });

  test("follows no link to a place that does not exist yet", () => {
    const [directory, elsewhere] = [temporaryDirectory(), temporaryDirectory()];
    symlinkSync(join(elsewhere, "target"), join(directory, "SPEC.md"));
    expect(JSON.parse(cupelIn(directory, ["init", "--json"]).out)).toMatchObject({ kept: ["SPEC.md"] });
    expect(existsSync(join(elsewhere, "target"))).toBe(false);
  });

  test("makes the folder that it is given", () => {
    const directory = temporaryDirectory();
    spawnSync("git", ["init", "-q", directory]);
    expect(cupelIn(directory, ["init", "new/place"]).out).toMatch(
      /Next:\n {2}1\. cd new\/place\n {2}2\. write what/,
    );
    expect(cupelIn(join(directory, "new/place"), ["inbox"])).toMatchObject({
      code: 0,
      out: "Nothing waits for you.\n",
    });
  });
});

describe("inbox and show", () => {
  test("list what waits and print all that helps to decide", async () => {
    const { project, id } = await asked([{ before: [{ tool: "web_search", input: { query: "slugs" } }] }]);
    expect(cupelIn(project, ["inbox"]).out).toMatch(
      new RegExp(
        `^1 thing waits for you, the oldest first:\n {2}${id} .*Notebook: 2 pillars.*\nNext: cupel show ${id}\n$`,
      ),
    );
    expect(JSON.parse(cupelIn(project, ["inbox", "--json"]).out)).toMatchObject([
      { id, kind: "spec_approval", answerSchema: "SpecDecision" },
    ]);
    const { code, out } = cupelIn(project, ["show", id]);
    expect(code).toBe(0);
    expect(out).toMatch(/^# Notebook\n/);
    for (const text of [
      "##### Task: Slugify a title (TSK-001)",
      "What the researcher says (nobody checked it)",
      "  ? Which encoding?",
      "  ! A search was not possible: no search is set up",
      '  "slugs": not possible, no search is set up',
      `Next: cupel approve ${id}\n`,
    ])
      expect(out).toContain(text);
    expect(JSON.parse(cupelIn(project, ["show", id, "--json"]).out)).toMatchObject({
      kind: "question",
      answer: null,
    });
  });

  test("show an artifact and a module, and say when there is nothing of that name", async () => {
    const project = temporaryDirectory();
    const { store, ids } = await filledStore(project);
    await store.close();
    expect(cupelIn(project, ["show", ids[0] ?? ""]).out).toMatch(
      /^CTR-\w+@1\.0\.0 {2}CONTRACT SHIPPED, by the harness/,
    );
    const module = cupelIn(project, ["show", "MM-slug"]).out;
    expect(module).toMatch(/^MM-slug@1\.0\.0 {2}sealed [\s\S]*# Examples/);
    expect(module).not.toContain("export {}");
    const none = cupelIn(project, ["show", "SPEC-00000000"]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("next: cupel inbox") });
  });
});

describe("approve", () => {
  test("records who decided and goes on with the run", async () => {
    const { project, id } = await asked();
    const { code, out } = cupelIn(project, ["approve", "--as", "ann"]);
    expect({ code, out }).toEqual({ code: 0, out: `${id} is approved, by ann.\nNext: cupel run\n` });
    expect(await refineIn(project)).toMatchObject({ kind: "approved", by: "ann" });
    const none = cupelIn(project, ["approve"]);
    expect(none).toMatchObject({
      code: 2,
      err: expect.stringContaining("no specification waits for approval"),
    });
  });

  test("amends by text or file, and the next show has the answers and the difference, harmless", async () => {
    const { project, id } = await asked([{}, CHANGED]);
    writeFileSync(join(project, "changes.md"), "Please:\n\n- rename the first task\n");
    expect(cupelIn(project, ["approve", id, "--amend-file", "changes.md"]).out).toMatch(
      /in 1 point; the draft is kept/,
    );
    const next = waiting(await refineIn(project)).id;
    const { out } = cupelIn(project, ["show", next]);
    expect(out).toContain("  1. rename the first task\n     Done. (TSK-001)\n");
    expect(out).toContain('name: "Slugify a title" → "Slugs \\u001b[2J of titles"');
    expect(out).not.toContain("\u001B[2J");
    const diff = cupelIn(project, ["diff"]).out;
    expect(diff).toMatch(new RegExp(`^${id}@1\\.0\\.0 → ${next}@1\\.1\\.0\n~ task`));
    expect(cupelIn(project, ["diff", next, id]).out).toContain('→ "Slugify a title"');
  });

  test("two people at once: one is heard, the other is told who was first", async () => {
    const { project, id } = await asked();
    const both = ["ann", "bob"].map((name) =>
      spawn(process.execPath, [BIN, "approve", id, "--reject", `no, says ${name}`, "--as", name], {
        cwd: project,
      }),
    );
    const said = both.map((child) => {
      let text = "";
      child.stderr.on("data", (chunk: Buffer) => (text += chunk.toString()));
      return () => text;
    });
    const codes = await Promise.all(both.map(async (child) => Number((await once(child, "close"))[0])));
    expect(codes.toSorted((a, b) => a - b)).toEqual([0, 2]);
    expect(said[codes.indexOf(2)]?.()).toMatch(
      new RegExp(`(ann|bob) has answered ${id} already: REJECT, [\\s\\S]*next: cupel show ${id}`),
    );
    const store = storeIn(project);
    expect((await store.inbox.find(id))?.answer?.by).toBe(["ann", "bob"][codes.indexOf(0)]);
    await store.close();
  });

  test.each([
    [["--amend", "x", "--reject", "y"], "--amend and --reject do not go together"],
    [["--amend", " "], "what should be changed is empty"],
    [["--reject", ""], "the reason is empty"],
    [["--amend-file", "nowhere.md"], "there is no file nowhere.md"],
    [["SPEC-00000000"], 'nobody asked anything under "SPEC-00000000"'],
  ])("%j is refused and changes nothing", async (args, message) => {
    const { project, id } = await asked();
    expect(cupelIn(project, ["approve", ...args])).toMatchObject({
      code: 2,
      err: expect.stringContaining(message),
    });
    const store = storeIn(project);
    expect((await store.inbox.find(id))?.answer).toBeNull();
    await store.close();
  });
});

test("diff needs two drafts, and says which there are", async () => {
  const { project, id } = await asked([{ spec: exampleSpec() }]);
  expect(cupelIn(project, ["diff"]).err).toContain("there are no two drafts");
  expect(cupelIn(project, ["diff", "9.9.9"]).err).toContain(`expected: one of ${id}@1.0.0`);
});
