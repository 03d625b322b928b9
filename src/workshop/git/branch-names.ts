// What branches and other refs of the hub are called, and which names are refused.
import { createHash } from "node:crypto";
import { CupelError } from "../../domain/error.ts";

/** The stages of a session that have a branch; `node` is the trunk of one node of the fractal tree. */
export type BranchKind = "skeleton" | "tests" | "impl" | "merge" | "node";

/**
 * `tests-abc123`; below a node of the fractal tree `tests-abc123+auth+login`. Between nodes stands `+`, never `/`:
 * git cannot hold `a` and `a/b` at once, and a parent's branch lives as long as its children's.
 */
export function branchName(kind: BranchKind, session: string, nodePath: readonly string[] = []): string {
  if (!SESSION.test(session)) {
    throw new CupelError("invalid_input", `${JSON.stringify(session)} cannot be part of a branch name`, {
      expected: "letters, digits and inner dashes, at most 64",
    });
  }
  const name = [`${kind}-${session}`, ...nodePath.map(segment)].join("+");
  return name.length <= NAME_LIMIT ? name : `${name.slice(0, NAME_LIMIT - 13)}-${digest(name, 12)}`;
}

/** Where work that a lost run left behind is kept. */
export function salvageRef(workspace: string, what: string): string {
  const ref = `refs/salvage/${workspace}/${what}`;
  if (ONE_NAME.test(workspace) && ONE_NAME.test(what) && isSafeRefName(ref)) return ref;
  throw new CupelError("invalid_input", `${JSON.stringify(ref)} is not a name for salvaged work`);
}

/** The full name of a branch; a name that git or a command line could take for something else is refused. */
export function branchRef(name: string): string {
  if (isSafeBranchName(name)) return `refs/heads/${name}`;
  throw new CupelError("invalid_input", `${JSON.stringify(name)} is not a name for a branch`, {
    expected: "a name that git check-ref-format --branch takes",
  });
}

export function isSafeBranchName(name: string): boolean {
  // Each of the two means what is checked out.
  if (name === "HEAD" || name === "@") return false;
  return !name.startsWith("-") && isSafeRefName(`refs/heads/${name}`);
}

/** The rules of `git check-ref-format`, and room for the file that holds the ref and its lock. */
export function isSafeRefName(ref: string): boolean {
  if (!ref.startsWith("refs/") || FORBIDDEN.test(ref) || ref.endsWith(".") || !ref.isWellFormed())
    return false;
  return ref.split("/").every(isSafeComponent);
}

const SESSION = /^[A-Za-z0-9]([A-Za-z0-9-]{0,62}[A-Za-z0-9])?$/;
const ONE_NAME = /^[\w+@.-]+$/;
const NAME_LIMIT = 200;
const COMPONENT_BYTES = 250;
// oxlint-disable-next-line no-control-regex -- control characters are what is refused
const FORBIDDEN = /[\u0000-\u0020\u007F~^:?*[\\]|\.\.|@\{/;

function isSafeComponent(part: string): boolean {
  if (part === "" || part.startsWith(".") || part.endsWith(".lock")) return false;
  return Buffer.byteLength(part) <= COMPONENT_BYTES;
}

/** Ids of nodes come from agents: what is lost on the way to a safe name comes back as a hash of the whole. */
function segment(id: string): string {
  const safe = id.toLowerCase().replaceAll(/[^a-z0-9_]+/g, "-");
  if (safe === id && id !== "" && id.length <= 40 && !HASHED.test(id)) return safe;
  return `${safe.slice(0, 31)}-${digest(id, 8)}`;
}

/** A plain id of this form could be mistaken for the shortened name of another. */
const HASHED = /-[0-9a-f]{8}$/;

function digest(text: string, length: number): string {
  return createHash("sha256").update(text).digest("hex").slice(0, length);
}
