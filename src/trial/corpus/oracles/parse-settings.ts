// The hidden oracle of parse-settings: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = String.raw`
// settings with and without sections
expect(parseSettings("x = y\n[z]\n x=1")).toEqual([
  { section: "", key: "x", value: "y" },
  { section: "z", key: "x", value: "1" },
]);
expect(parseSettings("[only]")).toEqual([]);

// remarks, blank lines and equals signs
const rows = parseSettings("\n#x=1\nk==\n   \n[#]\nm=#n").map(({ section, key, value }) => [section, key, value].join("|"));
expect(rows).toEqual(["|k|=", "#|m|#n"]);

// the last of many values stays at the first place
fc.assert(
  fc.property(fc.array(fc.nat(9), { minLength: 1 }), (values) => {
    const text = ["first=0", ...values.map((value) => "k=" + value), "last=0"].join("\n");
    expect(parseSettings(text).map(({ key, value }) => key + value)).toEqual(["first0", "k" + values.at(-1), "last0"]);
  }),
);

// a section that comes again
expect(parseSettings("[a]\nk=1\n[b]\nk=2\n[a]\nk=3").map(({ section, value }) => section + value)).toEqual(["a3", "b2"]);

// bad lines by their number
for (const [text, message] of [["?", "line 1: ?"], ["a=1\n=2", "line 2: =2"], ["\n\n [x", "line 3: [x"]] as const) {
  expect(() => parseSettings(text)).toThrow(BadLine);
  expect(() => parseSettings(text)).toThrow(message);
}
`;
