import { expect, test } from "vitest";
import { mapCode } from "./code-map.ts";

const SOURCE = `const a = 1;
function outer() {
  const inner = () => {
    return 2;
  };
  return [3].map((n) => n);
}
class K {
  method() {
    return 4;
  }
}
`;

test.each([
  [0, 10, undefined],
  [3, 11, "inner"],
  [5, 24, "outer"],
  [9, 11, "K.method"],
])("line %d, column %d lies in %s", (line, column, name) => {
  expect(mapCode("src/a.ts", SOURCE).functionAt({ line, column })).toBe(name);
});

test("cuts out a place over several lines", () => {
  const place = { start: { line: 2, column: 16 }, end: { line: 4, column: 3 } };
  expect(mapCode("src/a.ts", SOURCE).slice(place)).toBe("() => {\n    return 2;\n  }");
});

test("comments that switch mutants off lose their power, texts stay as they are", () => {
  const source = '// Stryker disable all\nconst s = "Stryker disable all"; /* stryker restore all */\n';
  const { text } = mapCode("src/a.ts", source);
  expect(text).toBe('// Stryke_ disable all\nconst s = "Stryker disable all"; /* stryke_ restore all */\n');
});
