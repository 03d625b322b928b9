// The hidden oracle of booking-problems: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// good bookings
for (const booking of [
  { name: "Li", people: 1, from: "00:00", to: "00:01" },
  { name: " Grace H ", people: 12, from: "11:59", to: "23:59", phone: "+1 202 555 0100" },
  { name: "x", people: 7, from: "19:00", to: "20:00", phone: "000000" },
]) {
  expect(bookingProblems(booking)).toEqual([]);
}

// one problem at a time
const good = { name: "Li", people: 4, from: "12:00", to: "13:30" };
for (const [change, problem] of [
  [{ name: "\\t" }, "name: is missing"],
  [{ people: 13 }, "people: must be from 1 to 12"],
  [{ people: 0 }, "people: must be from 1 to 12"],
  [{ people: 1.5 }, "people: must be from 1 to 12"],
  [{ from: "12:0" }, "from: must be a time"],
  [{ to: "25:00" }, "to: must be a time"],
  [{ to: "13:61" }, "to: must be a time"],
  [{ to: "12:00" }, "to: must be after from"],
  [{ to: "11:59" }, "to: must be after from"],
  [{ phone: "" }, "phone: must be digits"],
  [{ phone: "1 2 3 4 5" }, "phone: must be digits"],
  [{ phone: "0123456789012345" }, "phone: must be digits"],
  [{ phone: "call me" }, "phone: must be digits"],
] as const) {
  expect(bookingProblems({ ...good, ...change })).toEqual([problem]);
}

// many problems in order
expect(bookingProblems({ name: "", people: -1, from: "7", to: "8", phone: "9" })).toEqual(["name: is missing", "people: must be from 1 to 12", "from: must be a time", "to: must be a time", "phone: must be digits"]);
expect(bookingProblems({ name: "", people: 3, from: "20:00", to: "19:00" })).toEqual(["name: is missing", "to: must be after from"]);

// phones by their number of digits
fc.assert(
  fc.property(fc.stringMatching(/^[0-9]{1,20}$/), fc.boolean(), fc.boolean(), (digits, plus, blanks) => {
    const phone = (plus ? "+" : "") + (blanks ? [...digits].join(" ") : digits);
    expect(bookingProblems({ ...good_(), phone }).length).toBe(digits.length >= 6 && digits.length <= 15 ? 0 : 1);
  }),
);
function good_() {
  return { name: "Li", people: 4, from: "12:00", to: "13:30" };
}
`;
