// The contract of artifacts, contributions, modules and the audit of context packs: written once, found again as they were.
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ArtifactStatus } from "../domain/artifact/artifact-envelope.ts";
import {
  accessSample,
  artifactSample,
  budgetSample,
  contributionSample,
  moduleSample,
  payloadSample,
} from "./database-samples.suite.ts";
import type { Bench } from "./database-bench.suite.ts";
import type { ArtifactQuery, ArtifactRow } from "./port.ts";

export function recordsSuite(bench: () => Bench): void {
  artifactsSuite(bench);
  statusSuite(bench);
  contributionsSuite(bench);
  modulesSuite(bench);
  auditSuite(bench);
  budgetsSuite(bench);
}

/** As JSON.parse makes it: a key of its own, not a prototype. */
const withProto = (files: Record<string, string>): Record<string, string> =>
  Object.defineProperty({ ...files }, "__proto__", { value: payloadSample(1), enumerable: true });

const ids = (rows: ArtifactRow[]) => rows.map(({ envelope }) => envelope.artifact_id);

function artifactsSuite(bench: () => Bench): void {
  describe("the table of artifacts", () => {
    it("gives back what it took", async () => {
      const { one, two, fence } = bench();
      const row: ArtifactRow = {
        ...artifactSample(1, { notes: "Straße\0 🦊 \ud800 '; DROP TABLE artifacts; --" }),
        lineage: "' OR 1=1 --",
        pillar: "Wörter 🦊",
        body: {
          "a b/ü.ts": payloadSample(1),
          constructor: payloadSample(2),
          "[...slug].tsx": payloadSample(3),
        },
      };
      await one.artifacts.insert(fence, row);
      expect(await two.artifacts.get("IMPL-00000001")).toEqual(row);
      expect(await two.artifacts.get("IMPL-00000002")).toBeUndefined();
      expect(await two.artifacts.get("' OR 1=1 --")).toBeUndefined();
    });

    it("says which artifact is in the way", async () => {
      const { one, two, fence } = bench();
      await one.artifacts.insert(fence, artifactSample(1));
      await expect(two.artifacts.insert(fence, { ...artifactSample(1), lineage: "other" })).rejects.toThrow(
        "the artifact IMPL-00000001 exists already",
      );
      await expect(
        two.artifacts.insert(fence, { ...artifactSample(2), lineage: "IMPL-00000001" }),
      ).rejects.toThrow('version 1.0.0 of "IMPL-00000001" exists already: IMPL-00000001');
      const next = { ...artifactSample(2, { version: "1.0.1" }), lineage: "IMPL-00000001" };
      await two.artifacts.insert(fence, next);
      expect(ids(await one.artifacts.query({ lineage: "IMPL-00000001" }))).toEqual([
        "IMPL-00000001",
        "IMPL-00000002",
      ]);
    });

    it("lets one of many have an id", async () => {
      const { one, two, fence } = bench();
      const tries = Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? one : two).artifacts.insert(fence, { ...artifactSample(1), pillar: `p-${n}` }),
      );
      const results = await Promise.allSettled(tries);
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await one.artifacts.query({})).toHaveLength(1);
    });

    it.each([
      ["pillar", { pillar: "a\0" }],
      ["lineage", { lineage: "x".repeat(501) }],
      ["body", { body: { "a/../b": payloadSample(1) } }],
      ["body", { body: { "a.ts": "sha256:short" } }],
      ["file named __proto__", { body: withProto({}) }],
    ])("refuses a wrong %s", async (place, change) => {
      const { one, fence } = bench();
      await expect(one.artifacts.insert(fence, { ...artifactSample(1), ...change })).rejects.toMatchObject({
        code: "invalid_input",
        message: expect.stringContaining(place),
      });
      expect(await one.artifacts.query({})).toEqual([]);
    });

    it("finds by type, status, lineage and pillar like a filter over a list, in the order of arrival", async () => {
      const { one, two, fence } = bench();
      const rows = Array.from({ length: 24 }, (_, n): ArtifactRow => {
        const contract = n % 2 === 0;
        const place = (n * 7) % 24;
        return {
          ...artifactSample(place, {
            artifact_id: `${contract ? "CTR" : "IMPL"}-${place.toString(16).padStart(8, "0")}`,
            artifact_type: contract ? "CONTRACT" : "IMPLEMENTATION",
            version: `1.0.${n}`,
            status: n % 3 === 0 ? "SHIPPED" : "DRAFT",
          }),
          lineage: `l-${n % 4}`,
          pillar: `p-${n % 5}`,
        };
      });
      for (const row of rows) await one.artifacts.insert(fence, row);
      const query: fc.Arbitrary<ArtifactQuery> = fc.record(
        {
          type: fc.constantFrom("CONTRACT", "IMPLEMENTATION", "EXAMPLES"),
          status: fc.constantFrom(...ArtifactStatus.options),
          lineage: fc.constantFrom("l-0", "l-1", "' OR 1=1 --"),
          pillar: fc.constantFrom("p-0", "p-1"),
        },
        { requiredKeys: [] },
      );
      await fc.assert(
        fc.asyncProperty(query, async (wanted) => {
          const naive = rows.filter(
            ({ envelope, lineage, pillar }) =>
              (wanted.type ?? envelope.artifact_type) === envelope.artifact_type &&
              (wanted.status ?? envelope.status) === envelope.status &&
              (wanted.lineage ?? lineage) === lineage &&
              (wanted.pillar ?? pillar) === pillar,
          );
          expect(await two.artifacts.query(wanted)).toEqual(naive);
        }),
      );
    });
  });
}

function statusSuite(bench: () => Bench): void {
  describe("a status", () => {
    it("moves only from where the caller saw it, in the envelope as in the query", async () => {
      const { one, two, fence } = bench();
      await one.artifacts.insert(fence, artifactSample(1));
      await one.artifacts.insert(fence, artifactSample(2));
      expect(await one.artifacts.setStatus(fence, "IMPL-00000001", "CHALLENGED", "ADJUDICATED")).toBe(false);
      expect(await one.artifacts.get("IMPL-00000001")).toEqual(artifactSample(1));
      expect(await one.artifacts.setStatus(fence, "IMPL-00000001", "DRAFT", "CHALLENGED")).toBe(true);
      expect(await two.artifacts.get("IMPL-00000001")).toEqual(artifactSample(1, { status: "CHALLENGED" }));
      expect(ids(await two.artifacts.query({ status: "CHALLENGED" }))).toEqual(["IMPL-00000001"]);
      expect(ids(await two.artifacts.query({ status: "DRAFT" }))).toEqual(["IMPL-00000002"]);
    });

    it("is moved by one of many", async () => {
      const { one, two, fence } = bench();
      await one.artifacts.insert(fence, artifactSample(1));
      const moves = Array.from({ length: 10 }, (_, n) =>
        (n % 2 === 0 ? one : two).artifacts.setStatus(fence, "IMPL-00000001", "DRAFT", "CHALLENGED"),
      );
      expect((await Promise.all(moves)).filter(Boolean)).toHaveLength(1);
    });
  });
}

function contributionsSuite(bench: () => Bench): void {
  describe("the trail of contributions", () => {
    it("keeps their order, for one task or for all", async () => {
      const { one, two, fence } = bench();
      const other = "T-text-slug-basics-002";
      const trail = [9, 2, 7, 1].map((n) => contributionSample(n, n < 3 ? other : undefined));
      for (const contribution of trail) await one.artifacts.appendContribution(fence, contribution);
      expect(await two.artifacts.contributions()).toEqual(trail);
      expect(await two.artifacts.contributions(other)).toEqual([trail[1], trail[3]]);
      expect(await two.artifacts.contributions("' OR 1=1 --")).toEqual([]);
    });

    it("stays as it is when an id comes again, and refuses other content under it", async () => {
      const { one, fence } = bench();
      await one.artifacts.appendContribution(fence, contributionSample(1));
      await one.artifacts.appendContribution(fence, contributionSample(1));
      const again = { ...contributionSample(2), contribution_id: "CONTRIB-00000001" };
      await expect(one.artifacts.appendContribution(fence, again)).rejects.toMatchObject({
        code: "already_exists",
      });
      expect(await one.artifacts.contributions()).toEqual([contributionSample(1)]);
    });
  });
}

function modulesSuite(bench: () => Bench): void {
  describe("the table of modules", () => {
    it("seals once and for ever", async () => {
      const { one, two, clock, fence } = bench();
      await one.modules.record(fence, moduleSample());
      expect(await two.modules.isSealed("MM-slug", "1.0.0")).toBe(false);
      expect(await two.modules.get("MM-slug", "1.0.0")).toEqual({ ...moduleSample(), sealedAt: null });
      const seals = Array.from({ length: 6 }, (_, n) =>
        (n % 2 === 0 ? one : two).modules.seal(fence, "MM-slug", "1.0.0"),
      );
      expect((await Promise.all(seals)).filter(Boolean)).toHaveLength(1);
      clock.now += 500;
      expect(await two.modules.seal(fence, "MM-slug", "1.0.0")).toBe(false);
      expect(await one.modules.isSealed("MM-slug", "1.0.0")).toBe(true);
      const sealedAt = "2026-11-15T12:00:00.000Z";
      expect(await one.modules.get("MM-slug", "1.0.0")).toEqual({ ...moduleSample(), sealedAt });
    });

    it("takes other files before the seal and only the same ones after it", async () => {
      const { one, fence } = bench();
      await one.modules.record(fence, moduleSample("1.0.0", "MM-slug", 1));
      await one.modules.record(fence, moduleSample("1.0.0", "MM-slug", 2));
      await one.modules.seal(fence, "MM-slug", "1.0.0");
      await one.modules.record(fence, moduleSample("1.0.0", "MM-slug", 2));
      await expect(one.modules.record(fence, moduleSample("1.0.0", "MM-slug", 3))).rejects.toThrow(
        "MM-slug@1.0.0 is sealed since 2026-11-15T12:00:00.000Z; its files stay as they are",
      );
      expect(await one.modules.get("MM-slug", "1.0.0")).toMatchObject(moduleSample("1.0.0", "MM-slug", 2));
      expect(await one.modules.isSealed("MM-slug", "1.0.0")).toBe(true);
    });

    it("lists by id and then by number, not by spelling", async () => {
      const { one, fence } = bench();
      for (const [version, id] of [
        ["1.10.0", "MM-b"],
        ["1.9.0", "MM-b"],
        ["2.0.0", "MM-a"],
        ["1.0.0", "MM-c"],
      ]) {
        await one.modules.record(fence, moduleSample(version, id));
      }
      const listed = (await one.modules.list()).map(({ moduleId, version }) => `${moduleId}@${version}`);
      expect(listed).toEqual(["MM-a@2.0.0", "MM-b@1.9.0", "MM-b@1.10.0", "MM-c@1.0.0"]);
      expect((await one.modules.list("MM-b")).map(({ version }) => version)).toEqual(["1.9.0", "1.10.0"]);
      expect(await one.modules.list("MM-d")).toEqual([]);
    });

    it("knows nothing of what was never recorded", async () => {
      const { one, fence } = bench();
      expect(await one.modules.get("MM-slug", "1.0.0")).toBeUndefined();
      expect(await one.modules.isSealed("MM-slug", "1.0.0")).toBe(false);
      await expect(one.modules.seal(fence, "MM-slug", "1.0.0")).rejects.toThrow(
        "there is no MM-slug@1.0.0 to seal",
      );
    });

    it.each([
      { moduleId: "slug" },
      { version: "1.0" },
      { files: {} },
      { files: { "/etc/passwd": payloadSample(1) } },
      { files: { "a.ts": "text" } },
      {
        files: withProto({ a: payloadSample(1) }),
      },
    ])("refuses %j", async (change) => {
      const { one, fence } = bench();
      await expect(one.modules.record(fence, { ...moduleSample(), ...change })).rejects.toMatchObject({
        code: "invalid_input",
      });
      expect(await one.modules.list()).toEqual([]);
    });
  });
}

function auditSuite(bench: () => Bench): void {
  describe("the audit of context packs", () => {
    it("keeps every try in order, however strange its path", async () => {
      const { one, two, fence } = bench();
      const paths = ["/a", "", "/a\0/../b", "\ud800", "🦊", "' OR 1=1 --", "x".repeat(100_000), "/a"];
      const tries = paths.map((path, n) => ({
        ...accessSample(path, `CP-0000000${n % 2}`),
        granted: n % 3 === 0,
      }));
      await one.packAudit.append(fence, tries.slice(0, 3));
      await two.packAudit.append(fence, tries.slice(3));
      expect(await one.packAudit.list()).toEqual(tries);
      expect(await one.packAudit.list("CP-00000001")).toEqual(tries.filter((_, n) => n % 2 === 1));
      expect(await one.packAudit.list("CP-00000009")).toEqual([]);
    });
  });
}

function budgetsSuite(bench: () => Bench): void {
  describe("the budgets of runs", () => {
    it("are each as they were kept last, for every connection", async () => {
      const { one, two, fence } = bench();
      expect(await two.budgets.find("r-1")).toBeUndefined();
      await one.budgets.keep(fence, "r-1", budgetSample(1));
      await one.budgets.keep(fence, "r-2", budgetSample(7));
      await one.budgets.keep(fence, "r-1", budgetSample(2));
      expect(await two.budgets.find("r-1")).toEqual(budgetSample(2));
      expect(await two.budgets.find("r-2")).toEqual(budgetSample(7));
      expect(await two.budgets.find("' OR 1=1 --")).toBeUndefined();
    });

    it("refuse what is no budget and keep what was there", async () => {
      const { one, fence } = bench();
      await one.budgets.keep(fence, "r-1", budgetSample(1));
      const broken = { ...budgetSample(2), unpriced: -1 };
      await expect(one.budgets.keep(fence, "r-1", broken)).rejects.toMatchObject({ code: "invalid_input" });
      await expect(one.budgets.keep(fence, " ", budgetSample(2))).rejects.toMatchObject({
        code: "invalid_input",
      });
      expect(await one.budgets.find("r-1")).toEqual(budgetSample(1));
    });
  });
}
