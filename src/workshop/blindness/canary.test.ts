// A canary is unguessable, and no output shows one to an agent, however it is written.
import { deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canaryFilter, canaryFinder, makeCanary, REMOVED, withoutCanaries } from "./canary.ts";
import { uncover } from "./uncover.ts";

const { token, text, file } = makeCanary();
const digits = token.slice("cupel-canary-".length);
const find = canaryFinder([makeCanary().token, token]);

function seen(bytes: string | Uint8Array): string[] {
  const { sightings } = uncover(find, Buffer.from(bytes), "first", 1 << 20);
  return sightings.map(({ canary, disguise }) => `${canary}: ${disguise}`);
}

const each = (mark: (char: string, at: number) => string) => Array.from(token).map(mark).join("");
const hexOf = (char: string) => char.charCodeAt(0).toString(16).padStart(2, "0");
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString("base64");

const TEXTS: [disguise: string, text: string, name: RegExp][] = [
  ["as it is", token, /verbatim$/],
  ["without its beginning", digits, /verbatim$/],
  ["its first half", token.slice(0, 29), /verbatim$/],
  ["its second half", digits.slice(16), /verbatim$/],
  ["in a sentence", `the token is ${token}, says the file`, /verbatim$/],
  ["in upper case", token.toUpperCase(), /upper case/],
  ["in mixed case", each((char) => (Math.random() < 0.5 ? char : char.toUpperCase())), /: /],
  ["reversed", Array.from(token).toReversed().join(""), /reversed$/],
  ["in hex", Buffer.from(token).toString("hex"), /hex/],
  ["in upper-case hex", Buffer.from(token).toString("hex").toUpperCase(), /hex/],
  ["as a C array", each((char) => `0x${hexOf(char)}, `), /hex, split/],
  ["as character codes", each((char) => `${char.charCodeAt(0)}, `), /character codes, split/],
  ["as a hex dump", hexDump(`${token} marks this workspace`), /./],
  ["in base64", base64(token), /base64/],
  ["in base64, one byte later", base64(`.${token}`), /base64/],
  ["in base64, two bytes later", base64(`..${token}`), /base64/],
  ["in the middle of base64", base64(`some words before ${token} and after`), /base64/],
  ["in base64url", Buffer.from(`?>${token}`).toString("base64url"), /base64/],
  ["in wrapped base64", base64(`a line before ${token}`).replaceAll(/.{19}/g, "$&\n"), /base64, split/],
  ["reversed in base64", base64(Array.from(token).toReversed().join("")), /reversed base64/],
  ["in base64 in base64", base64(base64(token)), /base64 in base64/],
  ["in hex in base64", base64(Buffer.from(token).toString("hex")), /hex in base64/],
  ["in base64 in hex", Buffer.from(base64(token)).toString("hex"), /base64 in hex/],
  ["reversed base64", Array.from(base64(token)).toReversed().join(""), /reversed base64/],
  ["split by spaces", Array.from(token).join(" "), /split/],
  ["split over lines", token.replaceAll(/.{7}/g, "$&\r\n"), /split/],
  ["split by zero-width spaces", Array.from(token).join("\u200B"), /split/],
  ["split by soft hyphens and joiners", Array.from(token).join("\u00AD\u2060\uFEFF"), /split/],
  ["in pieces of source text", `"${token.slice(0, 20)}" + "${token.slice(20)}"`, /split/],
  ["URL-encoded", each((char) => `%${hexOf(char)}`), /hex, split|escaped/],
  ["partly URL-encoded", each((char, at) => (at % 3 === 0 ? `%${hexOf(char)}` : char)), /escaped/],
  ["in JSON escapes", JSON.stringify(each((char) => String.raw`\u00${hexOf(char)}`)), /: /],
  [
    "partly in JSON escapes",
    each((char, at) => (at % 2 === 0 ? String.raw`\u00${hexOf(char)}` : char)),
    /escaped/,
  ],
  ["in JSON, split by new lines", JSON.stringify(Array.from(token).join("\n")), /split/],
  [
    "in base64 over lines in JSON in JSON",
    JSON.stringify(JSON.stringify(Array.from(base64(token)).join("\n"))),
    /base64, split, escaped/,
  ],
  ["in HTML entities", each((char) => `&#${char.charCodeAt(0)};`), /: /],
  ["in octal escapes", each((char) => `\\${char.charCodeAt(0).toString(8).padStart(3, "0")}`), /escaped/],
  ["as UTF-16 that was read as text", Array.from(token).join("\0"), /UTF-16/],
  ["as gzip in base64", base64(gzipSync(`..${token}`)), /inside gzip, inside base64/],
  ["split over lines, in base64", base64(Array.from(token).join("\n")), /split, inside base64/],
  ["in hex of hex", Buffer.from(Buffer.from(token).toString("hex")).toString("hex"), /hex, inside hex/],
  ["as zlib in hex", deflateSync(token).toString("hex"), /inside zlib, inside hex/],
];

const BYTES: [disguise: string, bytes: Uint8Array, name: RegExp][] = [
  ["in UTF-16", Buffer.from(token, "utf16le"), /UTF-16/],
  ["in big-endian UTF-16", Buffer.from(token, "utf16le").swap16(), /UTF-16/],
  ["in UTF-16 in base64", Buffer.from(base64(Buffer.from(token, "utf16le"))), /UTF-16 base64/],
  ["as gzip", gzipSync(token), /inside gzip/],
  ["as gzip in the middle", Buffer.concat([Buffer.from("before"), gzipSync(token)]), /inside gzip/],
  [
    "as gzip with a wrong checksum",
    Buffer.concat([gzipSync(token).subarray(0, -8), Buffer.alloc(8)]),
    /inside gzip/,
  ],
  ["as gzip that was cut", gzipSync(`${token}${"x".repeat(500)}`).subarray(0, -10), /inside gzip/],
  ["as zlib", deflateSync(token, { level: 1 }), /inside zlib/],
  ["as zlib with a small window", deflateSync(token, { windowBits: 9 }), /inside zlib/],
  ["as bare deflate", deflateRawSync(token), /inside deflate/],
  ["as gzip in gzip", gzipSync(gzipSync(token)), /inside gzip, inside gzip/],
  ["as base64 in zlib", deflateSync(base64(token)), /base64, inside zlib/],
  ["as a git object", deflateSync(`blob 45\0${token}`), /inside zlib/],
];

function hexDump(text: string): string {
  return (
    Buffer.from(text)
      .toString("hex")
      .match(/.{1,32}/g) ?? []
  )
    .map((line, index) => `${(index * 16).toString(16).padStart(8, "0")}: ${line.replaceAll(/.{4}/g, "$& ")}`)
    .join("\n");
}

describe("a canary", () => {
  test("is greppable, never the same twice, and its file says what it is", () => {
    expect(token).toMatch(/^cupel-canary-[0-9a-f]{32}$/);
    expect(file).toBe(".cupel-canary");
    expect(text).toMatch(new RegExp(`^${token} .*do not copy it.*\n$`));
    expect(new Set(Array.from({ length: 100 }, () => makeCanary().token)).size).toBe(100);
  });

  test.each(TEXTS)("is found %s", (_how, text, name) => {
    expect(seen(text).join("; ")).toMatch(name);
    expect(seen(text).every((sighting) => sighting.startsWith("1: "))).toBe(true);
    expect(seen(`${"lorem ipsum 0123 ".repeat(999)}${text}${" dolor 4567".repeat(999)}`)).not.toEqual([]);
  });

  test.each(BYTES)("is found %s", (_how, bytes, name) => {
    expect(seen(bytes).join("; ")).toMatch(name);
  });
});

test("a canary is found whatever its letters were turned into, if all of its digits are there", () => {
  const known = "cupel-canary-517b4c36e7e0d7ba0ebb14df79df8eb7";
  const turned = known.replaceAll(/[a-z]/g, (letter) =>
    String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97),
  );
  const found = (text: string) =>
    canaryFilter([known])
      .text(text)
      .found.map(({ disguise }) => disguise);
  expect(found(`// ${turned}\n`)).toEqual(["other letters, split"]);
  expect(found(turned.replace("517", "518"))).toEqual([]);
});

describe("what is no canary", () => {
  const other = makeCanary().token;
  test.each([
    ["another canary", other],
    ["another canary in base64", base64(other)],
    ["the beginning alone", "cupel-canary-"],
    ["the harness's own words", text.replace(token, `cupel-canary-${"0".repeat(32)}`)],
    [
      "random hex",
      fc.sample(
        fc.string({ unit: fc.constantFrom(...Array.from("0123456789abcdef")), minLength: 40000 }),
        1,
      )[0] ?? "",
    ],
    ["fifteen of its digits", digits.slice(0, 15)],
    ["its digits in another order", Array.from(digits).toSorted().join("")],
    ["nothing", ""],
  ])("%s is not found and stays as it is", (_what, text) => {
    expect(seen(text)).toEqual([]);
    expect(withoutCanaries(text, [token])).toEqual({ text, found: [] });
  });

  test("a text that no maker of canaries made is refused as one", () => {
    expect(() => withoutCanaries("x", ["cupel-canary-"])).toThrow(/not a canary/);
  });
});

describe("the filter", () => {
  test.each(TEXTS)("lets nothing through %s", (_how, text) => {
    const filtered = withoutCanaries(`before ${text} after`, [makeCanary().token, token]);
    expect(filtered.found.map((found) => found.canary)).toContain(1);
    expect(filtered.text).toContain(REMOVED);
    expect(seen(filtered.text)).toEqual([]);
  });

  test("keeps everything else, character for character", () => {
    const filtered = withoutCanaries(`é ${token} ü ${token}\n`, [token]);
    expect(filtered).toEqual({
      text: `é ${REMOVED} ü ${REMOVED}\n`,
      found: [{ canary: 0, disguise: "verbatim" }],
    });
  });

  test("sees what comes together only when something between it is cut out", () => {
    const nested = `${digits.slice(0, 15)}${token}${digits.slice(15)}`;
    expect(seen(withoutCanaries(nested, [token]).text)).toEqual([]);
  });

  test("withholds what it cannot open to the end", () => {
    const bomb = base64(gzipSync(Buffer.alloc(100 << 20)));
    expect(withoutCanaries(bomb, [token]).text).toMatch(/^\[output withheld: .*holds too much/);
  });

  test.each<[string, Uint8Array, RegExp]>([
    ["too large", gzipSync(Buffer.alloc(100 << 20)), /holds too much/],
    ["too deep", Array.from("1234567").reduce((inner) => gzipSync(inner), Buffer.from(token)), /too deep/],
  ])("says that it withheld what is %s, though it found nothing in it", (_what, bytes, why) => {
    const filter = canaryFilter([token]);
    expect(filter.bytes(bytes)).toMatchObject({ found: [], unread: expect.stringMatching(why) as unknown });
    const text = filter.text(base64(bytes));
    expect(text).toMatchObject({ found: [], unread: expect.stringMatching(why) as unknown });
  });

  test("withholds nothing where there is nothing to look for, however deep it is folded", () => {
    const deep = Array.from("1234567").reduce((inner) => gzipSync(inner), Buffer.from("honest"));
    const filter = canaryFilter([]);
    expect(filter.bytes(deep)).toEqual({ bytes: deep, found: [], unread: undefined });
    expect(filter.text(base64(deep))).toEqual({ text: base64(deep), found: [], unread: undefined });
  });

  test("says nothing of the kind where it looked at everything", () => {
    const filter = canaryFilter([token]);
    for (const text of ["", "honest", token, base64(gzipSync(token))]) {
      expect([filter.text(text).unread, filter.bytes(Buffer.from(text)).unread]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });

  test("leaves any other text alone, and never the canary, wherever it is put", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (before, after) => {
        expect(withoutCanaries(before + after, [token]).text).toBe(before + after);
        expect(seen(withoutCanaries(before + token + after, [token]).text)).toEqual([]);
      }),
    );
  });
});
