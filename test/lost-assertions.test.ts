// An assertion that fails is heard of wherever its failure goes, and one that is never made is found where it stands.
import { describe, expect, test } from "vitest";
import { bubblewrapWorks } from "./bubblewrap.ts";
import { gateOn } from "./gate-samples.ts";
import { medianWith } from "./median-samples.ts";

const LONG = { timeout: 120_000 };

async function withTests(...bodies: string[]): Promise<string[]> {
  const last = '  test("refuses nothing"';
  const more = bodies.map((body, at) => `  test("more ${at}", async () => {\n    ${body}\n  });\n`);
  const changed = { [last]: `${more.join("")}${last}`, "{ describe,": "{ describe, vi," };
  const { findings } = await gateOn("green", medianWith({}, changed));
  return findings.map(({ rule, message }) => `${rule}: ${message.split(":")[0] ?? ""}`);
}

const NEVER = "never-asserted: expect(median([1])) stands there and is never run, so it asserts nothing";

describe.skipIf(!bubblewrapWorks)("a test that passes (needs bubblewrap)", () => {
  test("although an assertion in it failed is refused", LONG, async () => {
    const weak = "expect([median([1])]).toHaveLength(1);";
    const lost = [
      `try { expect(median([1])).toBe(2); } catch {} ${weak}`,
      `await Promise.allSettled([expect(Promise.resolve(median([1]))).resolves.toBe(2)]); ${weak}`,
      `await vi.waitFor(() => expect(median([1])).toBe(2), 20).catch(() => undefined); ${weak}`,
      `[1, 2].filter((each) => { try { expect(median([1])).toBe(each); return true; } catch { return false; } }); ${weak}`,
    ];
    expect(await withTests(...lost)).toEqual(
      lost.map((_, at) => `lost-assertion: median > more ${at} passes although an assertion in it failed`),
    );
  });

  test(
    "when it has tried often enough, or has caught what the module throws, is accepted",
    LONG,
    async () => {
      const found = await withTests(
        "let asked = 0; await expect.poll(() => median([(asked += 1)]), { interval: 1 }).toBe(3);",
        "let asked = 0; await vi.waitFor(() => expect(median([(asked += 1)])).toBe(3), { interval: 1 });",
        "try { median([]); expect.unreachable(); } catch (error) { expect(String(error)).toContain('Error'); }",
        "expect(() => median([])).toThrow(); expect([median([1])]).not.toEqual([2]);",
        "expect({ a: median([1]), b: 2 }).not.toMatchObject({ a: 1, b: 3 });",
      );
      expect(found).toEqual([]);
    },
  );

  test("beside an assertion that is never made is refused", LONG, async () => {
    const weak = "expect([median([1])]).toHaveLength(1);";
    const elsewhere = 'if (process.env["CI"] === undefined)';
    const idle = [
      `${elsewhere} expect(median([1])).toBe(2); ${weak}`,
      `const checks = function* () { yield expect(median([1])).toBe(2); }; checks(); ${weak}`,
      `for (const each of [] as number[]) expect(median([1])).toBe(each); ${weak}`,
      `${weak} ${elsewhere} test("none", () => { expect(median([1])).toBe(2); });`,
    ];
    expect(await withTests(...idle)).toEqual(idle.map(() => NEVER));
  });

  test("on one of several ways, or has an assertion for failures, is accepted", LONG, async () => {
    const found = await withTests(
      "for (const all of [[1], [3]]) if (all.length > 1) expect(median(all)).toBe(2); else expect(median(all)).toBe(all[0]);",
      "let seen: unknown; try { median([]); } catch (error) { seen = error; } expect(String(seen)).toContain('Error');",
      "await Promise.resolve(median([1])).then((one) => expect(one).toBe(1), (error) => expect(error).toBeUndefined());",
      "expect(\n      median([1]),\n      'of one',\n    ).toBe(1); expect(await Promise.resolve(median([2]))).toBe(2);",
    );
    expect(found).toEqual([]);
  });
});
