// The hidden oracle of check-ticket: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// good tickets
for (const [ticket, plain] of [["CD-5678-9", "CD56789"], ["zz-0000-0", "ZZ00000"], [" QX-4711-4", "QX47114"], ["ab-9999-3", "AB99993"]] as const) {
  expect(checkTicket(ticket)).toBe(plain);
}

// the digit by hand, for any ticket
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
fc.assert(
  fc.property(fc.nat(25), fc.nat(25), fc.stringMatching(/^[0-9]{4}$/), fc.nat(9), (one, two, digits, last) => {
    const [a = 0, b = 0, c = 0, d = 0] = [...digits].map(Number);
    const right = ((one + 10) * 3 + two + 10 + a * 3 + b + c * 3 + d) % 10;
    const name = (LETTERS[one] ?? "") + (LETTERS[two] ?? "");
    expect(checkTicket(name.toLowerCase() + "-" + digits + "-" + right)).toBe(name + digits + right);
    if (last !== right) {
      const wrong = name + "-" + digits + "-" + last;
      expect(() => checkTicket(wrong)).toThrow(BadCheckDigit);
      expect(() => checkTicket(wrong)).toThrow("the last digit of " + wrong + " should be " + right);
    }
  }),
);

// not written like a ticket
for (const ticket of ["", "CD-5678-77", "CD-56787", "CD5678-7", "C-5678-7", "12-5678-7", "CD-567A-7", "xCD-5678-7", " CD -5678-7"]) {
  expect(() => checkTicket(ticket)).toThrow(BadForm);
  expect(() => checkTicket(ticket)).toThrow("no ticket: " + ticket);
}
expect(() => checkTicket(" cd-5 ")).toThrow("no ticket:  cd-5 ");
`;
