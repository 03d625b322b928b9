import { describe, expect, it } from "vitest";
import { z } from "zod";
import { parse } from "../parse.ts";
import {
  CodeIndexEntry,
  CodeIndexHit,
  CodeIndexQuery,
  embeddingText,
  IndexStatus,
  mayChangeIndexStatus,
  ReuseSearchReport,
} from "./reuse.ts";

const ENTRY = {
  module_id: "MM-slugify",
  version: "1.0.0",
  name: "slugify",
  purpose: "Turns a title into a slug.",
  tags: ["text", "url"],
  contract_ref: "CTR-0a1b2c3d@1.0.0",
  examples_ref: "EX-0a1b2c3d@1.0.0",
  ship_ref: `sha256:${"0".repeat(64)}`,
  io_summary: {
    inputs: ["title: string"],
    outputs: ["slug: string"],
    error_surfaces: ["BlankTitle"],
    effects: [],
    modes: ["sync"],
  },
  dependencies: ["MM-letters@^1.0.0"],
  status: "SHIPPED",
  notes: "",
} as const;

function problemsOf(schema: z.ZodType, input: unknown): string[] {
  const parsed = parse(schema, input);
  return parsed.kind === "ok" ? [] : parsed.problems.map((p) => `${p.path}: ${p.expected} / ${p.found}`);
}

describe("CodeIndexEntry", () => {
  it.each([
    {},
    { status: "DEPRECATED" },
    { status: "DEPRECATED", superseded_by: "MM-kebab@1.0.0" },
    { status: "SUPERSEDED", superseded_by: "MM-slugify@2.0.0" },
  ])("accepts %j", (change) => {
    expect(problemsOf(CodeIndexEntry, { ...ENTRY, ...change })).toEqual([]);
  });

  it.each([
    [{ status: "SUPERSEDED" }, "$.superseded_by: the module that replaces this one / nothing"],
    [
      { superseded_by: "MM-slugify@2.0.0" },
      "$.superseded_by: nothing while the status is SHIPPED / MM-slugify@2.0.0",
    ],
    [
      { status: "SUPERSEDED", superseded_by: "MM-slugify@1.0.0" },
      "$.superseded_by: another module or version / the entry itself",
    ],
    [{ status: "ALIVE" }, '$.status: one of "SHIPPED", "DEPRECATED", "SUPERSEDED" / "ALIVE"'],
    [{ source: "export…" }, "$.source: one of the keys "],
  ])("refuses %j", (change, line) => {
    const problems = problemsOf(CodeIndexEntry, { ...ENTRY, ...change });
    expect(problems).toEqual([expect.stringContaining(line)]);
  });

  it.each(["contract_ref", "examples_ref", "ship_ref"])("refuses a %s that is a path", (key) => {
    const problems = problemsOf(CodeIndexEntry, { ...ENTRY, [key]: "modules/MM-slugify/contract.json" });
    expect(problems).toEqual([expect.stringContaining(`$.${key}: `)]);
  });
});

describe("embeddingText", () => {
  const text =
    "Turns a title into a slug.\ntext, url\n" +
    '{"inputs":["title: string"],"outputs":["slug: string"],"error_surfaces":["BlankTitle"],"effects":[],"modes":["sync"]}';

  it("joins purpose, tags and compact summary by line breaks", () => {
    expect(embeddingText(CodeIndexEntry.parse(ENTRY))).toBe(text);
  });

  it("does not depend on the order of keys or on anything else in the entry", () => {
    const entry = CodeIndexEntry.parse({ ...ENTRY, name: "x", version: "2.0.0", notes: "y" });
    const { modes, effects, error_surfaces, outputs, inputs } = entry.io_summary;
    const io_summary = { modes, effects, error_surfaces, outputs, inputs };
    expect(embeddingText({ ...entry, io_summary })).toBe(text);
    expect(
      embeddingText({ purpose: "p", tags: [], io_summary: { ...entry.io_summary, inputs: [] } }),
    ).toMatch(/^p\n\n\{"inputs":\[\],"outputs"/);
  });
});

describe("mayChangeIndexStatus", () => {
  const allowed = ["SHIPPED DEPRECATED", "SHIPPED SUPERSEDED", "DEPRECATED SUPERSEDED"];

  it.each(IndexStatus.options.flatMap((from) => IndexStatus.options.map((to) => [from, to] as const)))(
    "knows whether %s may become %s",
    (from, to) => expect(mayChangeIndexStatus(from, to)).toBe(allowed.includes(`${from} ${to}`)),
  );
});

describe("CodeIndexQuery", () => {
  it("fills in what is left out", () => {
    expect(CodeIndexQuery.parse({ query: "slugs" })).toEqual({
      query: "slugs",
      include_inactive: false,
      top_k: 10,
    });
  });

  it.each([
    [{ query: " " }, "$.query"],
    [{ query: "slugs", top_k: 0 }, "$.top_k"],
    [{ query: "slugs", top_k: 101 }, "$.top_k"],
    [{ query: "slugs", top_k: 1.5 }, "$.top_k"],
    [{ query: "slugs", tags: "text" }, "$.tags"],
    [{ query: "slugs", status: "SHIPPED" }, "$.status"],
  ])("refuses %j", (input, path) => {
    expect(parse(CodeIndexQuery, input)).toMatchObject({ problems: [{ path }] });
  });

  it("tells a caller only that the query is required", () => {
    expect(z.toJSONSchema(CodeIndexQuery, { io: "input" })).toMatchObject({
      required: ["query"],
      properties: { include_inactive: { default: false }, top_k: { default: 10 } },
    });
  });
});

describe("CodeIndexHit", () => {
  it.each([
    [0, true],
    [1, true],
    [-0.01, false],
    [1.01, false],
    [Number.NaN, false],
    [undefined, false],
  ])("takes a similarity of %s: %s", (similarity_score, ok) => {
    expect(parse(CodeIndexHit, { ...ENTRY, similarity_score }).kind === "ok").toBe(ok);
  });

  it("keeps the rules of an entry", () => {
    const hit = { ...ENTRY, status: "SUPERSEDED", similarity_score: 0.5 };
    expect(parse(CodeIndexHit, hit)).toMatchObject({ problems: [{ path: "$.superseded_by" }] });
  });
});

describe("ReuseSearchReport", () => {
  const rejected = { module_ref: "MM-kebab@2.0.0", why_rejected: "It keeps upper case." };
  const taken = { module_ref: "MM-slugify@1.0.0", why_rejected: "" };
  const report = {
    query: "slugs",
    candidates_considered: [rejected],
    conclusion: "CREATE_NEW",
    justification: "No.",
  };

  it.each([
    {},
    { candidates_considered: [] },
    { conclusion: "REUSE_EXISTING", candidates_considered: [rejected, taken] },
    { conclusion: "REUSE_EXISTING", candidates_considered: [{ ...taken, why_rejected: " " }] },
  ])("accepts %j", (change) => {
    expect(problemsOf(ReuseSearchReport, { ...report, ...change })).toEqual([]);
  });

  it.each([
    [
      { candidates_considered: [rejected, taken] },
      '$.candidates_considered[1].why_rejected: the reason why this candidate will not do / ""',
    ],
    [
      { conclusion: "REUSE_EXISTING", candidates_considered: [taken, { ...rejected, why_rejected: "TBD" }] },
      '$.candidates_considered[1].why_rejected: the reason why this candidate will not do / "TBD"',
    ],
    [
      { conclusion: "REUSE_EXISTING" },
      "$.candidates_considered: the candidate that is reused, with an empty why_rejected / none",
    ],
    [
      { conclusion: "REUSE_EXISTING", candidates_considered: [] },
      "$.candidates_considered: the candidate that is reused, with an empty why_rejected / none",
    ],
    [
      { candidates_considered: [rejected, rejected] },
      "$.candidates_considered[1].module_ref: a candidate that candidates_considered[0] does not name / MM-kebab@2.0.0 again",
    ],
    [{ justification: "n/a" }, '$.justification: a real justification / "n/a"'],
  ])("refuses %j", (change, line) => {
    expect(problemsOf(ReuseSearchReport, { ...report, ...change })).toEqual([line]);
  });
});

it.each([CodeIndexEntry, CodeIndexHit, CodeIndexQuery, ReuseSearchReport])(
  "converts to JSON Schema",
  (schema) => {
    expect(z.toJSONSchema(schema)).toMatchObject({ type: "object", additionalProperties: false });
  },
);
