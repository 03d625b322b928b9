// Effects by ways that have no name of an effect.
import { CODE, besides, edited, familyOf } from "./edit-work.ts";

export const HIDDEN_EFFECTS = familyOf("effects", [
  {
    name: "tells-the-time-in-words",
    does: "lets a formatter say what day it is",
    twinDoes: "lets a formatter say a number",
    refusedBy: ["effects"],
    cheat: (work) =>
      edited(work, CODE, [
        "index < larger",
        "index + new Intl.DateTimeFormat().format().length * 0 < larger",
      ]),
    twin: (work) =>
      edited(work, CODE, ["(_, index) =>", '(_, index) => Number(new Intl.NumberFormat("en").format(0)) +']),
  },
  {
    name: "changes-hidden-things",
    does: "changes what all lists are gone through by, which has no name of its own",
    twinDoes: "goes through its list by an iterator",
    refusedBy: ["effects", "contract-coverage"],
    cheat: (work) => besides(work, 'Reflect.set(Object.getPrototypeOf([].values()), "asked", total);'),
    twin: (work) =>
      edited(
        work,
        CODE,
        ["return Array.from(", "return [...Array.from("],
        [": share));", ": share)).values()];"],
      ),
  },
]);
