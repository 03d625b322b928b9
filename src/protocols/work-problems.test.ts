import { expect, test } from "vitest";
import { workProblems } from "./work-problems.ts";

const NOTHING = { kind: "nothing" } as const;

test("whoever changes nothing is told again what was wrong, and once that nothing came", () => {
  const once = workProblems(NOTHING, { todo: "write the code", standing: ["green: it fails"] });
  expect(once).toEqual(["green: it fails", "no file of the module was changed; write the code"]);
  expect(workProblems(NOTHING, { todo: "write the code", standing: once })).toEqual(once);
});

test("work that cannot be taken leaves what was wrong as it was, but something has come", () => {
  const standing = ["green: it fails", ...workProblems(NOTHING)];
  const refused = { kind: "refused", problems: ["src/x is a link"] } as const;
  expect(workProblems({ ...refused, problems: [...refused.problems] }, { standing })).toEqual([
    "green: it fails",
    "src/x is a link",
  ]);
});
