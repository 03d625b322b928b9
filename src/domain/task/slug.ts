// Turns names of people into names of folders: lower case letters, digits and single hyphens, at most 64 characters.
import { sha256Hex } from "../canonical.ts";
import { CupelError } from "../error.ts";

const LONGEST_SLUG = 64;
const CUT = 56;
const HASH_LENGTH = 7;

/**
 * A slug that is too long is cut to 56 characters and ends in a hash of all of it. Where the cut leaves a hyphen at
 * the end, that hyphen goes, so that the result never holds two in a row; it is then shorter than 64.
 */
export function slugify(name: string): string {
  const slug = name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "");
  if (slug === "") {
    throw new CupelError("invalid_input", `no slug can be made of ${JSON.stringify(name)}`, {
      expected: "a name with at least one letter a to z or digit",
      hint: "give it a name that also says it in Latin letters",
    });
  }
  return slug.length <= LONGEST_SLUG ? slug : `${cut(slug, CUT)}-${sha256Hex(slug).slice(0, HASH_LENGTH)}`;
}

/**
 * One slug for each of the names that share a parent: a slug that is taken gets -2, -3 and so on, in declaration
 * order. A name that already reads like a suffixed one ("Login 2" after two times "Login") counts as a repetition of
 * that (login-2-2). Where a suffix does not fit into 64 characters, the slug before it is cut.
 */
export function siblingSlugs(names: readonly string[]): string[] {
  const taken = new Set<string>();
  const repetitions = new Map<string, number>();
  return names.map((name) => {
    const base = slugify(name);
    let slug = base;
    let number = repetitions.get(base) ?? 1;
    while (taken.has(slug)) {
      number++;
      slug = suffixed(base, number);
    }
    repetitions.set(base, number);
    taken.add(slug);
    return slug;
  });
}

function suffixed(slug: string, number: number): string {
  const suffix = `-${number}`;
  return cut(slug, LONGEST_SLUG - suffix.length) + suffix;
}

function cut(slug: string, length: number): string {
  return slug.slice(0, length).replace(/-$/, "");
}
