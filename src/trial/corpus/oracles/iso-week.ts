// The hidden oracle of iso-week: other inputs than a worker sees, and what holds for all of them.
export const ORACLE = `
// known weeks
for (const [date, week] of [["2020-12-31", "2020-W53"], ["2021-01-03", "2020-W53"], ["2021-01-04", "2021-W01"], ["2018-12-31", "2019-W01"], ["2016-01-03", "2015-W53"], ["2019-07-08", "2019-W28"], ["2019-07-07", "2019-W27"]] as const) {
  expect(isoWeek(date)).toBe(week);
}

// the fourth of January is always in the first week
fc.assert(
  fc.property(fc.integer({ min: 1000, max: 9998 }), (year) => {
    expect(isoWeek(year + "-01-04")).toBe(year + "-W01");
    expect(isoWeek(year + "-12-28")).toMatch(/-W5[23]$/);
  }),
);

// the week changes on Mondays only
for (let day = 19_000; day < 19_800; day += 1) {
  const [date, next] = [day, day + 1].map((each) => new Date(each * 86_400_000));
  const isMonday = next?.getUTCDay() === 1;
  expect(isoWeek(date?.toISOString().slice(0, 10) ?? "") !== isoWeek(next?.toISOString().slice(0, 10) ?? "")).toBe(isMonday);
}

// no dates
for (const date of ["2025-02-29", "2026-04-31", "", "2026-W05", "26-01-01", "0500-01-01", "0001-01-01", "9999-06-01"]) {
  expect(() => isoWeek(date)).toThrow(BadDate);
  expect(() => isoWeek(date)).toThrow("no date: " + date);
}
expect(isoWeek("1000-06-01")).toBe("1000-W22");
`;
