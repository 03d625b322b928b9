// The hidden oracle of parse-options: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// options in order, however they are written
expect(parseOptions("x=9; y = 8 ;Z=7")).toEqual([["x", "9"], ["y", "8"], ["z", "7"]]);
expect(parseOptions("Deep Blue = SEA")).toEqual([["deep blue", "SEA"]]);

// nothing to read
expect(parseOptions(";; ; ")).toEqual([]);

// signs within values
expect(parseOptions("url=http://h/?q=1&r=2; eq===")).toEqual([["url", "http://h/?q=1&r=2"], ["eq", "=="]]);
expect(parseOptions("none= ;last=")).toEqual([["none", ""], ["last", ""]]);

// values survive any spelling of the key
fc.assert(
  fc.property(fc.stringMatching(/^[A-Za-z]{1,6}$/), fc.stringMatching(/^[a-zA-Z0-9=]{0,6}$/), (key, value) => {
    expect(parseOptions(" ; " + key + " = " + value + " ;")).toEqual([[key.toLowerCase(), value]]);
  }),
);

// what has no key, or one twice
for (const text of ["flag", "a=1;flag", "=", "; =2"]) expect(() => parseOptions(text)).toThrow(BadOption);
expect(() => parseOptions("a=1;  flag  ")).toThrow('no key in "flag"');
for (const text of ["k=1;k=2", "k=1;l=2; K=3"]) expect(() => parseOptions(text)).toThrow(DuplicateKey);
expect(() => parseOptions("Ab=1;aB=1")).toThrow("twice: ab");
`;
