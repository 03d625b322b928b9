// A certificate cannot say more than its facts: silence is proof only where a scan looked and has found a plant.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parse, renderProblem } from "../parse.ts";
import {
  barrierOf,
  BlindnessCertificate,
  type BlindnessFacts,
  certificateOf,
  MUST_BE_SCANNED,
} from "./blindness-certificate.ts";

const workspaces: BlindnessFacts["workspaces"] = [
  { id: "W-1", role: "tests", canary: "a".repeat(64), atHome: true },
  { id: "W-2", role: "impl", canary: "b".repeat(64), atHome: true },
];
const scanned: BlindnessFacts["scanned"] = [
  { kind: "workspace", name: "W-1", owner: "W-1", files: 3, bytes: 99 },
  { kind: "workspace", name: "W-2", owner: "W-2", files: 1, bytes: 9 },
  { kind: "transcript", name: "tests", files: 1, bytes: 5 },
  { kind: "artifact", name: "store", files: 2, bytes: 7 },
  { kind: "prompt", name: "tests", files: 1, bytes: 6 },
];
const leak = {
  kind: "transcript",
  name: "tests",
  of: "W-2",
  path: "tests",
  disguise: "base64",
  offset: 7,
} as const;
const unread = { kind: "workspace", name: "W-1", path: "pipe", reason: "it is a FIFO" } as const;
const door = { attack: "reads /etc/passwd", door: "the whole disk" };
const facts: BlindnessFacts = {
  runId: "R-1",
  barrier: "sandbox",
  commands: { bubblewrap: 4, none: 0 },
  workspaces,
  scanned,
  leaks: [],
  openDoors: [],
  notScanned: [],
  plants: [
    { kind: "workspace", planted: "a canary in a file", found: true },
    { kind: "transcript", planted: "a canary in the text", found: true },
    { kind: "artifact", planted: "a canary in an artifact", found: true },
    { kind: "prompt", planted: "a canary in a prompt", found: true },
  ],
  madeAt: "2026-01-01T00:00:00.000Z",
};

function problems(value: unknown): string {
  const parsed = parse(BlindnessCertificate, value);
  return parsed.kind === "ok" ? "" : parsed.problems.map(renderProblem).join("\n");
}

test("everything looked at, every plant found, nothing leaked: held", () => {
  expect(certificateOf(facts)).toEqual({ ...facts, result: "held", doubts: [] });
  expect(problems(certificateOf(facts))).toBe("");
});

test("one leak: broken, whatever else is true", () => {
  const broken = certificateOf({ ...facts, leaks: [leak], plants: [] });
  expect(broken.result).toBe("broken");
  expect(problems(broken)).toBe("");
  expect(problems({ ...broken, result: "held" })).toMatch(/\$\.result: expected "broken"/);
  expect(problems({ ...broken, result: "unproven" })).toMatch(/\$\.result: expected "broken"/);
});

describe("unproven, and never to be called held", () => {
  const [first, second] = workspaces;
  type Case = [why: string, more: Partial<BlindnessFacts>, doubt: RegExp];
  const cases: Case[] = [
    ["no workspaces", { workspaces: [], scanned: [] }, /0 workspaces, so nothing to be blind to/],
    ["one workspace", { workspaces: workspaces.slice(0, 1), scanned: scanned.slice(0, 1) }, /1 workspaces/],
    ["nothing scanned", { scanned: [] }, /not a single file/],
    ["no file scanned", { scanned: scanned.map((each) => ({ ...each, files: 0 })) }, /not a single file/],
    ["a workspace left out", { scanned: scanned.slice(1) }, /W-1 was not looked at/],
    [
      "a workspace that was empty",
      { scanned: scanned.map((each) => (each.owner === "W-2" ? { ...each, files: 0 } : each)) },
      /W-2 was not looked at/,
    ],
    [
      "a canary that is gone",
      { workspaces: [{ ...(first ?? unreachable()), atHome: false }, second ?? unreachable()] },
      /W-1 is no longer in its own/,
    ],
    ...MUST_BE_SCANNED.flatMap((kind): Case[] => [
      [
        `no ${kind} at all`,
        { scanned: scanned.filter((each) => each.kind !== kind) },
        RegExp(`no ${kind} was`),
      ],
      [
        `a second ${kind} without a file`,
        { scanned: [...scanned, { kind, name: "more", files: 0, bytes: 0 }] },
        RegExp(`nothing to look at in the ${kind} more`),
      ],
      [
        `a second ${kind} of one empty text`,
        { scanned: [...scanned, { kind, name: "more", files: 1, bytes: 0 }] },
        RegExp(`nothing to look at in the ${kind} more`),
      ],
    ]),
    ["something unread", { notScanned: [unread] }, /1 things were not looked at/],
    ["no plant", { plants: [] }, /no leak was planted/],
    ["no plant for a kind", { plants: facts.plants.slice(0, 1) }, /no leak was planted in a transcript/],
    [
      "a plant that was not found",
      { plants: facts.plants.map((plant) => ({ ...plant, found: false })) },
      /did not find a canary in a file/,
    ],
  ];

  test.each(cases)("%s", (_why, more, doubt) => {
    const certificate = certificateOf({ ...facts, ...more });
    expect(certificate.result).toBe("unproven");
    expect(certificate.doubts.join("\n")).toMatch(doubt);
    expect(problems(certificate)).toBe("");
    expect(problems({ ...certificate, result: "held" })).toMatch(/\$\.result: expected "unproven"/);
    expect(problems({ ...certificate, result: "held", doubts: [] })).toMatch(/\$\.doubts/);
    expect(problems({ ...certificate, result: "broken" })).toMatch(/\$\.result/);
  });
});

describe("the barrier", () => {
  test.each([
    [{ bubblewrap: 1, none: 0 }, "sandbox"],
    [{ bubblewrap: 9, none: 1 }, "repository"],
    [{ bubblewrap: 0, none: 1 }, "repository"],
    [{ bubblewrap: 0, none: 0 }, "repository"],
  ])("of %j is %s", (commands, barrier) => {
    expect(barrierOf(commands)).toBe(barrier);
    const openDoors = commands.none > 0 ? [door] : [];
    const right = { ...facts, commands, openDoors, barrier: barrierOf(commands) };
    expect(problems(certificateOf(right))).toBe("");
    const wrong = { ...certificateOf(right), barrier: barrier === "sandbox" ? "repository" : "sandbox" };
    expect(problems(wrong)).toMatch(/\$\.barrier/);
    expect(problems(certificateOf({ ...right, openDoors: commands.none > 0 ? [] : [door] }))).toMatch(
      /\$\.openDoors/,
    );
  });
});

test.each<[string, Partial<BlindnessFacts>, RegExp]>([
  ["one workspace twice", { workspaces: [...workspaces, ...workspaces.slice(0, 1)] }, /each workspace once/],
  [
    "one canary for two",
    { workspaces: workspaces.map((each) => ({ ...each, canary: "a".repeat(64) })) },
    /a canary of its own/,
  ],
  ["a leak of nobody", { leaks: [{ ...leak, of: "W-9" }] }, /\$\.leaks\[0\]\.of/],
  [
    "an owner that is nobody",
    { scanned: [...scanned, { kind: "transcript", name: "x", owner: "W-9", files: 1, bytes: 1 }] },
    /owner/,
  ],
  [
    "a canary in the clear",
    { workspaces: workspaces.map((each) => ({ ...each, canary: `cupel-canary-${"a".repeat(32)}` })) },
    /64 hexadecimal digits/,
  ],
])("%s is refused", (_what, more, message) => {
  expect(problems(certificateOf({ ...facts, ...more }))).toMatch(message);
});

test("held means all of it, for any facts", () => {
  const anyFacts = fc.record({
    workspaces: fc.subarray(workspaces),
    scanned: fc.subarray(scanned),
    leaks: fc.subarray<BlindnessFacts["leaks"][number]>([leak]),
    notScanned: fc.subarray<BlindnessFacts["notScanned"][number]>([unread]),
    plants: fc.subarray(facts.plants),
  });
  fc.assert(
    fc.property(anyFacts, (any) => {
      const certificate = certificateOf({ ...facts, ...any });
      const all = any.workspaces.length === 2 && any.leaks.length === 0 && any.notScanned.length === 0;
      const looked = ["W-1", "W-2"].every((id) => any.scanned.some(({ owner }) => owner === id));
      const live = any.scanned.every(({ kind }) => any.plants.some((plant) => plant.kind === kind));
      const whole = MUST_BE_SCANNED.every((kind) => any.scanned.some((each) => each.kind === kind));
      expect(certificate.result === "held").toBe(all && looked && live && whole);
    }),
  );
});

function unreachable(): never {
  throw new Error("unreachable");
}
