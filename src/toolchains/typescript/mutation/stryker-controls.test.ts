import { expect, test } from "vitest";
import { addControls, takeControls } from "./stryker-controls.ts";
import type { StrykerMutant } from "./stryker-report.ts";

const mutant = (line: number, status: StrykerMutant["status"] = "survived"): StrykerMutant => ({
  file: "src/a.ts",
  place: { start: { line, column: 0 }, end: { line, column: 4 } },
  operator: "BooleanLiteral",
  replacement: "false",
  status,
  killedBy: status === "killed" ? ["the test"] : [],
});

const added = (text: string) => {
  const sources = { "src/a.ts": text };
  const controls = addControls(sources, [{ file: "src/a.ts" }]);
  if (controls === undefined) throw new Error("no controls");
  const { before, behind, end } = controls;
  const lines = [...Array(before).keys(), ...Array.from({ length: behind }, (_, index) => end + index)];
  return { sources, controls, lines };
};

test.each(["one();\ntwo();", "#!/usr/bin/env node\none();"])("controls stand around the code: %j", (text) => {
  const { sources, controls, lines } = added(text);
  const whole = sources["src/a.ts"].split("\n");
  expect(lines.length).toBeGreaterThan(0);
  expect(lines.map((line) => whole[line])).toEqual(lines.map(() => "void true;"));
  expect(whole.slice(controls.before, controls.end).join("\n")).toBe(text);
});

test("answers get the places of the file as it is", () => {
  const { controls, lines } = added("one();\ntwo();");
  const judged = [...lines.map((line) => mutant(line)), mutant(controls.before + 1, "killed")];
  expect(takeControls(judged, controls)).toEqual({ kind: "ran", mutants: [mutant(1, "killed")] });
});

test.each(["killed", "timeout", "noCoverage", "invalid"] as const)(
  "a control that is %s spoils all",
  (status) => {
    const { controls, lines } = added("one();");
    const taken = takeControls(
      lines.map((line) => mutant(line, status)),
      controls,
    );
    expect(taken).toMatchObject({ kind: "impossible", why: expect.stringContaining("control") });
  },
);

test("a control that nobody judged spoils all", () => {
  const { controls } = added("one();");
  expect(takeControls([mutant(controls.before)], controls).kind).toBe("impossible");
});
