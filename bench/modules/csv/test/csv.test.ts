import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { CsvError, formatCsv, parseCsv, parseRecords } from "../src/index.ts";

describe("parseCsv", () => {
  test.each<[string, string[][]]>([
    ["", []],
    ["a", [["a"]]],
    ["a,b\n", [["a", "b"]]],
    [
      "a,b\nc,d",
      [
        ["a", "b"],
        ["c", "d"],
      ],
    ],
    ["a,,b\n", [["a", "", "b"]]],
    ["a,\n", [["a", ""]]],
    ["a,", [["a", ""]]],
    ["\n", [[""]]],
    ['"a,b",c', [["a,b", "c"]]],
    ['"say ""hi"""', [['say "hi"']]],
    ['"two\nlines",x\ny', [["two\nlines", "x"], ["y"]]],
    ['""', [[""]]],
    ['"",x', [["", "x"]]],
    ['x,""\n"y"', [["x", ""], ["y"]]],
  ])("reads %j", (text, rows) => {
    expect(parseCsv(text)).toEqual(rows);
  });

  test("takes another separator", () => {
    expect(parseCsv("a;b,c", ";")).toEqual([["a", "b,c"]]);
  });

  test.each([
    ['a\n"b', "a quote that is never closed in row 2", 2],
    ['"a"b', "text after a closing quote in row 1", 1],
    ['x\n"a""b"c', "text after a closing quote in row 2", 2],
    ['"a""', "a quote that is never closed in row 1", 1],
    ['"" ""', "text after a closing quote in row 1", 1],
    ['""x', "text after a closing quote in row 1", 1],
    ['a"b', "a quote inside a field in row 1", 1],
  ])("refuses %j", (text, message, row) => {
    const refused = () => parseCsv(text);
    expect(refused).toThrow(CsvError);
    expect(refused).toThrow(message);
    expect(refused).toThrow(expect.objectContaining({ row }));
  });

  test.each(["", ";;", '"'])("refuses the separator %j", (separator) => {
    expect(() => parseCsv("a", separator)).toThrow("no usable separator in row 0");
  });
});

describe("formatCsv", () => {
  test.each<[string[][], string]>([
    [[], ""],
    [[["a", "b"]], "a,b\n"],
    [[["a,b", 'c"d', "e\nf", ""]], '"a,b","c""d","e\nf",""\n'],
    [[["x"], ["y"]], "x\ny\n"],
  ])("writes %j", (rows, text) => {
    expect(formatCsv(rows)).toBe(text);
  });

  test("quotes what another separator needs", () => {
    expect(formatCsv([["a;b", "c,d"]], ";")).toBe('"a;b";c,d\n');
  });

  test("is undone by parseCsv", () => {
    const field = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', "\n", " ") });
    fc.assert(
      fc.property(fc.array(fc.array(field, { minLength: 1 })), (rows) => {
        expect(parseCsv(formatCsv(rows))).toEqual(rows);
      }),
    );
  });
});

describe("parseRecords", () => {
  test("names the fields of each row", () => {
    expect(parseRecords("name,age\nAda,36\nAlan,41\n")).toEqual([
      { name: "Ada", age: "36" },
      { name: "Alan", age: "41" },
    ]);
  });

  test("is empty without rows", () => {
    expect(parseRecords("")).toEqual([]);
    expect(parseRecords("name\n")).toEqual([]);
  });

  test("refuses a row of another length", () => {
    expect(() => parseRecords("a,b\n1,2\n3\n")).toThrow("1 fields instead of 2 in row 3");
  });
});
