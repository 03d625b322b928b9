// What a contract says about an entry point, as a comment that stands over it.
import type { EntryPoint, MicroModuleContract } from "../../../domain/contract/contract.ts";

export function entryDocumentation(contract: MicroModuleContract, entry: EntryPoint): string {
  const { inputs, outputs, error_surfaces, effects } = contract;
  const lines = [
    contract.purpose,
    ...inputs
      .filter(({ name }) => entry.inputs.includes(name))
      .map(({ name, constraints }) => `@param ${name} ${constraints.join("; ")}`.trimEnd()),
    ...outputs
      .filter(({ name }) => entry.outputs.includes(name))
      .map(
        ({ name, invariants }) =>
          `@returns ${name}${invariants.length === 0 ? "" : `: ${invariants.join("; ")}`}`,
      ),
    ...error_surfaces
      .filter(({ name }) => entry.errors.includes(name))
      .map(({ name, when, surface }) =>
        surface === "exception"
          ? `@throws {${name}} when ${when}`
          : `Tells ${name} by a ${surface} when ${when}.`,
      ),
    ...effects
      .filter(({ type, target }) => entry.effects.includes(`${type} ${target}`))
      .map(({ type, target, description }) => `Effect: ${type} ${target}: ${description}`),
  ];
  return documentation(lines);
}

/** One comment; no line of a contract can end it. */
export function documentation(lines: readonly string[]): string {
  const safe = lines.map((line) => line.replaceAll(/\s+/g, " ").replaceAll("*/", "*\\/"));
  if (safe.length === 1) return `/** ${safe[0] ?? ""} */`;
  return ["/**", ...safe.map((line) => ` * ${line}`.trimEnd()), " */"].join("\n");
}
