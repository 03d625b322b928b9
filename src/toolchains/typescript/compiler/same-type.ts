// Whether two types promise the same to callers: each can stand for the other, with the same parameters, and no hole in one of them only.
import { type Signature, SignatureKind, type Type } from "typescript/unstable/sync";
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

function sameInstances({ checker }: Program, expected: Type, found: Type): boolean {
  const parts = (type: Type) =>
    checker
      .getSignaturesOfType(type, SignatureKind.Construct)
      .flatMap((each) => [
        checker.getReturnTypeOfSignature(each) ?? checker.getAnyType(),
        ...each
          .getParameters()
          .map((parameter) => checker.getTypeOfSymbol(parameter) ?? checker.getAnyType()),
      ]);
  const other = parts(found);
  return parts(expected).every((each, index) => {
    const pair = other[index];
    if (pair === undefined) return false;
    const isGeneric = each.isTypeParameter() || pair.isTypeParameter();
    return isGeneric || checker.isTypeAssignableTo(each, pair);
  });
}

/** Assignability forgives missing and optional parameters; callers do not. */
function shape(signature: Signature): string {
  const parameters = signature.getParameters().map((each) => {
    const declaration = parameterOf(each);
    if (declaration?.dotDotDotToken !== undefined) return "rest";
    return declaration?.questionToken !== undefined || declaration?.initializer !== undefined
      ? "optional"
      : "required";
  });
  return `${signature.getTypeParameters().length}: ${parameters.join(" ")}`;
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
