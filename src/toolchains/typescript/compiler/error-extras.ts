// Finds entry points that hang on the class of a declared error, which callers may have without a word of it in the contract.
import { SignatureKind, SymbolFlags, type Type } from "typescript/unstable/sync";
import type { EntryPoint } from "../../../domain/contract/contract.ts";
import type { Surface, SurfaceDifference } from "../../port.ts";
import { exportedDeclarations, isHidden } from "./declarations.ts";
import type { Program } from "./program.ts";
import { exportsOf, resolved } from "./surface.ts";
import { TypeSpeller } from "./type-spelling.ts";

/** The class of an error may have ways to make and to know one; whatever else hangs on it is an entry point of its own. */
export function errorExtras(
  program: Program,
  surface: Surface,
  entryPoints: readonly EntryPoint[],
): SurfaceDifference[] {
  const errors = new Set(entryPoints.flatMap((each) => each.errors));
  return surface.entries
    .filter(({ name }) => errors.has(name) && !entryPoints.some((each) => each.name.split(".")[0] === name))
    .flatMap(({ name, kind, signature, file, line }): SurfaceDifference[] => {
      const extra = (entry: string, found: string): SurfaceDifference => {
        return { entry, what: "extra", expected: "nothing but an error", found, file, line };
      };
      if (kind === "function") return [extra(name, signature)];
      return waysIn(program, name).map(([member, found]) => extra(`${name}.${member}`, found));
    });
}

function waysIn(program: Program, name: string): [name: string, signature: string][] {
  const { checker } = program;
  const symbol = exportsOf(program).find((each) => each.name === name);
  const target = symbol === undefined ? undefined : resolved(program, symbol);
  const constructor = target === undefined ? undefined : checker.getTypeOfSymbol(target);
  if (target === undefined || constructor === undefined || (target.flags & SymbolFlags.Class) === 0)
    return [];
  const made = checker.getDeclaredTypeOfSymbol(target);
  return checker.getPropertiesOfType(constructor).flatMap((member): [string, string][] => {
    const isOwn = member.declarations.some((each) => {
      const node = each.resolve();
      return node !== undefined && program.isSource(node.getSourceFile()) && !isHidden(node);
    });
    const type = isOwn ? checker.getTypeOfSymbol(member) : undefined;
    if (type === undefined || (member.flags & SymbolFlags.Prototype) !== 0) return [];
    const gives = checker
      .getSignaturesOfType(type, SignatureKind.Call)
      .map((each) => checker.getReturnTypeOfSignature(each) ?? checker.getAnyType());
    const isAboutIt = (given: Type) =>
      checker.isTypeAssignableTo(given, made) || checker.isTypeAssignableTo(given, checker.getBooleanType());
    return gives.every(isAboutIt)
      ? []
      : [[member.name, new TypeSpeller(program, exportedDeclarations(program), true).type(type)]];
  });
}
