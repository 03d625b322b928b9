// Work of several roles brought together on real git: in their order, the same again after a crash, and a conflict by name.
import { describe, expect, onTestFinished, test } from "vitest";
import { type Ground, openGround } from "../../../test/engineering-ground.ts";
import { inNode, PERCENT_CONTRACT, PERCENT_FILES, shipClamp } from "../../../test/module-ground.ts";
import { temporaryDirectory } from "../../../test/temporary.ts";
import type { Turn } from "../../../test/tiny-protocol.ts";
import { toBytePath } from "../../workshop/git/byte-path.ts";
import { logSince, readCommit } from "../../workshop/git/commits.ts";
import { importCommit } from "../../workshop/git/fast-import.ts";
import { git } from "../../workshop/git/git.ts";
import type { NodeContext } from "../../graph/port.ts";

const LONG = { timeout: 60_000 };
const HOME = "modules/percent/";

async function ground(): Promise<Ground> {
  const opened = await openGround(temporaryDirectory());
  onTestFinished(() => opened.close());
  await shipClamp(opened);
  return opened;
}

let refs = 0;

/** `null` is a file that goes, `link` one that becomes a link. */
async function worked(
  { ports }: Ground,
  parent: string,
  files: Readonly<Record<string, string | null>>,
  link?: string,
): Promise<string> {
  refs += 1;
  const changes = Object.entries(files).map(([path, text]) =>
    text === null
      ? { kind: "delete" as const, path: toBytePath(`${HOME}${path}`) }
      : {
          kind: "write" as const,
          path: toBytePath(`${HOME}${path}`),
          mode: path === link ? "120000" : "100644",
          content: Buffer.from(text),
        },
  );
  const ref = `refs/cupel/samples/work-${refs}`;
  return importCommit({ gitDir: ports.hub.gitDir, ref, parent, message: "work\n", at: refs, changes });
}

/** As after a crash that came before anything was kept. */
function forgetful(context: NodeContext): NodeContext {
  return { ...context, once: (_name, _schema, work) => work() };
}

const TESTS = { "test/percent.test.ts": PERCENT_FILES["test/percent.test.ts"] };
const CODE = { "src/index.ts": PERCENT_FILES["src/index.ts"], "examples.md": "# percent\n" };

function inThread<T>(at: Ground, work: (turn: Turn, skeleton: string) => Promise<T>): Promise<T> {
  return inNode(at, async (turn) => work(turn, await turn.ports.scaffold(turn.context, PERCENT_CONTRACT)));
}

describe("merging", () => {
  test(
    "brings tests and code together, each commit picked in turn, and is the same commit again",
    LONG,
    async () => {
      const at = await ground();
      const { gitDir } = at.ports.hub;
      await inThread(at, async ({ ports, context }, base) => {
        const first = await worked(at, base, { "test/percent.test.ts": "// to be rejected\n" });
        const tests = await worked(at, first, TESTS);
        const code = await worked(at, base, CODE);
        const work = { base, commits: [first, tests, code], description: "tests and code" };
        const merged = await ports.merge(forgetful(context), work);
        if (merged.kind === "conflict") throw new Error(merged.files.join());
        expect(await ports.changed(context, { base, commit: merged.commit })).toEqual([
          "examples.md",
          "src/index.ts",
          "test/percent.test.ts",
        ]);
        expect(await ports.changed(context, { base: tests, commit: merged.commit })).toEqual([
          "examples.md",
          "src/index.ts",
        ]);
        const log = await logSince(gitDir, base, merged.commit);
        expect(log.map(({ message }) => message.split("\n")[0])).toEqual([
          "work",
          "work",
          "work",
          "merge: percent: tests and code",
        ]);
        expect((await readCommit(gitDir, merged.commit)).parsed).toMatchObject({ session: context.thread });
        const heads = await git(["for-each-ref", "--format=%(objectname)", "refs/heads/merge-*"], { gitDir });
        expect(heads.trim()).toBe(merged.commit);
        expect(await ports.merge(forgetful(context), work)).toEqual(merged);
        // Kept from then on: also where the work could not be read any more.
        expect(await ports.merge(context, work)).toEqual(merged);
        return true;
      });
    },
  );

  test("tests that were written again and again fit, each on what was before it", LONG, async () => {
    const at = await ground();
    await inThread(at, async ({ ports, context }, base) => {
      const file = "test/percent.test.ts";
      const first = await worked(at, base, { [file]: "// rejected\n" });
      const second = await worked(at, first, { [file]: "// rejected again\n" });
      const third = await worked(at, second, TESTS);
      const code = await worked(at, base, CODE);
      const work = { base, commits: [first, second, third, code], description: "the third and the code" };
      const merged = await ports.merge(context, work);
      if (merged.kind === "conflict") throw new Error(merged.files.join());
      expect(await ports.changed(context, { base: third, commit: merged.commit })).toEqual([
        "examples.md",
        "src/index.ts",
      ]);
      return true;
    });
  });

  test("names every file that does not fit, and leaves no branch behind", LONG, async () => {
    const at = await ground();
    await inThread(at, async ({ ports, context }, base) => {
      const one = await worked(at, base, { ...TESTS, "src/index.ts": "export const one = 1;\n" });
      const other = await worked(at, base, { ...CODE, "test/percent.test.ts": null });
      const merged = await ports.merge(context, { base, commits: [one, other], description: "both" });
      expect(merged.kind === "conflict" ? merged.files.toSorted() : merged).toEqual([
        "src/index.ts",
        "test/percent.test.ts",
      ]);
      const heads = await git(["for-each-ref", "refs/heads/merge-*"], { gitDir: at.ports.hub.gitDir });
      expect(heads).toBe("");
      return true;
    });
  });

  test("takes of work on top of others' only what is its own", LONG, async () => {
    const at = await ground();
    await inThread(at, async ({ ports, context }, base) => {
      const first = await worked(at, base, { "src/index.ts": "export const a = 1;\n" });
      const tests = await worked(at, first, { "test/own.test.ts": "// tests\n" });
      const second = await worked(at, first, { "src/index.ts": "export const a = 2;\n" });
      const work = { base, description: "each alone" };
      const only = await ports.merge(context, { ...work, commits: [tests] });
      if (only.kind !== "merged") throw new Error("a conflict");
      expect(await ports.changed(context, { base, commit: only.commit })).toEqual(["test/own.test.ts"]);
      const all = await ports.merge(context, { ...work, commits: [first, second, tests] });
      if (all.kind !== "merged") throw new Error("a conflict");
      expect(await ports.changed(context, { base: second, commit: all.commit })).toEqual([
        "test/own.test.ts",
      ]);
      return true;
    });
  });

  test("refuses work that began elsewhere", LONG, async () => {
    const at = await ground();
    await inThread(at, async ({ ports, context }, base) => {
      const { parents } = await readCommit(at.ports.hub.gitDir, base);
      const stray = await worked(at, parents[0] ?? "", CODE);
      const merging = ports.merge(context, { base, commits: [stray], description: "x" });
      await expect(merging).rejects.toThrow("does not come from");
      return true;
    });
  });
});

test(
  "what was changed is seen whatever it is: code of another, a link, a file that is gone",
  LONG,
  async () => {
    const at = await ground();
    await inThread(at, async ({ ports, context }, base) => {
      const sly = await worked(at, base, { ...TESTS, "src/index.ts": "export {};\n" });
      expect(await ports.changed(context, { base, commit: sly })).toEqual([
        "src/index.ts",
        "test/percent.test.ts",
      ]);
      const linked = await worked(
        at,
        base,
        { "test/percent.test.ts": "../../clamp/src" },
        "test/percent.test.ts",
      );
      expect(await ports.changed(context, { base, commit: linked })).toEqual(["test/percent.test.ts"]);
      const gone = await worked(at, base, { "src/index.ts": null });
      expect(await ports.changed(context, { base, commit: gone })).toEqual(["src/index.ts"]);
      expect(await ports.changed(context, { base, commit: base })).toEqual([]);
      return true;
    });
  },
);
