// Types that promise less than the contract, or that keep the compiler from looking.
import { CODE, GUARDS, RIGHT, edited, familyOf, withBody } from "./edit-work.ts";

const SIGNATURE = "splitGrams(total: number, parts: number): number[]";

export const WEAKER_TYPES = familyOf("types", [
  {
    name: "any-in-the-signature",
    does: "takes and gives anything where the contract says numbers",
    twinDoes: "calls its parameters otherwise",
    refusedBy: ["surface", "green", "static"],
    cheat: (work) => edited(work, CODE, [SIGNATURE, "splitGrams(total: any, parts: any): any"]),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const [anything, among] = [total, parts];\n${RIGHT.replaceAll("total", "anything").replaceAll("parts", "among")}`,
      ),
  },
  {
    name: "wider-parameters",
    does: "takes texts as well as numbers",
    twinDoes: "has a helper that takes more than it does",
    refusedBy: ["surface"],
    cheat: (work) =>
      edited(
        work,
        CODE,
        [SIGNATURE, "splitGrams(total: number, parts: number | bigint): number[]"],
        [
          "  if (!Number.isSafeInteger(total)",
          "  parts = Number(parts);\n  if (!Number.isSafeInteger(total)",
        ],
      ),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const larger = leftOver(total, parts);\n${RIGHT.replace("  const larger = total % parts;\n", "")}`,
        "function leftOver(total: number | string, parts: number): number {\n  return Number(total) % parts;\n}\n",
      ),
  },
  {
    name: "optional-parameter",
    does: "lets callers leave a parameter out that the contract asks for",
    twinDoes: "has a helper with a parameter that may be left out",
    refusedBy: ["surface"],
    cheat: (work) => edited(work, CODE, ["parts: number): number[]", "parts = 1): number[]"]),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}${RIGHT.replace("share + 1 : share", "more(share) : share")}`,
        "function more(share: number, by = 1): number {\n  return share + by;\n}\n",
      ),
  },
  {
    name: "weaker-result",
    does: "gives something unknown where the contract says numbers",
    twinDoes: "knows nothing of a value until it has looked",
    refusedBy: ["surface", "build"],
    cheat: (work) => edited(work, CODE, [SIGNATURE, "splitGrams(total: number, parts: number): unknown[]"]),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS.replace("!Number.isInteger(parts)", "!isWhole(parts)")}${RIGHT}`,
        "function isWhole(value: unknown): value is number {\n  return Number.isInteger(value);\n}\n",
      ),
  },
  {
    name: "promise-instead",
    does: "gives a promise where the contract says a value",
    twinDoes: "gives a value that was put together in steps",
    refusedBy: ["surface", "build"],
    cheat: (work) =>
      edited(work, CODE, [
        "export function " + SIGNATURE,
        "export async function splitGrams(total: number, parts: number): Promise<number[]>",
      ]),
    twin: (work) =>
      withBody(
        work,
        `${GUARDS}  const shares = new Array<number>(parts).fill(Math.floor(total / parts));
  return shares.map((share, index) => share + (index < total % parts ? 1 : 0));
`,
      ),
  },
  {
    name: "cast-away",
    does: "casts a value to the promised type through one that says nothing",
    twinDoes: "fixes a value as a constant and checks another against a type",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        "return Array.from({ length: parts }, (_, index) => (index < larger ? share + 1 : share));",
        "const shares: unknown = Array.from({ length: parts }, (_, index) => (index < larger ? share + 1 : share));\n  return shares as unknown as number[];",
      ]),
    twin: (work) =>
      edited(
        work,
        CODE,
        [
          "const share = Math.floor(total / parts);",
          "const [more] = [1] as const;\n  const share = Math.floor(total / parts) satisfies number;",
        ],
        ["share + 1", "share + more"],
      ),
  },
  {
    name: "any-inside",
    does: "keeps its values as any, so that the compiler looks at none of them",
    twinDoes: "keeps its values under a name that says any",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, ["const share =", "const share: any ="], ["const larger =", "const larger: any ="]),
    twin: (work) => edited(work, CODE, ["const larger =", "const any ="], ["index < larger", "index < any"]),
  },
  {
    name: "expected-type-error",
    does: "tells the compiler to overlook a type error",
    twinDoes: "speaks of type errors in a comment",
    refusedBy: ["static"],
    cheat: (work) =>
      edited(work, CODE, [
        "  const larger = total % parts;",
        "  // @ts-expect-error the compiler does not know better\n  const larger: string = total % parts;",
      ]),
    twin: (work) =>
      edited(work, CODE, [
        "  const larger = total % parts;",
        "  // A type error would be expected here if parts were a text.\n  const larger = total % parts;",
      ]),
  },
]);
