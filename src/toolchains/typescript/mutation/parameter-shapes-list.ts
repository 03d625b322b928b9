// Reads from a list of parameters what arguments for it look like.
import ts from "typescript6";
import type { InputShape } from "../inside/inner-job.ts";
import { shapeOf, type TypeNames } from "./input-shapes.ts";

/** Nothing when one of them cannot be made. */
export function parameterShapes(
  { parameters, typeParameters }: ts.SignatureDeclarationBase,
  names: TypeNames,
): InputShape[] | undefined {
  const inside = withTypeParameters(names, typeParameters);
  const shapes: InputShape[] = [];
  for (const parameter of parameters) {
    // A parameter called `this` is none.
    if (parameter.name.getText() === "this") return undefined;
    const shape = parameterShape(parameter, inside);
    const optional = parameter.questionToken !== undefined || parameter.initializer !== undefined;
    if (!isPossible(shape)) {
      if (!optional) return undefined;
      shapes.push({ kind: "undefined" });
    } else if (parameter.dotDotDotToken !== undefined) {
      if (shape.kind !== "array" && shape.kind !== "tuple") return undefined;
      shapes.push({ kind: "rest", of: shape });
    } else shapes.push(optional ? { kind: "union", of: [shape, shape, { kind: "undefined" }] } : shape);
  }
  return shapes;
}

export function withTypeParameters(
  names: TypeNames,
  parameters: readonly ts.TypeParameterDeclaration[] | undefined,
): TypeNames {
  if (parameters === undefined) return names;
  return new Map([...names, ...parameters.map((parameter) => [parameter.name.text, parameter] as const)]);
}

/** Without a type the value that it begins with tells. */
export function parameterShape(
  { type, initializer }: ts.ParameterDeclaration | ts.PropertyDeclaration,
  names: TypeNames,
): InputShape {
  if (type !== undefined) return shapeOf(type, names);
  if (initializer === undefined) return { kind: "impossible", why: "no type" };
  if (ts.isStringLiteralLike(initializer)) return { kind: "string" };
  if (ts.isNumericLiteral(initializer)) return { kind: "number" };
  const { kind } = initializer;
  if (kind === ts.SyntaxKind.TrueKeyword || kind === ts.SyntaxKind.FalseKeyword) return { kind: "boolean" };
  return { kind: "impossible", why: "no type" };
}

export function isPossible(shape: InputShape): boolean {
  return !JSON.stringify(shape).includes('"kind":"impossible"');
}
