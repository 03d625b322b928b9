// What callers of a module can reach, in one canonical spelling, and the hash over it.
import {
  type ClassLikeDeclaration,
  isClassDeclaration,
  isClassExpression,
  isEnumDeclaration,
  type Node,
  SyntaxKind,
} from "typescript/unstable/ast";
import { SignatureKind, type Symbol as TypeSymbol, SymbolFlags, type Type } from "typescript/unstable/sync";
import { canonicalHash } from "../../../domain/canonical.ts";
import { CupelError } from "../../../domain/error.ts";
import type { Surface, SurfaceEntry } from "../../port.ts";
import { exportedDeclarations, hasModifier, isHidden } from "./declarations.ts";
import type { ModuleView } from "./module-view.ts";
import { once } from "./once.ts";
import { type Program, withProgram } from "./program.ts";
import { lineOf } from "./syntax.ts";
import { throwsOf } from "./throws.ts";
import { TypeSpeller } from "./type-spelling.ts";

export function surface(view: ModuleView): Surface {
  return withProgram(view, surfaceOf);
}

export const surfaceOf = once(extract);

function extract(program: Program): Surface {
  const exported = exportedDeclarations(program);
  const throws = throwsOf(program);
  const entries = exportsOf(program).map((symbol) => {
    const target = resolved(program, symbol);
    const spell = (names: boolean) => describe(program, target, new TypeSpeller(program, exported, names));
    const { kind, signature, async } = spell(true);
    const node = target.declarations[0]?.resolve();
    const file = node?.getSourceFile();
    const entry: SurfaceEntry = {
      name: symbol.name,
      kind,
      signature,
      async,
      throws: throws.ofSymbol(target),
      file: file === undefined ? program.layout.entry : (program.pathOf(file) ?? program.layout.entry),
      line: node === undefined ? 1 : lineOf(node),
    };
    return { entry, canonical: spell(false).signature };
  });
  const sorted = entries.toSorted((one, other) => (one.entry.name < other.entry.name ? -1 : 1));
  return {
    entries: sorted.map(({ entry }) => entry),
    fingerprint: canonicalHash(
      sorted.map(({ entry: { name, kind, async, throws }, canonical }) => ({
        name,
        kind,
        signature: canonical,
        async,
        throws,
      })),
    ),
  };
}

export function exportsOf(program: Program): readonly TypeSymbol[] {
  const entry = program.file(program.layout.entry);
  if (entry === undefined)
    throw new CupelError("not_found", `the entry ${program.layout.entry} is not there or is no code`);
  const symbol = program.checker.getSymbolAtLocation(entry);
  return symbol === undefined ? [] : program.checker.getExportsOfModule(symbol);
}

export function resolved(program: Program, symbol: TypeSymbol): TypeSymbol {
  return (symbol.flags & SymbolFlags.Alias) === 0 ? symbol : program.checker.getAliasedSymbol(symbol);
}

type Description = Pick<SurfaceEntry, "kind" | "signature" | "async">;

function describe(program: Program, symbol: TypeSymbol, spell: TypeSpeller): Description {
  const { checker } = program;
  const { flags } = symbol;
  if ((flags & SymbolFlags.Class) !== 0)
    return { kind: "class", signature: classSignature(program, symbol, spell), async: false };
  if ((flags & SymbolFlags.Enum) !== 0)
    return { kind: "constant", signature: enumSignature(program, symbol), async: false };
  if ((flags & SymbolFlags.Value) === 0)
    return { kind: "type", signature: typeSignature(program, symbol, spell), async: false };
  const type = checker.getTypeOfSymbol(symbol) ?? checker.getAnyType();
  const calls = checker.getSignaturesOfType(type, SignatureKind.Call);
  const signature = calls.length > 0 ? callable(program, type, spell) : spell.type(type);
  return {
    kind: calls.length > 0 ? "function" : "constant",
    signature,
    async: calls.some((each) => isAsync(checker.getReturnTypeOfSignature(each))),
  };
}

function callable(program: Program, type: Type, spell: TypeSpeller): string {
  const calls = program.checker
    .getSignaturesOfType(type, SignatureKind.Call)
    .map((each) => spell.signature(each));
  const members = spell.members(type);
  const parts = calls.length + (members.length > 0 ? 1 : 0) === 1 ? calls : calls.map((each) => `(${each})`);
  return [...parts, ...(members.length > 0 ? [`{ ${members.join("; ")} }`] : [])].join(" & ");
}

/** Callers of any signature must wait for the answer. */
export function isAsync(type: Type | undefined): boolean {
  if (type === undefined) return false;
  if (type.isUnionType()) return type.getTypes().some((each) => isAsync(each));
  return ASYNC.has(type.getSymbol()?.name ?? "");
}

const ASYNC = new Set(["Promise", "PromiseLike", "AsyncGenerator", "AsyncIterable", "AsyncIterableIterator"]);

function classSignature(program: Program, symbol: TypeSymbol, spell: TypeSpeller): string {
  const { checker } = program;
  const instance = checker.getDeclaredTypeOfSymbol(symbol);
  const constructor = checker.getTypeOfSymbol(symbol) ?? checker.getAnyType();
  const generic = instance.isClassOrInterface() ? spell.parameters(instance.getLocalTypeParameters()) : "";
  const [base] = instance.getBaseTypes() ?? [];
  const node = symbol.declarations.flatMap((each) => each.resolve() ?? []).find(isClassNode);
  const isOpen =
    node === undefined ||
    !node.members.some((each) => each.kind === SyntaxKind.Constructor && isHidden(each));
  const news = isOpen
    ? checker
        .getSignaturesOfType(constructor, SignatureKind.Construct)
        .map((each) => `new ${withoutGenerics(spell.signature(each, ": "), generic)}`)
    : [];
  const isOwn = (member: TypeSymbol): boolean =>
    member.declarations.some((each) => {
      const declaration: Node | undefined = each.resolve();
      return declaration !== undefined && program.isSource(declaration.getSourceFile());
    });
  const statics = spell.members(constructor, isOwn).map((each) => `static ${each}`);
  const abstract = node !== undefined && hasModifier(node, SyntaxKind.AbstractKeyword) ? "abstract " : "";
  const parts = [...news, ...statics, ...spell.members(instance, isOwn)];
  const extended = base === undefined ? "" : ` extends ${spell.type(base)}`;
  return `${abstract}class${generic}${extended} { ${parts.join("; ")} }`;
}

/** A constructor repeats the type parameters of its class under names of its own. */
function withoutGenerics(signature: string, generic: string): string {
  return generic === "" ? signature : signature.slice(signature.indexOf("("));
}

function isClassNode(node: Node): node is ClassLikeDeclaration {
  return isClassDeclaration(node) || isClassExpression(node);
}

function enumSignature(program: Program, symbol: TypeSymbol): string {
  const members = symbol.declarations
    .flatMap((each) => each.resolve() ?? [])
    .filter(isEnumDeclaration)
    .flatMap((node) =>
      node.members.map((member) => {
        const value = program.checker.getConstantValue(member);
        return `${member.name.getText()} = ${JSON.stringify(value ?? "computed")}`;
      }),
    );
  return `enum { ${members.toSorted().join("; ")} }`;
}

function typeSignature(program: Program, symbol: TypeSymbol, spell: TypeSpeller): string {
  const type = program.checker.getDeclaredTypeOfSymbol(symbol);
  const own = type.isClassOrInterface() ? type.getLocalTypeParameters() : type.getAliasTypeArguments();
  const generic = spell.parameters(own.filter((each) => each.isTypeParameter()));
  return `type${generic} ${type.isClassOrInterface() ? spell.structure(type) : spell.unnamed(type)}`;
}
