import { createHash } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { CupelError } from "../error.ts";
import { siblingSlugs, slugify } from "./slug.ts";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
/** The first seven hexadecimal digits of the SHA-256. */
const hash = (text: string): string => createHash("sha256").update(text).digest("hex").slice(0, 7);
const sluggable = fc.string({ unit: fc.constantFrom("a", "B", "7", " ", "-", "_", ".", "é", "日", "K") });

function slugOrCode(name: string): string {
  try {
    return slugify(name);
  } catch (error) {
    return error instanceof CupelError ? error.code : "a bug";
  }
}

function naiveSlug(name: string): string {
  let slug = "";
  for (const character of name.toLowerCase()) {
    const next = /[a-z0-9-]/.test(character) ? character : "-";
    if (next !== "-" || (slug !== "" && !slug.endsWith("-"))) slug += next;
  }
  while (slug.endsWith("-")) slug = slug.slice(0, -1);
  if (slug === "") return "invalid_input";
  if (slug.length <= 64) return slug;
  const kept = slug[55] === "-" ? slug.slice(0, 55) : slug.slice(0, 56);
  return `${kept}-${hash(slug)}`;
}

describe("slugify", () => {
  it.each([
    ["User Authentication", "user-authentication"],
    ["API v2.0 Integration", "api-v2-0-integration"],
    ["Setup DB & Cache Layer", "setup-db-cache-layer"],
    ["  Leading Spaces  ", "leading-spaces"],
    ["snake_case", "snake-case"],
    ["--a---b--", "a-b"],
    ["Café", "caf"],
    ["naïve", "na-ve"],
    ["__proto__", "proto"],
    ["../../etc/passwd", "etc-passwd"],
    ["0", "0"],
    ["a".repeat(64), "a".repeat(64)],
  ])("turns %j into %s", (name, slug) => expect(slugify(name)).toBe(slug));

  it("cuts what is longer than 64 characters to 56 and adds a hash of all of it", () => {
    const name = "x".repeat(65);
    expect(slugify(name)).toBe(`${"x".repeat(56)}-${hash(name)}`);
    expect(slugify(name)).toHaveLength(64);
    expect(slugify(`${name}y`)).not.toBe(slugify(`${name}z`));
  });

  it("drops the hyphen that a cut can leave, before the hash is added", () => {
    const full = `${"x".repeat(55)}-${"y".repeat(20)}`;
    expect(slugify(full)).toBe(`${"x".repeat(55)}-${hash(full)}`);
  });

  it.each(["", " ", "!!!", "日本語", "---"])("refuses %j and names it", (name) => {
    expect(() => slugify(name)).toThrow(CupelError);
    expect(() => slugify(name)).toThrow(
      expect.objectContaining({
        code: "invalid_input",
        message: `no slug can be made of ${JSON.stringify(name)}`,
        expected: "a name with at least one letter a to z or digit",
      }),
    );
  });

  it("follows the five steps, one character at a time", () => {
    fc.assert(
      fc.property(fc.oneof(sluggable, fc.string({ minLength: 60, maxLength: 90 })), (name) => {
        expect(slugOrCode(name)).toBe(naiveSlug(name));
      }),
      { numRuns: 500 },
    );
  });

  it("leaves slugs alone", () => {
    fc.assert(
      fc.property(sluggable, (name) => {
        fc.pre(/[a-z0-9]/i.test(name));
        expect(slugify(slugify(name))).toBe(slugify(name));
      }),
    );
  });
});

describe("siblingSlugs", () => {
  it.each([
    [[], []],
    [
      ["Login", "Logout"],
      ["login", "logout"],
    ],
    [
      ["Setup DB & Cache", "Setup DB + Cache"],
      ["setup-db-cache", "setup-db-cache-2"],
    ],
    [
      ["Login", "Login", "Login"],
      ["login", "login-2", "login-3"],
    ],
    [
      ["Login", "Login", "Login 2"],
      ["login", "login-2", "login-2-2"],
    ],
    [
      ["Login 2", "Login", "Login"],
      ["login-2", "login", "login-3"],
    ],
    [
      ["Login", "Login", "Login 2", "Login"],
      ["login", "login-2", "login-2-2", "login-3"],
    ],
    [
      ["constructor", "Constructor"],
      ["constructor", "constructor-2"],
    ],
  ])("gives %j the slugs %j", (names, slugs) => expect(siblingSlugs(names)).toEqual(slugs));

  it("cuts a long slug to make room for its suffix", () => {
    const name = "x".repeat(64);
    expect(siblingSlugs([name, name])).toEqual([name, `${"x".repeat(62)}-2`]);
    const hyphen = `${"x".repeat(61)}-yz`;
    expect(siblingSlugs([hyphen, hyphen])).toEqual([hyphen, `${"x".repeat(61)}-2`]);
    const [, second, other] = siblingSlugs([`${name.slice(1)}a`, `${name.slice(1)}a`, `${name.slice(1)}b`]);
    expect(second).toBe(`${"x".repeat(62)}-2`);
    expect(siblingSlugs([`${name.slice(1)}a`, `${name.slice(1)}a`, other ?? "", other ?? ""])[3]).toBe(
      `${"x".repeat(62)}-3`,
    );
  });

  it("names every sibling differently, validly, and first comers plainly", () => {
    const name = fc.oneof(
      fc.constantFrom("Login", "login!", "Login 2", "Login 2 2", "login-3", "L".repeat(70)),
      fc.constantFrom("a".repeat(64), `${"a".repeat(62)}-2`, `${"a".repeat(63)}b`),
    );
    fc.assert(
      fc.property(fc.array(name, { maxLength: 20 }), (names) => {
        const slugs = siblingSlugs(names);
        expect(new Set(slugs).size).toBe(names.length);
        expect(slugs.filter((slug) => !SLUG.test(slug) || slug.length > 64)).toEqual([]);
        const plain = names.map((name) => slugify(name));
        const mayBePlain = slugs.map((_, index) => !slugs.slice(0, index).includes(plain[index] ?? ""));
        expect(slugs.map((slug, index) => slug === plain[index])).toEqual(mayBePlain);
      }),
    );
  });

  it("is quick with very many equal names", () => {
    const slugs = siblingSlugs(Array.from({ length: 20_000 }, () => "Login"));
    expect(slugs.at(-1)).toBe("login-20000");
  });
});
