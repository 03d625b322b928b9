// Whether two types promise the same to callers: each can stand for the other, with the same parameters, and no hole in one of them only.
import {
  type Signature,
  SignatureKind,
  type Symbol as TypeSymbol,
  type Type,
} from "typescript/unstable/sync";
import { exportedDeclarations } from "./declarations.ts";
import type { Program } from "./program.ts";
import { parameterOf, TypeSpeller } from "./type-spelling.ts";

export function sameType(program: Program, expected: Type, found: Type): boolean {
  const { checker } = program;
  const kinds = [SignatureKind.Call, SignatureKind.Construct];
  for (const kind of kinds) {
    const one = checker.getSignaturesOfType(expected, kind);
    const other = checker.getSignaturesOfType(found, kind);
    if (one.length !== other.length) return false;
    const differs = one.some((each, index) => {
      const pair = other[index];
      return pair === undefined || shape(each) !== shape(pair);
    });
    if (differs || holes(program, one) !== holes(program, other)) return false;
  }
  const isClass = checker.getSignaturesOfType(found, SignatureKind.Construct).length > 0;
  if (!isClass && holesOf(spelled(program, expected)) !== holesOf(spelled(program, found))) return false;
  // A class has a prototype and statics, which no signature of a constructor speaks of.
  if (isClass) return checker.isTypeAssignableTo(found, expected) && sameInstances(program, expected, found);
  return checker.isTypeAssignableTo(found, expected) && checker.isTypeAssignableTo(expected, found);
}

/** Made of the same, and the same when made. */
function sameInstances(program: Program, expected: Type, found: Type): boolean {
  const { checker } = program;
  const signatures = (type: Type) => checker.getSignaturesOfType(type, SignatureKind.Construct);
  const given = (signature: Signature) => checker.getReturnTypeOfSignature(signature) ?? checker.getAnyType();
  const others = signatures(found);
  return signatures(expected).every((each, index) => {
    const other = others[index];
    if (other === undefined) return false;
    // No type parameter can stand for that of another; the spelling knows them by their place.
    if (spelledAlone(program, each) === spelledAlone(program, other)) return true;
    if (!isAssignable(program, given(each), given(other))) return false;
    const takes = other.getParameters();
    return each.getParameters().every((parameter, at) => {
      const pair = takes[at];
      return pair !== undefined && takesTheSame(program, parameter, pair);
    });
  });
}

/** Left out, a parameter is undefined whatever its type says, and a default keeps that from the type inside. */
function takesTheSame(program: Program, one: TypeSymbol, other: TypeSymbol): boolean {
  const { checker } = program;
  const [taken, pair] = [one, other].map((each) => checker.getTypeOfSymbol(each) ?? checker.getAnyType());
  if (taken === undefined || pair === undefined) return false;
  const isSame = (a: Type, b: Type) => isAssignable(program, a, b) && isAssignable(program, b, a);
  if (!isOptional(one)) return isSame(taken, pair);
  const mayBeNull = (type: Type) => checker.isTypeAssignableTo(checker.getNullType(), type);
  const given = (type: Type) => checker.getNonNullableType(type) ?? type;
  return mayBeNull(taken) === mayBeNull(pair) && isSame(given(taken), given(pair));
}

function isAssignable({ checker }: Program, one: Type, other: Type): boolean {
  const isGeneric = one.isTypeParameter() || other.isTypeParameter();
  return isGeneric || checker.isTypeAssignableTo(one, other);
}

function spelledAlone(program: Program, signature: Signature): string {
  return new TypeSpeller(program, exportedDeclarations(program), false).signature(signature);
}

/** Assignability forgives missing and optional parameters; callers do not. */
function shape(signature: Signature): string {
  const parameters = signature.getParameters().map((each) => {
    const declaration = parameterOf(each);
    if (declaration?.dotDotDotToken !== undefined) return "rest";
    return isOptional(each) ? "optional" : "required";
  });
  return `${signature.getTypeParameters().length}: ${parameters.join(" ")}`;
}

function isOptional(parameter: TypeSymbol): boolean {
  const declaration = parameterOf(parameter);
  return declaration?.questionToken !== undefined || declaration?.initializer !== undefined;
}

/** `any` is assignable both ways, so it is counted instead. */
function holes(program: Program, signatures: readonly Signature[]): number {
  const spell = new TypeSpeller(program, exportedDeclarations(program), false);
  return signatures.map((each) => holesOf(spell.signature(each))).reduce((sum, each) => sum + each, 0);
}

function holesOf(text: string): number {
  return (text.replaceAll(/"(?:[^"\\]|\\.)*"/g, "").match(/\bany\b/g) ?? []).length;
}

function spelled(program: Program, type: Type): string {
  return new TypeSpeller(program, exportedDeclarations(program), false).unnamed(type);
}
