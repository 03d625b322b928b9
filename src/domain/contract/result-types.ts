// Whether what comes back may be something else than was said of it, in another place of the contract or in the plan. Types that
// others have named may well be what is meant; what stands in the language itself says what it says.
import { ioNameOf, ioTypesOf } from "../plan/io-types.ts";
import type { MicroModuleContract } from "./contract.ts";

type Results = Pick<MicroModuleContract, "outputs" | "entry_points" | "error_surfaces">;

/** Against lines such as `slug: string`. */
export function widerThanPlanned(
  { outputs }: Pick<Results, "outputs">,
  planned: readonly string[],
): string[] {
  return planned.flatMap((line) => {
    const [type = ""] = ioTypesOf(line);
    const drafted = outputs.find(({ name }) => name === ioNameOf(line)?.name);
    if (drafted === undefined || !PLAIN.test(type)) return [];
    const other = membersOf(drafted.type).find(
      (each) => each !== type && (isAnything(each) || PLAIN.test(each)),
    );
    return other === undefined
      ? []
      : [`outputs: the plan says that ${drafted.name} is ${type}, and by the contract it may be ${other}`];
  });
}

/** Callers read the signature, and promises are about the outputs: both speak of the same thing. */
export function widerThanOutputs({ outputs, entry_points, error_surfaces }: Results): string[] {
  return entry_points.flatMap((entry) => {
    const own = outputs.filter(({ name }) => entry.outputs.includes(name));
    const [, result] = /^\(.*\)\s*=>\s*(.+)$/s.exec(entry.signature.trim()) ?? [];
    // An error may be something that comes back.
    const isCode = error_surfaces.some(
      ({ name, surface }) => surface !== "exception" && entry.errors.includes(name),
    );
    if (result === undefined || own.length === 0 || isCode) return [];
    const known = own.flatMap(({ type }) => membersOf(type));
    const arePlain = known.every((each) => PLAIN.test(each));
    const other = membersOf(result).find(
      (each) => !known.includes(each) && (isAnything(each) || (arePlain && PLAIN.test(each))),
    );
    return other === undefined
      ? []
      : [`${entry.name}: by its signature ${other} may come back, and its outputs are ${known.join(", ")}`];
  });
}

const PLAIN = /^(?:string|number|boolean|bigint)(?:\[\])*$/;

function isAnything(type: string): boolean {
  return /^(?:(?:unknown|any|object)(?:\[\])*|\{\})$/.test(type);
}

/** Of a union, and of what a promise brings, in one spelling. */
function membersOf(type: string): string[] {
  const [whole = "", ...members] = ioTypesOf(type);
  const awaited = /^promise<(.*)>$/s.exec(whole)?.[1];
  if (awaited !== undefined) return membersOf(awaited);
  const others = members.filter((each) => each !== whole);
  return others.length === 0 ? [whole] : [...new Set(others.flatMap(membersOf))];
}
