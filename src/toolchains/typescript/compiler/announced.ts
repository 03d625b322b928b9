// What a module is announced to offer before it exists, as types that its code must fit, and stubs that already do.
import ts from "typescript6";
import { squeeze } from "../../../domain/contract/fingerprint.ts";
import type { AnnouncedExport } from "../../../domain/fractal/node-spec.ts";
import type { Announced } from "../../port.ts";
import { stubMessage } from "../stub-mark.ts";
import { bracketed, partsOf, unknownTypes } from "./signature-text.ts";

/** The same exports, in whatever order and spacing, give the same bytes. */
export function announced(name: string, given: readonly AnnouncedExport[]): Announced {
  const exports = given
    .map((each) => ({ name: each.name, signature: squeeze(each.signature) }))
    .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  const problems = exports.flatMap((each, index) => problemsOf(each, exports.slice(0, index)));
  if (problems.length > 0) return { kind: "refused", problems };
  return {
    kind: "announced",
    files: { "src/interface.ts": interfaceText(name, exports), "src/index.ts": stubText(name, exports) },
  };
}

function problemsOf({ name, signature }: AnnouncedExport, before: readonly AnnouncedExport[]): string[] {
  if (before.some((each) => each.name === name)) return [`${name} is announced twice: name each export once`];
  if (RESERVED.has(name)) return [`${name} is the interface's own name: call the export something else`];
  const text = typeText({ name, signature }) ?? `export type ${name} = ${signature};`;
  return isOneType(text)
    ? []
    : [`the signature of ${name} is no type of the language: ${signature.slice(0, LONGEST)}`];
}

const LONGEST = 200;
const OFFER = "Announced";
const RESERVED = new Set([OFFER, "Held", "Holds", "own", "default"]);

/** Whatever else a signature could smuggle in would be a second statement, or would not parse. */
function isOneType(text: string): boolean {
  const tree = ts.createSourceFile("a.ts", text, ts.ScriptTarget.ESNext);
  const [only, ...more] = tree.statements;
  const { diagnostics = [] } = ts.transpileModule(text, { reportDiagnostics: true });
  return (
    only !== undefined && ts.isTypeAliasDeclaration(only) && more.length === 0 && diagnostics.length === 0
  );
}

/** `type { at: number }` or `type<T> T[]` announces a type; everything else is the type of a value. */
function typeText({ name, signature }: AnnouncedExport): string | undefined {
  const rest = /^type(?=[\s<{])\s*(.*)$/s.exec(signature)?.[1];
  if (rest === undefined) return undefined;
  const generics = rest.startsWith("<") ? (bracketed(rest) ?? "") : "";
  return `export type ${name}${generics} = ${rest.slice(generics.length).trim()};`;
}

function interfaceText(name: string, exports: readonly AnnouncedExport[]): string {
  const values = exports.filter((each) => typeText(each) === undefined);
  const types = exports.flatMap((each) => typeText(each) ?? []);
  const sections = [
    `// What ${name} offers, as its parent announced it.\n// It belongs to the parent: whoever makes the module changes nothing here.`,
    'import type * as own from "./index.ts";',
    ...leftOpen(exports).map(
      (each) =>
        `/** Named by the announcement, which leaves its shape open. */\nexport type ${each} = unknown;`,
    ),
    ...types,
    [
      `/** What src/index.ts exports. */`,
      `export interface ${OFFER} {`,
      ...values.map((each) => `  readonly ${each.name}: ${each.signature};`),
      "}",
    ].join("\n"),
    `type Holds<Own extends ${OFFER}> = Own;\n/** Does not compile where src/index.ts offers less, or something else. */\nexport type Held = Holds<typeof own>;`,
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Types that somebody names and nobody announces. */
function leftOpen(exports: readonly AnnouncedExport[]): string[] {
  const known = new Set(exports.map(({ name }) => name));
  const named = exports.flatMap(({ signature }) => unknownTypes(signature.replace(/^type\b/, "")));
  return [...new Set(named)].filter((name) => !known.has(name)).toSorted();
}

function stubText(name: string, exports: readonly AnnouncedExport[]): string {
  const types = [
    ...leftOpen(exports),
    ...exports.filter((each) => typeText(each) !== undefined).map((each) => each.name),
  ];
  const values = exports.filter((each) => typeText(each) === undefined);
  const sections = [
    `// ${name}: announced, not made yet.`,
    ...(values.length === 0 ? [] : [`import type { ${OFFER} } from "./interface.ts";`]),
    ...(types.length === 0 ? [] : [`export type { ${types.toSorted().join(", ")} } from "./interface.ts";`]),
    ...values.map((each) => `export const ${each.name}: ${OFFER}["${each.name}"] = ${stubValue(each)};`),
  ];
  return `${sections.join("\n\n")}\n`;
}

function stubValue({ name, signature }: AnnouncedExport): string {
  const isFunction = partsOf(signature)?.isNew === false || /^\(\(.*\)$/s.test(signature);
  if (!isFunction) return "undefined as never";
  return `() => {\n  throw new Error(${JSON.stringify(stubMessage(name))});\n}`;
}
