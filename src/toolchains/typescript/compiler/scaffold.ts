// A new module from its contract: interface, documentation, errors and stubs, and a first test for each entry point that is red until a real one is written.
import type { EntryPoint, ErrorSurface, MicroModuleContract } from "../../../domain/contract/contract.ts";
import { slugify } from "../../../domain/task/slug.ts";
import type { Files } from "../../port.ts";
import { stubMessage } from "../stub-mark.ts";
import { documentation, entryDocumentation } from "./scaffold-documentation.ts";
import { scaffoldTests } from "./scaffold-tests.ts";
import {
  genericsOfClass,
  namesOfGenerics,
  partsOf,
  separated,
  type SignatureParts,
  unknownTypes,
} from "./signature-text.ts";

export function scaffold(contract: MicroModuleContract): Files {
  return {
    "src/index.ts": sourceText(contract),
    [`test/${slugify(contract.name)}.test.ts`]: scaffoldTests(contract),
  };
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u;

function sourceText(contract: MicroModuleContract): string {
  const used = contract.error_surfaces.filter(({ name }) =>
    contract.entry_points.some(({ errors }) => errors.includes(name)),
  );
  const thrown = used.filter((each) => isThrown(each, contract));
  const told = used.filter((each) => !thrown.includes(each));
  const sections = [
    `// ${contract.purpose.replaceAll(/\s+/g, " ")}`,
    ...thrown
      .filter(isOwn)
      .map(
        ({ name, when }) =>
          `${documentation([`Thrown when ${when}.`])}\nexport class ${name} extends Error {}`,
      ),
    ...placeholders(contract, thrown),
    ...(told.length === 0 ? [] : [failures(told)]),
    ...entries(contract, thrown),
  ];
  return `${sections.join("\n\n")}\n`;
}

function isThrown({ name, surface }: ErrorSurface, contract: MicroModuleContract): boolean {
  return (
    surface === "exception" &&
    IDENTIFIER.test(name) &&
    !contract.entry_points.some((each) => each.name === name)
  );
}

/** What the language has already is thrown as it is. */
function isOwn({ name }: ErrorSurface): boolean {
  return !(name in globalThis);
}

/** A contract names types; their shape is decided where they are made. */
function placeholders({ entry_points }: MicroModuleContract, thrown: readonly ErrorSurface[]): string[] {
  const defined = new Set([...thrown, ...entry_points].map(({ name }) => name));
  const used = new Set(
    entry_points.flatMap(({ name, signature }) => {
      const own = namesOfGenerics(genericsOfClass(name.split(".")[0] ?? name, entry_points));
      return unknownTypes(signature).filter((each) => !own.includes(each));
    }),
  );
  return [...used]
    .filter((name) => !defined.has(name))
    .toSorted()
    .map(
      (name) =>
        `${documentation(["Used by the contract, which leaves its shape open."])}\nexport type ${name} = unknown;`,
    );
}

function failures(told: readonly ErrorSurface[]): string {
  const lines = told.map(({ name, when }) => `${name}: when ${when}.`);
  const names = [...new Set(told.map(({ name }) => JSON.stringify(name)))];
  return `${documentation(["Failures that are told by a code or a variant:", ...lines])}\nexport type Failure = ${names.join(" | ")};`;
}

function entries(contract: MicroModuleContract, thrown: readonly ErrorSurface[]): string[] {
  const classes = new Map<string, EntryPoint[]>();
  const others: EntryPoint[] = [];
  for (const entry of contract.entry_points) {
    const [owner, member] = entry.name.split(".");
    const isClass = member !== undefined || partsOf(entry.signature)?.isNew === true;
    if (isClass && owner !== undefined) classes.set(owner, [...(classes.get(owner) ?? []), entry]);
    else others.push(entry);
  }
  const text = (entry: EntryPoint) =>
    `${entryDocumentation(contract, entry)}\n${functionText(entry, thrown)}`;
  return [
    ...others.map(text),
    ...[...classes].map(([name, members]) => {
      const bodies = members.map((each) =>
        indented(`${entryDocumentation(contract, each)}\n${memberText(each, thrown)}`),
      );
      const read = members.flatMap((each) => propertiesOf(partsOf(each.signature)));
      const declared = read.map((property) => indented(`declare ${property};`));
      const generics = genericsOfClass(name, members);
      return `export class ${name}${generics} {\n${[...declared, ...bodies].join("\n\n")}\n}`;
    }),
  ];
}

function functionText(entry: EntryPoint, thrown: readonly ErrorSurface[]): string {
  const { name, signature } = entry;
  const parts = partsOf(signature);
  const isDefault = name === "default";
  if (parts === undefined) {
    const value = `() => ${body(entry, thrown)}`;
    return isDefault
      ? `const main: ${signature} = ${value};\nexport default main;`
      : `export const ${name}: ${signature} = ${value};`;
  }
  const async = /^Promise\s*</.test(parts.result) ? "async " : "";
  const start = isDefault ? `export default ${async}function` : `export ${async}function ${name}`;
  return `${start}${parts.generics}${parts.parameters}: ${parts.result} ${body(entry, thrown)}`;
}

/** What can be read of the instances of a class: the last part of `new () => Name & { readonly size: number }`. */
function propertiesOf(parts: SignatureParts | undefined): string[] {
  const literal = parts?.isNew === true ? /&\s*(\{.*\})$/s.exec(parts.result)?.[1] : undefined;
  if (literal === undefined) return [];
  return separated(literal.slice(1, -1), /[;,]/).filter((each) =>
    /^(?:readonly\s+)?[\w$]+\??\s*:/.test(each),
  );
}

function memberText(entry: EntryPoint, thrown: readonly ErrorSurface[]): string {
  const parts = partsOf(entry.signature);
  const member = entry.name.split(".")[1];
  if (member === undefined) return `constructor${parts?.parameters ?? "()"} ${body(entry, thrown)}`;
  if (parts === undefined) return `declare readonly ${member}: ${entry.signature};`;
  return `${member}${parts.generics}${parts.parameters}: ${parts.result} ${body(entry, thrown)}`;
}

function body(entry: EntryPoint, thrown: readonly ErrorSurface[]): string {
  const errors = entry.errors.filter((name) => thrown.some((each) => each.name === name));
  const will = errors.length === 0 ? [] : [`  // throws: ${errors.toSorted().join(", ")}`];
  return ["{", ...will, `  throw new Error(${JSON.stringify(stubMessage(entry.name))});`, "}"].join("\n");
}

function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
