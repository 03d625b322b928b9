// Payloads are what their address says, or an error.
import { readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryDirectory } from "../../test/temporary.ts";
import { Payloads } from "./payloads.ts";

const ABC = "sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

describe("payloads", () => {
  test("text and bytes come back as they were, under the hash of their content", async () => {
    const payloads = new Payloads(temporaryDirectory(), "normal");
    expect(await payloads.put("abc")).toBe(ABC);
    expect(await payloads.put(Buffer.from("abc"))).toBe(ABC);
    expect((await payloads.get(ABC)).toString()).toBe("abc");
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        expect(new Uint8Array(await payloads.get(await payloads.put(bytes)))).toEqual(bytes);
      }),
      { numRuns: 50 },
    );
  });

  test("the same bytes are written once", async () => {
    const payloads = new Payloads(temporaryDirectory(), "full");
    await payloads.put("abc");
    const before = statSync(payloads.pathOf(ABC)).ino;
    await Promise.all(Array.from({ length: 20 }, () => payloads.put("abc")));
    expect(statSync(payloads.pathOf(ABC)).ino).toBe(before);
  });

  test("a hundred writers of the same bytes at once leave one whole file and nothing else", async () => {
    const root = temporaryDirectory();
    const payloads = new Payloads(root, "normal");
    await Promise.all(Array.from({ length: 100 }, () => payloads.put("x".repeat(100_000))));
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    expect(files).toHaveLength(1);
  });

  test.each([
    ["changed", (path: string) => writeFileSync(path, "abd")],
    ["cut short", (path: string) => truncateSync(path, 1)],
    ["emptied", (path: string) => truncateSync(path, 0)],
  ])("bytes that were %s are never handed out, and fsck's list names them", async (_name, damage) => {
    const payloads = new Payloads(temporaryDirectory(), "normal");
    await payloads.put("abc");
    await payloads.put("other");
    damage(payloads.pathOf(ABC));
    await expect(payloads.get(ABC)).rejects.toMatchObject({
      code: "store_damaged",
      hint: "cupel store fsck",
    });
    const bad = [];
    for await (const entry of payloads.verifyAll()) if (entry.problem !== undefined) bad.push(entry.ref);
    expect(bad).toEqual([ABC]);
  });

  test.each(["ab", "abd"])("storing again mends bytes that became %s", async (damaged) => {
    const payloads = new Payloads(temporaryDirectory(), "normal");
    await payloads.put("abc");
    writeFileSync(payloads.pathOf(ABC), damaged);
    await payloads.put("abc");
    expect(readFileSync(payloads.pathOf(ABC), "utf8")).toBe("abc");
  });

  test("an address nobody stored is not found", async () => {
    const payloads = new Payloads(temporaryDirectory(), "normal");
    await expect(payloads.get(ABC)).rejects.toMatchObject({ code: "not_found" });
  });
});
