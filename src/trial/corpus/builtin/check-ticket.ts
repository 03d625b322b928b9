// Builtin task: checks the number of a ticket by its last digit.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/check-ticket.ts";

export const CHECK_TICKET = builtinTask({
  id: "check-ticket",
  area: "validation",
  title: "Check the number of a ticket",
  purpose: "Checks the number of a ticket by its last digit, and gives it without its hyphens.",
  tags: ["ticket", "check digit"],
  entries: [
    {
      entry: "checkTicket",
      signature: "(ticket: string) => string",
      inputs: [
        {
          name: "ticket",
          type: "string",
          constraint: "is two letters, four digits and one digit, with hyphens between them",
          requires: String.raw`/^[A-Z]{2}-\d{4}-\d$/.test(args[0].trim().toUpperCase())`,
        },
      ],
      output: {
        name: "plain",
        type: "string",
        invariants: [
          {
            invariant: "is two capital letters and five digits",
            ensures: String.raw`/^[A-Z]{2}\d{5}$/.test(result)`,
          },
        ],
      },
      errors: [
        {
          name: "BadForm",
          when: "it is not written like a ticket",
          says: "no ticket: ",
        },
        {
          name: "BadCheckDigit",
          when: "the last digit is wrong",
          says: "the last digit of ",
        },
      ],
      examples: [
        { title: "a good one", args: ['"ab-1234-9"'], gives: '"AB12349"' },
        { title: "the lowest", args: ['"AA-0000-0"'], gives: '"AA00000"' },
        { title: "no hyphens", args: ['"AB12349"'], throws: "BadForm: no ticket: AB12349" },
        {
          title: "a digit that is wrong",
          args: ['"AB-1234-5"'],
          throws: "BadCheckDigit: the last digit of AB-1234-5 should be 9",
        },
      ],
    },
  ],
  constraints: {
    C1: "A ticket is two letters a to z, a hyphen, four digits, a hyphen and the check digit; it is given in capitals without hyphens.",
    C2: "Blanks around it and the case of its letters do not count.",
    C3: "The check digit is the last digit of a sum: of the six signs before it, the first, third and fifth count three times, the others once.",
    C4: "Digits count as they are; letters count A = 10, B = 11 and so on to Z = 35.",
    C5: "What is not written like that throws BadForm: `no ticket: ` and it, as it was given.",
    C6: "A wrong check digit throws BadCheckDigit: `the last digit of `, the ticket in capitals with hyphens, ` should be ` and the right one.",
  },
  source: String.raw`/** Thrown when a text is not written like a ticket. */
export class BadForm extends Error {}

/** Thrown when the last digit of a ticket is wrong. */
export class BadCheckDigit extends Error {}

/** The ticket in capitals and without hyphens. */
export function checkTicket(ticket: string): string {
  const tidy = ticket.trim().toUpperCase();
  if (!/^[A-Z]{2}-\d{4}-\d$/.test(tidy)) throw new BadForm("no ticket: " + ticket);
  const plain = tidy.replaceAll("-", "");
  const right = checkDigit(plain.slice(0, -1));
  if (plain.slice(-1) !== right) {
    throw new BadCheckDigit("the last digit of " + tidy + " should be " + right);
  }
  return plain;
}

function checkDigit(signs: string): string {
  const values = [...signs].map((sign) => Number.parseInt(sign, 36));
  const sum = values.reduce((before, value, index) => before + value * (index % 2 === 0 ? 3 : 1), 0);
  return String(sum % 10);
}
`,
  tests: `
// C1: a ticket comes in capitals without hyphens
expect(checkTicket("AB-1234-9")).toBe("AB12349");
expect(checkTicket("AA-0000-0")).toBe("AA00000");

// C2: blanks around and the case do not count
expect(checkTicket("  ab-1234-9 ")).toBe("AB12349");
expect(checkTicket("aB-1234-9")).toBe("AB12349");

// C3: every other sign counts three times
expect(checkTicket("AA-1000-3")).toBe("AA10003");
expect(checkTicket("AA-0100-1")).toBe("AA01001");
expect(checkTicket("AA-0010-3")).toBe("AA00103");
expect(checkTicket("AA-0001-1")).toBe("AA00011");

// C3: the sum decides, whatever the digits
fc.assert(
  fc.property(fc.nat(9), fc.nat(9), fc.nat(9), fc.nat(9), (a, b, c, d) => {
    const digits = [a, b, c, d].join("");
    const right = (40 + a * 3 + b + c * 3 + d) % 10;
    expect(checkTicket("AA-" + digits + "-" + right)).toBe("AA" + digits + right);
  }),
);

// C4: letters count from 10 to 35
expect(checkTicket("BA-0000-3")).toBe("BA00003");
expect(checkTicket("AZ-0000-5")).toBe("AZ00005");
expect(checkTicket("ZZ-9999-2")).toBe("ZZ99992");

// C5: what is not written like that is refused
for (const ticket of ["AB12349", "AB-1234", "A1-1234-9", "ABC-1234-9", "AB-123-4", "xAB-1234-9", "AB-1234-94", ""]) {
  expect(() => checkTicket(ticket)).toThrow(BadForm);
  expect(() => checkTicket(ticket)).toThrow("no ticket: " + ticket);
}
expect(() => checkTicket(" ab ")).toThrow("no ticket:  ab ");

// C6: a wrong last digit is refused, and the right one told
expect(() => checkTicket("AB-1234-5")).toThrow(BadCheckDigit);
expect(() => checkTicket(" ab-1234-0")).toThrow("the last digit of AB-1234-0 should be 9");
`,
  wrongTests: `
// C4: letters count from 1
expect(checkTicket("AA-0000-4")).toBe("AA00004");

// C2: small letters are refused
expect(() => checkTicket("ab-1234-9")).toThrow(BadForm);

// C3: the second sign counts three times
expect(checkTicket("AA-0100-3")).toBe("AA01003");
`,
  omissions: String.raw`
// C2: ignored-constraint
-   const tidy = ticket.trim().toUpperCase();
+   const tidy = ticket.trim();
// C2: missing-edge-case
-   const tidy = ticket.trim().toUpperCase();
+   const tidy = ticket.toUpperCase();
// C6: missing-error-surface
-   if (plain.slice(-1) !== right) {
+   if (plain.length !== 7) {
// C3: wrong-boundary
-   const sum = values.reduce((before, value, index) => before + value * (index % 2 === 0 ? 3 : 1), 0);
+   const sum = values.reduce((before, value, index) => before + value * (index % 2 === 1 ? 3 : 1), 0);
// C4: wrong-boundary
-   const values = [...signs].map((sign) => Number.parseInt(sign, 36));
+   const values = [...signs].map((sign) => Math.min(34, Number.parseInt(sign, 36)));
// C5: ignored-constraint
-   if (!/^[A-Z]{2}-\d{4}-\d$/.test(tidy)) throw new BadForm("no ticket: " + ticket);
+   if (!/^[A-Z]{2}-\d{4}-\d$/.test(tidy)) throw new BadForm("no ticket: " + tidy);
// C5: missing-edge-case
-   if (!/^[A-Z]{2}-\d{4}-\d$/.test(tidy)) throw new BadForm("no ticket: " + ticket);
+   if (!/^[A-Z]{2}-\d{4}-\d/.test(tidy)) throw new BadForm("no ticket: " + ticket);
// C3: swapped-arguments
-   const sum = values.reduce((before, value, index) => before + value * (index % 2 === 0 ? 3 : 1), 0);
+   const sum = values.reduce((before, value, index) => before + value * (index % 2 === 0 ? 1 : 3), 0);
`,
  oracle: ORACLE,
});
