// The examples of the verify benchmark's module, one for each entry point and error of its contract.

const DAY = "{ year: 2024, month: 2, day: 28 }";

const SHOWN: readonly [entry: string, call: string, output: string][] = [
  ["addDays", `addDays(${DAY}, 2)`, '{ "year": 2024, "month": 3, "day": 1 }'],
  ["addMonths", `addMonths(${DAY}, 1)`, '{ "year": 2024, "month": 3, "day": 28 }'],
  ["daysBetween", `daysBetween(${DAY}, { year: 2024, month: 3, day: 1 })`, "2"],
  ["daysInMonth", "daysInMonth(2024, 2)", "29"],
  ["format", `format(${DAY})`, '"2024-02-28"'],
  ["formatDuration", "formatDuration(5_400_000)", '"1h 30m"'],
  ["fromNumber", "fromNumber(0)", '{ "year": 1970, "month": 1, "day": 1 }'],
  ["isLeap", "isLeap(2024)", "true"],
  ["isValid", "isValid({ year: 2023, month: 2, day: 29 })", "false"],
  ["parse", 'parse("2024-02-28")', '{ "year": 2024, "month": 2, "day": 28 }'],
  ["parseDuration", 'parseDuration("1h 30m")', "5400000"],
  ["relative", "relative(-7_200_000)", '"2 hours ago"'],
  ["toNumber", "toNumber({ year: 1970, month: 1, day: 2 })", "1"],
  ["weekday", `weekday(${DAY})`, "3"],
  ["daysInMonth", "daysInMonth(2024, 13)", "RangeError: there is no month 13"],
  ["parse", 'parse("tomorrow")', 'SyntaxError: "tomorrow" is no date'],
];

export const EXAMPLES = SHOWN.map(([entry, call, output]) => {
  const code = `import { ${entry} } from "#modules/dates";\n\n${call};`;
  const form = /^\w+Error: /.test(output) ? "error" : "json";
  const blocks = `\`\`\`ts\n${code}\n\`\`\`\n\n\`\`\`${form}\n${output}\n\`\`\`\n`;
  return `## ${entry}: gives ${output.replaceAll('"', "")}\n\nThis is what comes of it.\n\n${blocks}`;
}).join("\n");
