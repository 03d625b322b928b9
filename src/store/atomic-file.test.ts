// A file is the old text or the new one, and refusals of the disk say what to do.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { writeAtomically } from "./atomic-file.ts";

describe.each(["normal", "full"] as const)("writing with %s durability", (durability) => {
  test("makes the directories it needs and leaves nothing else behind", async () => {
    const root = temporaryDirectory();
    await writeAtomically(join(root, "a/b/c.txt"), "one", durability);
    await writeAtomically(join(root, "a/b/c.txt"), "two", durability);
    expect(readFileSync(join(root, "a/b/c.txt"), "utf8")).toBe("two");
    expect(readdirSync(join(root, "a/b"))).toEqual(["c.txt"]);
  });

  test("readers beside a hundred writers never see a torn text", async () => {
    const path = join(temporaryDirectory(), "file");
    const texts = Array.from({ length: 100 }, (_, n) => String(n % 10).repeat(50_000));
    await writeAtomically(path, texts[0] ?? "", durability);
    const writers = texts.map((text) => writeAtomically(path, text, durability));
    for (let look = 0; look < 50; look++) {
      const seen = readFileSync(path, "utf8");
      expect([seen.length, new Set(seen).size]).toEqual([50_000, 1]);
      await new Promise(setImmediate);
    }
    await Promise.all(writers);
  });
});

describe("refusals", () => {
  test("a file where a directory should be", async () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, "plain"), "");
    await expect(writeAtomically(join(root, "plain/x"), "text", "normal")).rejects.toMatchObject({
      code: "store_readonly",
      hint: expect.stringContaining("ls -ld"),
    });
  });

  test("a directory where the file should be: nothing is lost and nothing is left", async () => {
    const root = temporaryDirectory();
    mkdirSync(join(root, "taken/inside"), { recursive: true });
    await expect(writeAtomically(join(root, "taken"), "text", "normal")).rejects.toThrow("EISDIR");
    expect(existsSync(join(root, "taken/inside"))).toBe(true);
    expect(readdirSync(root)).toEqual(["taken"]);
  });

  test("a disk that is full: the old text stays, nothing is left, and the error says what to do", () => {
    const root = temporaryDirectory();
    writeFileSync(join(root, "kept"), "old");
    const script = join(root, "script.mts");
    const module = fileURLToPath(new URL("atomic-file.ts", import.meta.url));
    writeFileSync(
      script,
      `import { writeAtomically } from ${JSON.stringify(module)};
       await writeAtomically(${JSON.stringify(join(root, "kept"))}, "x".repeat(1_000_000), "normal").catch((error) =>
         process.stdout.write(JSON.stringify({ code: error.code, hint: error.hint })),
       );`,
    );
    // No file may grow beyond 8 blocks: for the writer that is a disk with no room.
    const limited = 'ulimit -f 8; exec "$@"';
    const { stdout } = spawnSync("sh", ["-c", limited, "sh", process.execPath, "--import", "tsx", script], {
      encoding: "utf8",
    });
    expect(JSON.parse(stdout)).toEqual({
      code: "store_full",
      hint: "free some space and run the same command again",
    });
    expect(readFileSync(join(root, "kept"), "utf8")).toBe("old");
    expect(readdirSync(root).toSorted()).toEqual(["kept", "script.mts"]);
  });
});
