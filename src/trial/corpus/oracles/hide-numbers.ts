// The hidden oracle of hide-numbers: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = String.raw`
// cards and accounts
expect(hideNumbers("pay 4000-0000-0000-0002 now", 4)).toBe("pay ****-****-****-0002 now");
expect(hideNumbers("IBAN 12 3456 7890 1234", 3)).toBe("IBAN ** **** **** *234");
expect(hideNumbers("000000000000000000", 0)).toBe("******************");

// what stays
for (const text of ["", "room 101", "12345678901", "1234--56789012", "12.34.56.78.90.12", "a1b2c3d4e5f6g7h8i9j0k1l2"]) {
  expect(hideNumbers(text, 4)).toBe(text);
}

// several numbers
expect(hideNumbers("999988887777/111122223333 4", 2)).toBe("**********77/***********3 4");
expect(hideNumbers("a 999988887777 b 111122223333 c", 1)).toBe("a ***********7 b ***********3 c");

// only digits change, and only the last ones are kept
fc.assert(
  fc.property(fc.array(fc.stringMatching(/^[0-9]{3,5}$/), { minLength: 4, maxLength: 6 }), fc.constantFrom(" ", "-", ""), fc.nat(4), (groups, sign, keep) => {
    const text = groups.join(sign);
    const hidden = hideNumbers(text, keep);
    expect(hidden.replaceAll(/[0-9*]/g, "")).toBe(text.replaceAll(/[0-9]/g, ""));
    expect(hidden.replaceAll(/[^0-9]/g, "")).toBe(groups.join("").slice(groups.join("").length - keep));
    expect(hidden.length).toBe(text.length);
  }),
);

// what cannot be kept
for (const keep of [-1, 0.5, 5, 12]) {
  expect(() => hideNumbers("x", keep)).toThrow(BadKeep);
  expect(() => hideNumbers("x", keep)).toThrow("cannot keep " + keep);
}
`;
