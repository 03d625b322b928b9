// The hidden oracle of read-stock: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = String.raw`
// things and numbers
const path = join(mkdtempSync(join(tmpdir(), "oracle-")), "s");
writeFileSync(path, "b 2\na 1\n\tb 40\t\n\n#x 9\nc 007");
expect(readStock(path)).toEqual([["b", 42], ["a", 1], ["c", 7]]);
writeFileSync(path, "#\n\n");
expect(readStock(path)).toEqual([]);

// any lines
const path = join(mkdtempSync(join(tmpdir(), "oracle-")), "s");
fc.assert(
  fc.property(fc.array(fc.tuple(fc.constantFrom("p", "q", "r", "?"), fc.nat(99))), (lines) => {
    writeFileSync(path, lines.map(([name, count]) => name + " " + count + "\n").join("\n"));
    const names = [...new Set(lines.map(([name]) => name))];
    const sum = (of: string) => lines.reduce((before, [name, count]) => (name === of ? before + count : before), 0);
    expect(readStock(path)).toEqual(names.map((name) => [name, sum(name)]));
  }),
  { numRuns: 50 },
);

// bad lines
const path = join(mkdtempSync(join(tmpdir(), "oracle-")), "s");
for (const line of ["a", "a b", "a 1 2", "a 1x", "a   1", "1", "a +1", "a 1."]) {
  writeFileSync(path, "\nok 1\n  " + line + "\n");
  expect(() => readStock(path)).toThrow(BadStock);
  expect(() => readStock(path)).toThrow(new RegExp("^cannot read line 3: " + line.replaceAll(/[+.]/g, "[+.]") + "$"));
}

// what cannot be read, and what is not there
const path = mkdtempSync(join(tmpdir(), "oracle-"));
for (const bad of [path, join(path, "..") + "/", ""]) {
  expect(() => readStock(bad)).toThrow(BadStock);
  expect(() => readStock(bad)).toThrow(expect.objectContaining({ message: "cannot read " + bad, cause: expect.any(Error) }));
}
expect(readStock(join(path, "none"))).toEqual([]);
expect(readStock(join(path, "none", "deeper"))).toEqual([]);
`;
