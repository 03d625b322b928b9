// What a node of a tree is told, for tests of trees.
import type { ChildSpec } from "../src/domain/fractal/node-spec.ts";

export function nodeSpec(id: string) {
  return {
    id,
    description: id,
    acceptanceCriteria: [{ id: "AC-1", text: "it works" }],
    complexityConstraints: null,
  };
}

export function childSpec(id: string): ChildSpec {
  return { ...nodeSpec(id), exports: [{ name: "go", signature: "() => void" }], uses: [] };
}
