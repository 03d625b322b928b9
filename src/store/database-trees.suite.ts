// The contract of trees: what has happened to one is kept once, in order, and only where it fits.
import { describe, expect, it } from "vitest";
import type { Bench } from "./database-bench.suite.ts";
import { rootSample } from "./database-samples.suite.ts";

export function treesSuite(bench: () => Bench): void {
  const unfolded = { kind: "unfolded" as const, node: "root", children: [] };

  describe("the table of trees", () => {
    it("keeps an event once, however often it is told, and shows it to everybody", async () => {
      const { one, two, fence } = bench();
      await one.trees.begin(fence, "t-1", rootSample());
      const first = await one.trees.append(fence, "t-1", "e-1", unfolded);
      expect(first["root"]?.place).toEqual({ kind: "due", at: "write_tests" });
      expect(await one.trees.append(fence, "t-1", "e-1", unfolded)).toEqual(first);
      expect(await two.trees.read("t-1")).toEqual(first);
      expect(await two.trees.begin(fence, "t-1", rootSample())).toEqual(first);
      expect(await two.trees.names()).toEqual(["t-1"]);
      expect(await two.trees.isTold("t-1", "e-1")).toBe(true);
      expect(await two.trees.isTold("t-1", "e-2")).toBe(false);
      expect(await two.trees.isTold("t-2", "e-1")).toBe(false);
    });

    it("refuses what does not fit, and nothing of it stays", async () => {
      const { one, fence } = bench();
      const tree = await one.trees.begin(fence, "t-1", rootSample());
      const merged = { kind: "merged" as const, node: "root", commit: "c".repeat(40) };
      await expect(one.trees.append(fence, "t-1", "e-1", merged)).rejects.toThrow("cannot be merged");
      await expect(one.trees.append(fence, "t-9", "e-1", unfolded)).rejects.toThrow("no tree t-9");
      expect(await one.trees.read("t-1")).toEqual(tree);
      expect(await one.trees.read("t-9")).toBeUndefined();
    });

    it("has one root for each name", async () => {
      const { one, fence } = bench();
      await one.trees.begin(fence, "t-1", rootSample());
      const other = { ...rootSample(), description: "Makes something else." };
      await expect(one.trees.begin(fence, "t-1", other)).rejects.toThrow("another root");
    });
  });
}
