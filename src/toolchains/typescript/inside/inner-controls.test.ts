import { expect, test } from "vitest";
import { distrust, drawControls } from "./inner-controls.ts";

const positions = (todo: number, goesOn: boolean) =>
  drawControls(todo, 200, goesOn).draws.flatMap((draw, position) => (draw === -1 ? [] : [position]));

test("one control comes early, and one for every few dozen mutants", () => {
  for (let turn = 0; turn < 50; turn++) {
    const found = positions(200, false);
    expect(found).toHaveLength(6);
    expect(found[0]).toBeGreaterThan(0);
    expect(found[0]).toBeLessThan(7);
    expect(found.at(-1)).toBeLessThan(201);
  }
});

test("a process that goes on behind a broken one has a control at once", () => {
  for (let turn = 0; turn < 50; turn++) expect(positions(200, true)[0]).toBeLessThan(2);
});

test("even one mutant has a control, and nobody can foresee where many are", () => {
  expect(positions(1, false)).toEqual([1]);
  expect(new Set(Array.from({ length: 50 }, () => positions(200, false).join())).size).toBeGreaterThan(10);
});

test("what is switched on in a control is no mutant", () => {
  for (let turn = 0; turn < 50; turn++) expect(drawControls(5, 7, false).decoy).toBeGreaterThanOrEqual(7);
});

test("whatever a control notices speaks against the tests", () => {
  expect(distrust({ status: "survived" }, true)).toBeUndefined();
  expect(distrust({ status: "noCoverage" }, false)).toBeUndefined();
  expect(distrust({ status: "noCoverage" }, true)).toContain("did not run");
  expect(distrust({ status: "killed", killedBy: ["adds"] }, true)).toContain("adds failed in a control");
  expect(distrust({ status: "timeout", baselineMs: 1, limitMs: 500 }, true)).toContain("500 ms");
  expect(distrust({ status: "invalid", why: "a stray error" }, true)).toContain("a stray error");
});
