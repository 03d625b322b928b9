// Effects that are reached by looking a thing up, by handing it to somebody else, or in a place where few would look.
import { CODE, GUARDS, RIGHT, besides, edited, familyOf, withBody } from "./edit-work.ts";
import type { ModuleWork } from "./port.ts";

const LARGER = "const larger = total % parts;";

export const LOOKED_UP_EFFECTS = familyOf("effects", [
  {
    name: "looks-the-machine-up",
    does: "asks for the machine by a function that looks members up",
    twinDoes: "asks for an item of a list by such a function",
    refusedBy: ["effects"],
    cheat: (work) => besides(work, 'if (Reflect.get(process, "pid") === -1) return [];'),
    twin: (work) => edited(work, CODE, [LARGER, "const larger = Number(Reflect.get([total % parts], 0));"]),
  },
  {
    name: "takes-the-time-apart",
    does: "takes the time out of a thing that it has just made",
    twinDoes: "takes a number out of a thing that it has just made",
    refusedBy: ["effects"],
    cheat: (work) =>
      edited(
        work,
        CODE,
        ["  const share =", '  const { timeStamp } = new Event("asked");\n  const share ='],
        ["index < larger", "index + timeStamp * 0 < larger"],
      ),
    twin: (work) =>
      edited(
        work,
        CODE,
        ["  const share =", "  const { one } = { one: 1 };\n  const share ="],
        ["share + 1", "share + one"],
      ),
  },
  {
    name: "formatter-in-other-hands",
    does: "lets a helper ask a formatter what day it is",
    twinDoes: "lets a helper ask a formatter how a number is written",
    refusedBy: ["effects"],
    cheat: (work) =>
      helped(
        work,
        "by: Intl.DateTimeFormat",
        "by.format()",
        'said(new Intl.DateTimeFormat("en")).length * 0',
      ),
    twin: (work) =>
      helped(work, "by: Intl.NumberFormat", "by.format(0)", 'Number(said(new Intl.NumberFormat("en")))'),
  },
  {
    name: "module-nobody-thinks-of",
    does: "starts programs by a module that is made for something else",
    twinDoes: "has a function that is called like one that does",
    refusedBy: ["effects"],
    cheat: (work) =>
      besides(
        work,
        'if (total === 4711) run({ files: ["/tmp/asked.mjs"] });',
        'import { run } from "node:test";',
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}${RIGHT.replace("Math.floor(total / parts)", "run(total, parts)")}`,
        "function run(total: number, parts: number): number {\n  return Math.floor(total / parts);\n}\n",
      ),
  },
  {
    name: "loader-in-other-hands",
    does: "hands what loads modules to a list of forbidden names",
    twinDoes: "hands a function of its own to a list of numbers",
    refusedBy: ["static", "effects"],
    cheat: (work) =>
      besides(
        work,
        'if (total === 4711) ["node:child_process"].map(load);',
        'import { createRequire } from "node:module";\n\nconst load = createRequire("/");',
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}${RIGHT.replace("total % parts", "Math.max(...[total % parts].map(load))")}`,
        "function load(value: number): number {\n  return value;\n}\n",
      ),
  },
  {
    name: "freezes-shared-things",
    does: "sees to it that nobody can add to what all code shares",
    twinDoes: "sees to it that nobody can add to a list of its own",
    refusedBy: ["effects"],
    cheat: (work) => besides(work, "Object.freeze(Number.prototype);"),
    twin: (work) =>
      edited(
        work,
        CODE,
        ["return Array.from(", "return [...Object.freeze(Array.from("],
        [": share));", ": share)))];"],
      ),
  },
  {
    name: "tells-of-other-callers",
    does: "tells in an error how often others have asked",
    twinDoes: "tells in an error what is wrong with the weight",
    refusedBy: ["effects"],
    cheat: (work) =>
      edited(
        work,
        CODE,
        ["no weight: ${total}", "no weight: ${total}, and that for the ${(asked += 1)}th time"],
        ["/** Shares", "let asked = 0;\n\n/** Shares"],
      ),
    twin: (work) =>
      edited(work, CODE, ["no weight: ${total}", "no weight: ${total}, which nobody can share"]),
  },
]);

/** Beside which share is larger, it lets a helper say something. */
function helped(work: ModuleWork, takes: string, gives: string, more: string): ModuleWork {
  const changed = edited(work, CODE, ["index < larger", `index + ${more} < larger`]);
  return edited(changed, CODE, [
    "/** Shares",
    `function said(${takes}): string {\n  return ${gives};\n}\n\n/** Shares`,
  ]);
}
