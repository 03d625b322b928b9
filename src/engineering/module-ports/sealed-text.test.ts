// Code of a dependency does not come through a report, plain or dressed up; everything else does.
import { deflateRawSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { sealedTextFilter } from "./sealed-text.ts";

const CODE = `var RangeError_ = class extends Error {
};
function clamp(value, low, high) {
  if (low > high) throw new RangeError_("low is above high");
  if (value < low) return low;
  return value > high ? high : value;
}
export { RangeError_, clamp };
`;
const OWN = `export function percent(share: number): number {\n  return clamp(Math.round(share * 100), 0, 100);\n}\n`;
const TYPES = "export declare function clamp(value: number, low: number, high: number): number;\n";
const filter = sealedTextFilter([{ path: "/modules/clamp", texts: [CODE] }], [OWN, TYPES]);
const DENIED = "ACCESS DENIED: '/modules/clamp' is a sealed implementation directory.";

const line = 'if (low > high) throw new RangeError_("low is above high");';
const DISGUISES: [string, string][] = [
  ["as it is", CODE],
  ["one line of it", line],
  ["other white space", line.replaceAll(" ", "\n\t ")],
  ["upper case", line.toUpperCase()],
  ["something between the letters", Array.from(line).join("-")],
  ["backwards", Array.from(line).toReversed().join("")],
  ["JSON in JSON", JSON.stringify(JSON.stringify(CODE))],
  ["base64", Buffer.from(CODE).toString("base64")],
  ["base64url", Buffer.from(CODE).toString("base64url")],
  ["hex", Buffer.from(CODE).toString("hex")],
  ["percent encoding", encodeURIComponent(CODE)],
  ["character codes", Array.from(Buffer.from(line)).join(", ")],
  [
    "hexadecimal codes",
    Array.from(Buffer.from(line))
      .map((code) => `0x${code.toString(16)}`)
      .join(" "),
  ],
  ["gzip in base64", gzipSync(CODE).toString("base64")],
  ["deflate in hex", deflateRawSync(CODE).toString("hex")],
  ["the middle of a word wall", `xx${CODE.replaceAll(/\W/g, "")}xx`],
];

describe("taken out", () => {
  test.each(DISGUISES)("%s", (_, hidden) => {
    const { text, found } = filter(`failed a.test.ts: shows\n  actual: ${hidden}\nAll else is told.`);
    expect(found).toEqual([0]);
    expect(text).toContain(DENIED);
    expect(text).not.toContain(hidden);
    expect(text).not.toContain(hidden.slice(10, 60));
    expect(text).toContain("All else is told.");
    expect(text).toContain("failed a.test.ts: shows");
  });
});

test.each([
  ["a failure", "failed test/percent.test.ts: half is fifty\n  expected: 50\n  actual: 51"],
  ["the agent's own code", OWN],
  ["what the types say", TYPES],
  ["the message of a declared error", "RangeError_: low is above high"],
  ["nothing", ""],
])("%s comes through as it is", (_, text) => {
  expect(filter(text)).toEqual({ text, found: [] });
});

test("the words of the refusal name the module whose code it was", () => {
  const two = sealedTextFilter(
    [
      { path: "/modules/clamp", texts: [CODE] },
      { path: "/modules/other", texts: ["function other() { return somethingVeryPrivateIndeed(1, 2); }"] },
    ],
    [],
  );
  const { text, found } = two("x somethingVeryPrivateIndeed(1, 2) y");
  expect(found).toEqual([1]);
  expect(text).toContain("'/modules/other'");
});
