import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { redactor } from "./secrets.ts";

const KEY = 'q7"Zk/9vW\\x2R-tt';
const redact = redactor({
  MY_API_KEY: KEY,
  PGPASSWORD: "correct-horse",
  DATABASE_URL: "postgres://me:s3cr3t-pass@db/x",
  HOME: "/home/somebody",
  PWD: "/home/somebody/work",
  GIT_AUTHOR_NAME: "Ada Lovelace",
  SSH_AUTH_SOCK: "/tmp/agent.sock.1",
  SHORT_KEY: "abc",
  SERVICE_AUTH_URL: "https://login.example.org/start",
  EMPTY_TOKEN: undefined,
});

describe("values of variables that look like keys are gone", () => {
  test.each([
    ["as they are", `key=${KEY}.`],
    ["in JSON", JSON.stringify({ key: KEY })],
    ["in JSON in JSON", JSON.stringify(JSON.stringify({ key: KEY }))],
    [
      "with every character escaped",
      Array.from(KEY, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join(""),
    ],
    ["in an address", `https://x/?k=${encodeURIComponent(KEY)}`],
    ["broken over lines", `${KEY.slice(0, 6)}\n   ${KEY.slice(6)}`],
    ["put together", `"${KEY.slice(0, 4)}" + "${KEY.slice(4)}"`],
    ["letter by letter", Array.from(KEY).join(" ")],
  ])("%s", (_, text) => {
    const clean = redact(text);
    expect(clean).toContain("[secret]");
    expect(clean).not.toMatch(/q7|9vW|2R-tt|\\u0071/);
  });

  test("also where two entries of a transcript share one", () => {
    const texts = [`begin ${KEY.slice(0, 5)}`, `${KEY.slice(5)} end`];
    const transcript = texts.map((text) => ({ kind: "said", text }));
    expect(redact(texts)).toEqual(["begin [secret]", " end"]);
    expect(JSON.stringify(redact(transcript))).not.toMatch(/q7|9vW|2R-tt/);
  });

  test("passwords without the word key, and those inside addresses", () => {
    expect(redact("psql correct-horse s3cr3t-pass")).toBe("psql [secret] [secret]");
  });
});

describe("keys are known by how they look", () => {
  // In two parts, so that nobody takes this file for a leak.
  test.each([
    ["sk-ant-", "api03-AbCdEfGhIjKlMnOp_q-r"],
    ["sk-proj-", "AbCdEfGhIjKlMnOpQrStUvWx"],
    ["sk_live_", "AbCdEfGhIjKlMnOpQrStUvWx"],
    ["ghp_", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"],
    ["github_pat_", "11ABCDEFG0abcdefghijklmnop"],
    ["glpat-", "aBcDeFgHiJkLmNoPqRsT"],
    ["npm_", "aBcDeFgHiJkLmNoPqRsTuVwXyZ0123456789"],
    ["hf_", "aBcDeFgHiJkLmNoPqRsTuVwXyZ"],
    ["xoxb-", "123456789012-abcdefghijkl"],
    ["AKIA", "IOSFODNN7EXAMPLE"],
    ["AIza", "SyA1234567890abcdefghijklmnopqrstuv"],
    ["eyJ", "hbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.abcdefghijklmno"],
    ["tvly-", "abcdefghijklmnopqrst"],
  ])("%s…", (beginning, rest) => {
    expect(redact(`x ${beginning}${rest} y`)).toBe(`x ${beginning}[secret] y`);
    expect(redact(JSON.stringify({ a: `${beginning}${rest}` }))).toBe(`{"a":"${beginning}[secret]"}`);
  });

  test.each([
    ["Authorization: Bearer abcdef0123456789", "Authorization: Bearer [secret]"],
    ['{"authorization":"Basic dXNlcjpwYXNz"}', '{"authorization":"Basic [secret]"}'],
    ['"x-api-key": "abcdefgh12345"', '"x-api-key": "[secret]"'],
    ["https://user:hunter2@example.org/x", "https://user:[secret]@example.org/x"],
    ["https:\\/\\/user:hunter2@example.org", "https:\\/\\/user:[secret]@example.org"],
    [
      "-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----",
      "-----BEGIN RSA PRIVATE KEY-----[secret]-----END RSA PRIVATE KEY-----",
    ],
  ])("%j", (text, clean) => {
    expect(redact(text)).toBe(clean);
  });
});

describe("everything else stays", () => {
  test.each([
    "/home/somebody/work by Ada Lovelace, see https://login.example.org/start",
    `cupel-canary-${"0123456789abcdef".repeat(2)}`,
    "the key of a map, a bearer of news, a token, abc, sk-learn, https://example.org:8080/@scope/name",
    "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef",
  ])("%j", (text) => {
    expect(redact(text)).toBe(text);
  });

  test("whatever is no string, and the shape of every value", () => {
    const value = { a: [1, null, true, { b: "\uE000 text" }], "key name": "c" };
    expect(redact(value)).toEqual(value);
  });

  test("every text without a secret, whatever it holds", () => {
    const plain = redactor({ A_KEY: "Zq".repeat(20) });
    fc.assert(
      fc.property(fc.array(fc.string({ maxLength: 12 })), (texts) => {
        expect(plain(texts)).toEqual(texts);
      }),
    );
  });
});

test("a large transcript is cleaned in reasonable time", () => {
  const large = Array.from({ length: 50 }, (_, n) => `${'q 7 " '.repeat(4000)}${n}`);
  const begun = performance.now();
  redact(large);
  expect(performance.now() - begun).toBeLessThan(3000);
});

test.each([
  ["one word", "a".repeat(300_000)],
  ["base64", "Ab9+".repeat(75_000)],
  ["the beginnings of tokens", "eyJ-".repeat(75_000)],
  ["addresses without a password", "x://y:".repeat(50_000)],
  ["fields without a value", "authorization".padEnd(20).repeat(15_000)],
])("a hostile text of %s is cleaned in reasonable time", (_, text) => {
  const begun = performance.now();
  expect(redact(text)).toBe(text);
  expect(performance.now() - begun).toBeLessThan(1000);
});

test("what is nested deeper than anybody could read is cut off, not thrown over", () => {
  let deep: unknown = KEY;
  for (let depth = 0; depth < 100_000; depth++) deep = [deep];
  expect(JSON.stringify(redact({ a: KEY, deep }))).toMatch(/^\{"a":"\[secret\]","deep":\[+"\[too deep/);
});
