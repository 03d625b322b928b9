// Turns the stubs of a module into liars: entry points give wrong results of the right type, and spoil what they are handed.
// A test that still passes says nothing about them.
import ts from "typescript6";
import type { EntryPoint } from "../../../domain/contract/contract.ts";
import type { Edits, Files } from "../../port.ts";
import { resultShape } from "../input-shapes.ts";
import { everyNode } from "../static/syntax.ts";
import { stubMessage } from "../stub-mark.ts";
import { lieOf, type Way, WAYS } from "./lie-values.ts";

/** One for each way to lie; none where no entry point can. What does not lie stays a stub that throws. */
export function lies(stubs: Edits, sources: Files, entryPoints: readonly EntryPoint[]): Edits[] {
  return WAYS.flatMap((way) => {
    const told = new Map(entryPoints.flatMap((entry) => liar(entry, sources, way)));
    const edits = Object.entries(stubs).map(
      ([path, text]) => [path, text === null ? null : lying(path, text, told, way)] as const,
    );
    return edits.some(([path, text]) => text !== stubs[path]) ? [Object.fromEntries(edits)] : [];
  });
}

function liar(entry: EntryPoint, sources: Files, way: Way): [name: string, value: string][] {
  const result = resultShape(entry, sources);
  const value = result && lieOf(result.shape, way);
  if (value === undefined) return [];
  return [[entry.name, result?.isPromise === true ? `Promise.resolve(${value})` : `(${value})`]];
}

function lying(path: string, text: string, told: ReadonlyMap<string, string>, way: Way): string {
  const owners = new Set(
    [...told.keys()].flatMap((name) => (name.includes(".") ? [name.split(".")[0]] : [])),
  );
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
  const changes: { from: number; to: number; text: string }[] = [];
  for (const node of everyNode(tree)) {
    if (!ts.isThrowStatement(node)) continue;
    const name = [...told.keys()].find((each) => isStubOf(node, each));
    const place = { from: node.getStart(tree), to: node.end };
    if (name !== undefined)
      changes.push({
        ...place,
        text: `return cupelLie${way}([${givenTo(node).join(", ")}], () => ${told.get(name)});`,
      });
    // So that there is somebody whose members can lie.
    const isMaker = [...owners].some((owner) => isStubOf(node, `${owner}.constructor`));
    if (isMaker && !node.parent.getText(tree).includes("super(")) changes.push({ ...place, text: "" });
  }
  if (changes.length === 0) return text;
  const changed = changes
    .toSorted((one, other) => other.from - one.from)
    .reduce((all, each) => all.slice(0, each.from) + each.text + all.slice(each.to), text);
  return `${changed}\n${HELPERS}`;
}

function isStubOf(node: ts.ThrowStatement, name: string): boolean {
  return node.expression.getText() === `new Error(${JSON.stringify(stubMessage(name))})`;
}

/** The parameters of the function around it that have a name; of the rest each is one. */
function givenTo(node: ts.Node): string[] {
  const around = ts.findAncestor(node, ts.isFunctionLike);
  return (around?.parameters ?? []).flatMap(({ name, dotDotDotToken }) =>
    ts.isIdentifier(name) && name.text !== "this"
      ? [`${dotDotDotToken === undefined ? "" : "..."}${name.text}`]
      : [],
  );
}

/**
 * The last way gives back what was handed over, where it looks like a result, and has changed it before. Only whoever got
 * through the others meets it: properties that fail would look for smaller inputs among those that are changed.
 */
const HELPERS = `var cupelLies = 0, cupelSame, cupelSpoiled = 0;
function cupelLie0(given, lie) {
  return lie();
}
function cupelLie1(given, lie) {
  return lie();
}
function cupelLie2(given, lie) {
  const value = lie();
  const isLike = (each) => typeof each === typeof value && typeof each !== "boolean" && Array.isArray(each) === Array.isArray(value);
  if ((cupelSpoiled += 1) <= 100) for (const each of given) cupelSpoil(each);
  return given.find(isLike) ?? value;
}
function cupelSpoil(each, depth = 0) {
  if (typeof each === "object" && each !== null && depth < 3)
    for (const part of each instanceof Map || each instanceof Set ? [...each.values()] : ArrayBuffer.isView(each) ? [] : Object.values(each))
      if (typeof part === "object") cupelSpoil(part, depth + 1);
  try {
    if (Array.isArray(each)) each.unshift("cupel lies");
    else if (typeof each === "function") each("cupel lies");
    else if (each instanceof Set) each.add("cupel lies");
    else if (each instanceof Map) each.set("cupel lies", true);
    else if (each instanceof Date) each.setTime(7919);
    else if (ArrayBuffer.isView(each)) each.fill(79);
    else if (typeof each === "object" && each !== null) each.cupelLies = true;
  } catch {}
}
`;
