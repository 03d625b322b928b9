// What the plan names of a module and its contract leaves out. A contract may say more than the sketch that it was made of, and
// put it into other words; what is gone from it is promised by nobody, and no gate asks for it.
import { ioNameOf } from "../plan/io-types.ts";
import type { IoContractSketchLists } from "../plan/micro-plan.ts";
import type { MicroModuleContract } from "./contract.ts";
import { widerThanPlanned } from "./result-types.ts";

interface Dimensions extends Pick<MicroModuleContract, "outputs" | "error_surfaces" | "entry_points"> {
  inputs: readonly Pick<MicroModuleContract["inputs"][number], "name" | "type">[];
}
type Sketch = Pick<IoContractSketchLists, "inputs" | "outputs" | "error_surfaces">;

/** In words that whoever drafts can act on. What the sketch does not name cannot be held against anybody. */
export function leftOutOfPlan(contract: Dimensions, sketch: Sketch): string[] {
  return [
    ...valuesLeftOut("inputs", contract, sketch),
    ...valuesLeftOut("outputs", contract, sketch),
    ...widerThanPlanned(contract, sketch.outputs),
    ...errorsLeftOut(contract, sketch),
  ];
}

/** Something may have another name, or be a part of something else; but then there is something in its place. */
function valuesLeftOut(dimension: "inputs" | "outputs", contract: Dimensions, sketch: Sketch): string[] {
  const planned = [...new Set(sketch[dimension].flatMap(valuesIn))];
  const drafted = contract[dimension];
  const shapes = [
    ...drafted.map(({ type }) => type),
    ...contract.entry_points.map(({ signature }) => signature),
  ];
  // Of `request.title` there is at least the request.
  const isThere = (name: string) =>
    [name, ...name.split(".").slice(0, 1)].some(
      (each) => drafted.some((value) => value.name === each) || shapes.some((shape) => names(shape, each)),
    );
  const lost = planned.filter((name) => !isThere(name));
  const renamed = drafted.filter(({ name }) => !planned.includes(name)).length;
  return lost.length <= renamed
    ? []
    : lost.map(
        (name) => `${dimension}: the plan has ${name}, and the contract has nothing in its place; add it`,
      );
}

/** Errors are caught by their names. */
function errorsLeftOut({ error_surfaces: drafted }: Dimensions, sketch: Sketch): string[] {
  return sketch.error_surfaces
    .flatMap(errorsIn)
    .filter((error) => !drafted.some(({ name, when }) => names(`${name} ${when}`, error)))
    .map((error) => `error_surfaces: the plan declares ${error}, and the contract does not; add it`);
}

/** Of a line such as `text: string`, and of one that tells several apart by commas or semicolons. */
function valuesIn(line: string): string[] {
  return clausesOf(line).flatMap((clause, index) => {
    if (index > 0 && !TYPED.test(clause)) return [];
    const named = ioNameOf(clause);
    return named === undefined ? [] : [named.name];
  });
}

/** Behind a comma there is also `default: 10` and its like, which is no value of its own. */
const TYPED =
  /^[^:]+:\s*(?:(?:an?|the|readonly|optional)\s+)?(?:string|number|boolean|bigint|text|list|array|date|map|set|record|object|function|promise|unknown)s?\b/i;

/** What is spelled like a class and stands where one would: at the end, or before the condition of an error. */
const ERROR =
  /^(?:throws\s+)?(\p{Lu}\p{Ll}[\p{L}\p{N}]*(?:\p{Lu}|Error)[\p{L}\p{N}]*)(?=$|\s*[:(]|\s+(?:when|if|where|unless|for)\b)/u;

function errorsIn(line: string): string[] {
  return clausesOf(line).flatMap((clause) => ERROR.exec(clause)?.[1] ?? []);
}

/** Brackets hold together what stands in them. */
function clausesOf(line: string): string[] {
  const clauses = [""];
  let depth = 0;
  for (const character of line) {
    if ("([{<".includes(character)) depth += 1;
    if (")]}>".includes(character)) depth = Math.max(0, depth - 1);
    if (depth === 0 && ",;\n".includes(character)) clauses.push("");
    else clauses.push(`${clauses.pop() ?? ""}${character}`);
  }
  return clauses.map((clause) => clause.trim());
}

/** As a word of its own. */
function names(text: string, name: string): boolean {
  return text.split(/[^\p{L}\p{N}_$]+/u).includes(name);
}
