// Builtin task: which rules a password breaks.
import { builtinTask } from "../builtin-task.ts";
import { ORACLE } from "../oracles/password-rules.ts";

export const PASSWORD_RULES = builtinTask({
  id: "password-rules",
  area: "validation",
  title: "Rules for passwords",
  purpose: "Says which rules a new password breaks, all of them at once.",
  tags: ["password", "rules"],
  entries: [
    {
      entry: "brokenRules",
      signature: "(password: string, user: string) => string[]",
      inputs: [
        { name: "password", type: "string" },
        { name: "user", type: "string" },
      ],
      output: {
        name: "broken",
        type: "string[]",
        invariants: [
          {
            invariant: "has only known rules, none twice",
            ensures:
              'result.every((rule, at) => ["length", "digit", "cases", "repeats", "user"].includes(rule) && result.indexOf(rule) === at)',
          },
        ],
      },
      errors: [],
      examples: [
        { title: "a good one", args: ['"Orange7Tree"', '"ada"'], gives: "[]" },
        { title: "a bad one", args: ['"ada"', '"Ada"'], gives: '["length", "digit", "cases", "user"]' },
      ],
    },
  ],
  constraints: {
    C1: "`length` is broken by fewer than 10 or more than 64 characters; a character that takes two places in a text counts once.",
    C2: "`digit` is broken where no digit 0 to 9 is in it.",
    C3: "`cases` is broken unless it has a small letter a to z and a capital letter A to Z.",
    C4: "`repeats` is broken by the same character three times in a row.",
    C5: "`user` is broken where the name of the user is in it, whatever the case of either; an empty name breaks nothing.",
    C6: "All broken rules are given, in the order length, digit, cases, repeats, user.",
  },
  source: String.raw`/** The names of the rules that a password breaks. */
export function brokenRules(password: string, user: string): string[] {
  const { length } = [...password];
  const checks: [string, boolean][] = [
    ["length", length >= 10 && length <= 64],
    ["digit", /\d/.test(password)],
    ["cases", /[a-z]/.test(password) && /[A-Z]/.test(password)],
    ["repeats", !/(.)\1\1/su.test(password)],
    ["user", user === "" || !password.toLowerCase().includes(user.toLowerCase())],
  ];
  return checks.filter(([, isKept]) => !isKept).map(([rule]) => rule);
}
`,
  tests: String.raw`
// C1: from 10 to 64 characters
expect(brokenRules("Abcdefgh1", "")).toEqual(["length"]);
expect(brokenRules("Abcdefghi1", "")).toEqual([]);
expect(brokenRules("Ab1".repeat(21) + "x", "")).toEqual([]);
expect(brokenRules("Ab1".repeat(21) + "xy", "")).toEqual(["length"]);
expect(brokenRules("Abcdefg1\u{1F600}", "")).toEqual(["length"]);

// C2: a digit is needed
expect(brokenRules("Abcdefghij", "")).toEqual(["digit"]);
expect(brokenRules("0Abcdefghij", "")).toEqual([]);

// C3: small and capital letters are needed
expect(brokenRules("abcdefghi1", "")).toEqual(["cases"]);
expect(brokenRules("ABCDEFGHI1", "")).toEqual(["cases"]);

// C4: no character comes three times in a row
expect(brokenRules("Abcdeffghi1", "")).toEqual([]);
expect(brokenRules("Abcdefffghi1", "")).toEqual(["repeats"]);
expect(brokenRules("Abcdefgh111", "")).toEqual(["repeats"]);
expect(brokenRules("Abcdefghi1\n\n\n", "")).toEqual(["repeats"]);

// C5: the user is not in it
expect(brokenRules("MyAdaTree77", "ada")).toEqual(["user"]);
expect(brokenRules("my adA tree 77", "ADA")).toEqual(["user"]);
expect(brokenRules("Orange7Tree", "")).toEqual([]);

// C5: whoever is in it is found
fc.assert(
  fc.property(fc.stringMatching(/^[b-y]{1,8}$/), (user) => {
    expect(brokenRules("Az1" + user.toUpperCase() + "zA2", user)).toContain("user");
  }),
);

// C6: all of them, in order
expect(brokenRules("", "x")).toEqual(["length", "digit", "cases"]);
expect(brokenRules("aaa", "AA")).toEqual(["length", "digit", "cases", "repeats", "user"]);
`,
  wrongTests: `
// C1: ten characters are too few
expect(brokenRules("Abcdefghi1", "")).toEqual(["length"]);

// C4: two of the same in a row are too many
expect(brokenRules("Abbcdefghi1", "")).toEqual(["repeats"]);

// C5: an empty name is in every password
expect(brokenRules("Orange7Tree", "")).toEqual(["user"]);
`,
  omissions: String.raw`
// C1: wrong-boundary
-     ["length", length >= 10 && length <= 64],
+     ["length", length > 10 && length <= 64],
// C1: missing-edge-case
-   const { length } = [...password];
+   const { length } = password;
// C5: missing-edge-case
-     ["user", user === "" || !password.toLowerCase().includes(user.toLowerCase())],
+     ["user", !password.toLowerCase().includes(user.toLowerCase())],
// C5: ignored-constraint
-     ["user", user === "" || !password.toLowerCase().includes(user.toLowerCase())],
+     ["user", user === "" || !password.toLowerCase().includes(user)],
// C3: missing-error-surface
-     ["cases", /[a-z]/.test(password) && /[A-Z]/.test(password)],
+     ["cases", /[a-z]/.test(password)],
// C5: swapped-arguments
-     ["user", user === "" || !password.toLowerCase().includes(user.toLowerCase())],
+     ["user", user === "" || !user.toLowerCase().includes(password.toLowerCase())],
// C4: wrong-boundary
-     ["repeats", !/(.)\1\1/su.test(password)],
+     ["repeats", !/(.)\1\1\1/su.test(password)],
`,
  oracle: ORACLE,
});
