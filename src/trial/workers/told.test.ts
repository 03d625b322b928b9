// What a worker reads in its prompt.
import { expect, test } from "vitest";
import { fenced } from "../../agents/prompting/untrusted.ts";
import { complaintsIn, sortComplaints, toldIn, wrongTestFinding } from "./told.ts";

test("reads what is fenced by its name, as JSON or as text", () => {
  const prompt = `Look.\n${fenced("findings", ["one", "two"])}\n${fenced("task file", "a </untrusted> b")}\n`;
  expect(toldIn(prompt, "findings")).toEqual(["one", "two"]);
  expect(toldIn(prompt, "task file")).toBe("a </untrusted> b");
  expect(toldIn(prompt, "failures")).toBeUndefined();
});

test("gathers complaints of whatever kind in words", () => {
  const prompt = [
    fenced("findings", ["coverage: too little"]),
    fenced("failures", [{ invariant: "R1", evidence: "it does nothing", required_change: "do it" }]),
    fenced("structured failures", [{ propertyName: "adds", message: "no" }]),
  ].join("\n");
  expect(complaintsIn(prompt)).toEqual([
    "coverage: too little",
    "it does nothing",
    '{"propertyName":"adds","message":"no"}',
  ]);
  expect(complaintsIn("Build it.")).toEqual([]);
});

test("tells whose business a complaint is", () => {
  const none = { wrong: [], weak: false, code: false };
  expect(sortComplaints([])).toEqual(none);
  expect(sortComplaints(["mutation: one survives"])).toEqual({ ...none, weak: true });
  expect(sortComplaints(["surface: another name"])).toEqual({ ...none, code: true });
  expect(sortComplaints([wrongTestFinding('says "no"')])).toEqual({ ...none, wrong: ['says "no"'] });
});
