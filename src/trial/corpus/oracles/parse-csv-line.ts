// The hidden oracle of parse-csv-line: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// plain fields
expect(parseCsvLine("one")).toEqual(["one"]);
expect(parseCsvLine("1, 2 ,3")).toEqual(["1", " 2 ", "3"]);
expect(parseCsvLine(",")).toEqual(["", ""]);
expect(parseCsvLine("")).toEqual([""]);

// fields in quotes
expect(parseCsvLine('"x, y","z"')).toEqual(["x, y", "z"]);
expect(parseCsvLine('p,"","q"')).toEqual(["p", "", "q"]);
expect(parseCsvLine('"""a"", ""b""",c')).toEqual(['"a", "b"', "c"]);

// whatever the fields, quoted they come back
fc.assert(
  fc.property(fc.array(fc.string({ maxLength: 8 }), { minLength: 1, maxLength: 5 }), (fields) => {
    const line = fields.map((each) => '"' + each.replaceAll('"', '""') + '"').join(",");
    expect(parseCsvLine(line)).toEqual(fields);
  }),
);

// open quotes
for (const line of ['"x', 'x"', 'a,"b,c', '"a"",b', '"""']) {
  expect(() => parseCsvLine(line)).toThrow(OpenQuote);
  expect(() => parseCsvLine(line)).toThrow("a quote is not closed: " + line);
}

// stray quotes
for (const line of ['x"y"', '"x"y', 'a, "b"', '"a" ', '""a']) {
  expect(() => parseCsvLine(line)).toThrow(StrayQuote);
  expect(() => parseCsvLine(line)).toThrow("a quote is out of place: " + line);
}
`;
