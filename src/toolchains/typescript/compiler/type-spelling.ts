// One spelling for each type, the same wherever it is written and however its parts are ordered or named inside.
import {
  isIdentifier,
  isParameterDeclaration,
  isTypeParameterDeclaration,
  type Node,
  type ParameterDeclaration,
  SyntaxKind,
} from "typescript/unstable/ast";
import {
  type Checker,
  ElementFlags,
  NodeBuilderFlags,
  ObjectFlags,
  type Signature,
  SignatureKind,
  type Symbol as TypeSymbol,
  SymbolFlags,
  type TupleType,
  type Type,
  TypeFlags,
  type TypeParameter,
  type TypeReference,
  TypePredicateKind,
} from "typescript/unstable/sync";
import { hasModifier, isHidden } from "./declarations.ts";
import type { Program } from "./program.ts";

/** With `names` as people wrote parameters; without, only what callers can notice. */
export class TypeSpeller {
  private readonly program: Program;
  private readonly exported: ReadonlyMap<Node, string>;
  private readonly names: boolean;
  private readonly checker: Checker;
  /** Names of type parameters, by the ids of these. */
  private readonly called = new Map<number, string>();
  /** Types that are being spelled out, from the outermost. */
  private readonly within: number[] = [];

  constructor(program: Program, exported: ReadonlyMap<Node, string>, names: boolean) {
    this.program = program;
    this.exported = exported;
    this.names = names;
    this.checker = program.checker;
  }

  type(of: Type): string {
    const alias = of.getAliasSymbol();
    if (alias !== undefined && this.isKnownByName(alias)) {
      return `${alias.name}${this.list(of.getAliasTypeArguments())}`;
    }
    return this.unnamed(of);
  }

  unnamed(of: Type): string {
    if (of.isUnionType()) return this.union(of.getTypes());
    if (of.isIntersectionType()) return this.parts(of.getTypes()).join(" & ");
    if (of.isStringLiteralType()) return this.enumMember(of) ?? JSON.stringify(of.value);
    if (of.isBigIntLiteralType()) return this.checker.typeToString(of);
    if (of.isLiteralType()) return this.enumMember(of) ?? String(of.value);
    if (of.isTypeParameter())
      return of.isThisType === true ? "this" : (this.called.get(of.id) ?? this.plain(of));
    if (of.isIndexType()) return `keyof ${this.bracketed(of.getTarget())}`;
    if (of.isIndexedAccessType())
      return `${this.bracketed(of.getObjectType())}[${this.type(of.getIndexType())}]`;
    if (of.isConditionalType()) {
      const condition = `${this.bracketed(of.getCheckType())} extends ${this.bracketed(of.getExtendsType())}`;
      return `${condition} ? ${this.type(of.getTrueType())} : ${this.type(of.getFalseType())}`;
    }
    return of.isObjectType() ? this.object(of) : this.plain(of);
  }

  object(of: Type): string {
    const referred = of.isTypeReference() ? this.reference(of) : undefined;
    if (referred !== undefined) return referred;
    const symbol = of.getSymbol();
    if (symbol === undefined || !this.isKnownByName(symbol)) return this.structure(of);
    if (of.isClassOrInterface()) return symbol.name;
    const isClass = (symbol.flags & SymbolFlags.Class) !== 0 && this.isConstructor(of);
    return isClass ? `typeof ${symbol.name}` : this.structure(of);
  }

  private reference(of: TypeReference): string | undefined {
    const target = of.getTarget();
    const given = this.checker.getTypeArguments(of);
    if (target.isTupleType()) return this.tuple(target, given);
    const symbol = target.getSymbol();
    const [item] = given;
    if (item !== undefined && symbol?.name === "Array") return `${this.bracketed(item)}[]`;
    if (item !== undefined && symbol?.name === "ReadonlyArray") return `readonly ${this.bracketed(item)}[]`;
    if (symbol === undefined || !this.isKnownByName(symbol)) return undefined;
    return `${symbol.name}${this.list(ownArguments(target, given))}`;
  }

  structure(of: Type): string {
    if (this.isOpenMapping(of)) return this.plain(of, NodeBuilderFlags.InTypeAlias);
    const seen = this.within.lastIndexOf(of.id);
    if (seen >= 0) return `up ${this.within.length - seen}`;
    if (this.within.length > MOST_DEEP) return this.plain(of);
    this.within.push(of.id);
    try {
      const calls = this.checker
        .getSignaturesOfType(of, SignatureKind.Call)
        .map((each) => this.signature(each));
      const news = this.checker
        .getSignaturesOfType(of, SignatureKind.Construct)
        .map((each) => `new ${this.signature(each)}`);
      const inside = this.members(of);
      const signatures = [...calls, ...news];
      if (signatures.length === 0) return inside.length === 0 ? "{}" : `{ ${inside.join("; ")} }`;
      const single = signatures.length === 1 && inside.length === 0;
      const joined = single ? signatures : signatures.map((each) => `(${each})`);
      return [...joined, ...(inside.length === 0 ? [] : [`{ ${inside.join("; ")} }`])].join(" & ");
    } finally {
      this.within.pop();
    }
  }

  members(of: Type, accept: (member: TypeSymbol) => boolean = () => true): string[] {
    const named = this.checker
      .getPropertiesOfType(of)
      .filter((each) => (each.flags & SymbolFlags.Prototype) === 0 && !hidden(each) && accept(each))
      .map((each) => this.member(each));
    const indexed = this.checker.getIndexInfosOfType(of).map(({ keyType, valueType, isReadonly }) => {
      return `${isReadonly ? "readonly " : ""}[key: ${this.type(keyType)}]: ${this.type(valueType)}`;
    });
    return [...named, ...indexed].toSorted();
  }

  member(of: TypeSymbol): string {
    const declared = this.checker.getTypeOfSymbol(of);
    if (declared === undefined) return of.name;
    const optional = (of.flags & SymbolFlags.Optional) !== 0;
    const spelled = optional ? this.withoutUndefined(declared) : this.type(declared);
    const declaration = of.declarations[0]?.resolve();
    const onlyRead =
      (of.checkFlags & CHECKED_READONLY) !== 0 ||
      ((of.flags & SymbolFlags.GetAccessor) !== 0 && (of.flags & SymbolFlags.SetAccessor) === 0) ||
      (declaration !== undefined && hasModifier(declaration, SyntaxKind.ReadonlyKeyword));
    return `${onlyRead ? "readonly " : ""}${of.name}${optional ? "?" : ""}: ${spelled}`;
  }

  signature(of: Signature, arrow = " => "): string {
    const generic = this.parameters(of.getTypeParameters());
    const own = of.getThisParameter();
    const self =
      own === undefined
        ? []
        : [`this: ${this.type(this.checker.getTypeOfSymbol(own) ?? this.checker.getAnyType())}`];
    const listed = of.getParameters().map((each, index) => this.parameter(each, index));
    return `${generic}(${[...self, ...listed].join(", ")})${arrow}${this.result(of)}`;
  }

  parameter(of: TypeSymbol, index: number): string {
    const declaration = parameterOf(of);
    const declared = this.checker.getTypeOfSymbol(of) ?? this.checker.getAnyType();
    const rest = declaration?.dotDotDotToken !== undefined ? "..." : "";
    const optional = declaration?.questionToken !== undefined || declaration?.initializer !== undefined;
    const spelled = optional ? this.withoutUndefined(declared) : this.type(declared);
    if (!this.names) return `${rest}${spelled}${optional ? "?" : ""}`;
    const name = declaration !== undefined && !isIdentifier(declaration.name) ? `arg${index}` : of.name;
    return `${rest}${name}${optional ? "?" : ""}: ${spelled}`;
  }

  result(of: Signature): string {
    const predicate = this.checker.getTypePredicateOfSignature(of);
    if (predicate === undefined)
      return this.type(this.checker.getReturnTypeOfSignature(of) ?? this.checker.getAnyType());
    const asserts =
      predicate.kind === TypePredicateKind.AssertsThis ||
      predicate.kind === TypePredicateKind.AssertsIdentifier;
    const position = predicate.parameterIndex === undefined ? "this" : `arg${predicate.parameterIndex}`;
    const what = this.names ? (predicate.parameterName ?? "this") : position;
    const is = predicate.type === undefined ? "" : ` is ${this.type(predicate.type)}`;
    return `${asserts ? "asserts " : ""}${what}${is}`;
  }

  parameters(of: readonly TypeParameter[]): string {
    if (of.length === 0) return "";
    for (const each of of)
      this.called.set(each.id, this.names ? this.plain(each) : `T${this.called.size + 1}`);
    const spelled = of.map((each) => {
      const constraint = this.checker.getConstraintOfTypeParameter(each);
      const limited = constraint === undefined ? "" : ` extends ${this.type(constraint)}`;
      return `${this.called.get(each.id) ?? ""}${limited}${this.assumed(each)}`;
    });
    return `<${spelled.join(", ")}>`;
  }

  assumed(of: TypeParameter): string {
    const declaration = of.getSymbol()?.declarations[0]?.resolve();
    if (declaration === undefined || !isTypeParameterDeclaration(declaration)) return "";
    const given =
      declaration.defaultType === undefined
        ? undefined
        : this.checker.getTypeFromTypeNode(declaration.defaultType);
    return given === undefined ? "" : ` = ${this.type(given)}`;
  }

  union(of: readonly Type[]): string {
    const spelled = new Set([
      ...this.wholeEnums(of),
      ...this.parts(of.filter((each) => !isOfWholeEnum(each, of))),
    ]);
    if (spelled.has("true") && spelled.has("false")) {
      spelled.delete("true");
      spelled.delete("false");
      spelled.add("boolean");
    }
    return [...spelled].toSorted().join(" | ");
  }

  /** All members of an enum together are the enum. */
  wholeEnums(of: readonly Type[]): string[] {
    return of.flatMap((each) => (isOfWholeEnum(each, of) ? [each.getSymbol()?.getParent()?.name ?? ""] : []));
  }

  withoutUndefined(of: Type): string {
    if (!of.isUnionType()) return this.type(of);
    const alias = of.getAliasSymbol();
    const rest = of.getTypes().filter((each) => (each.flags & TypeFlags.Undefined) === 0);
    if (alias !== undefined && rest.length === of.getTypes().length) return this.type(of);
    const [only] = rest;
    return rest.length === 1 && only !== undefined ? this.type(only) : this.union(rest);
  }

  parts(of: readonly Type[]): string[] {
    return of.map((each) => this.bracketed(each)).toSorted();
  }

  bracketed(of: Type): string {
    const spelled = this.type(of);
    return /=>| [|&?] |^readonly |^keyof |^asserts /.test(spelled) && !isClosed(spelled)
      ? `(${spelled})`
      : spelled;
  }

  tuple(of: TupleType, items: readonly Type[]): string {
    const spelled = items.map((item, index) => {
      const flags = of.elementFlags[index] ?? ElementFlags.Required;
      if ((flags & ElementFlags.Rest) !== 0) return `...${this.bracketed(item)}[]`;
      if ((flags & ElementFlags.Variadic) !== 0) return `...${this.type(item)}`;
      return (flags & ElementFlags.Optional) !== 0 ? `${this.withoutUndefined(item)}?` : this.type(item);
    });
    return `${of.readonly ? "readonly " : ""}[${spelled.join(", ")}]`;
  }

  list(of: readonly Type[]): string {
    return of.length === 0 ? "" : `<${of.map((each) => this.type(each)).join(", ")}>`;
  }

  enumMember(of: Type): string | undefined {
    if ((of.flags & TypeFlags.EnumLiteral) === 0) return undefined;
    return this.plain(of);
  }

  isConstructor(of: Type): boolean {
    return this.checker.getSignaturesOfType(of, SignatureKind.Construct).length > 0;
  }

  /** Exported types have entries of their own; those of libraries do not change with the module. */
  isKnownByName(symbol: TypeSymbol | undefined): boolean {
    if (symbol === undefined || symbol.name.startsWith("__")) return false;
    const nodes = symbol.declarations.flatMap((handle) => handle.resolve() ?? []);
    return (
      nodes.length > 0 &&
      nodes.every((node) => this.exported.has(node) || !this.program.isSource(node.getSourceFile()))
    );
  }

  /** A mapping over a type parameter has no members yet. */
  isOpenMapping(of: Type): boolean {
    const isMapping = of.isObjectType() && (of.objectFlags & ObjectFlags.Mapped) !== 0;
    return (
      isMapping &&
      this.checker.getPropertiesOfType(of).length === 0 &&
      this.checker.getIndexInfosOfType(of).length === 0
    );
  }

  plain(of: Type, more: NodeBuilderFlags = NodeBuilderFlags.None): string {
    const flags = NodeBuilderFlags.NoTruncation | NodeBuilderFlags.IgnoreErrors | more;
    return this.checker.typeToString(of, undefined, flags);
  }
}

function isOfWholeEnum(member: Type, of: readonly Type[]): boolean {
  if ((member.flags & TypeFlags.EnumLiteral) === 0) return false;
  const whole = member.getSymbol()?.getParent();
  const present = of.filter((each) => whole !== undefined && each.getSymbol()?.getParent()?.id === whole.id);
  return whole !== undefined && present.length === whole.getExports().size;
}

/** The last argument of a class or interface may be its own `this`. */
function ownArguments(target: Type, given: readonly Type[]): readonly Type[] {
  return target.isClassOrInterface() ? given.slice(0, target.getTypeParameters().length) : given;
}

function hidden(of: TypeSymbol): boolean {
  const declaration = of.declarations[0]?.resolve();
  return of.name.startsWith("__#") || (declaration !== undefined && isHidden(declaration));
}

const MOST_DEEP = 12;
const CHECKED_READONLY = 8;

export function parameterOf(symbol: TypeSymbol): ParameterDeclaration | undefined {
  const declaration = symbol.declarations[0]?.resolve();
  return declaration !== undefined && isParameterDeclaration(declaration) ? declaration : undefined;
}

/** Whether the first bracket closes only at the end. */
function isClosed(text: string): boolean {
  const closing = { "{": "}", "[": "]", "(": ")" }[text[0] ?? ""];
  if (closing === undefined) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === text[0]) depth += 1;
    if (text[at] === closing) depth -= 1;
    if (depth === 0) return at === text.length - 1;
  }
  return false;
}
