// Whether an amendment asks for something that anyone could check afterwards.
import { isPlaceholder } from "../product/placeholder.ts";

export interface Vagueness {
  field: "target" | "detail";
  expected: string;
  found: string;
}

interface AskedChange {
  action: "MODIFY" | "ADD" | "REMOVE";
  target: string;
  detail: string;
}

/** See `vagueness` for the rule. */
export function isVague(change: AskedChange): boolean {
  return vagueness(change) !== undefined;
}

/**
 * An amendment is vague when nobody could tell afterwards whether it was done:
 * - its target names nothing: a placeholder, "the code", "error handling";
 * - its detail is a placeholder;
 * - it modifies or adds, and its detail, without the words of the target and words that fit any code, holds neither an
 *   identifier (`EmptyText`, `max_length`, `utf8`) nor two other words. "Improve error handling" leaves nothing.
 * To REMOVE a target says it all, so there the detail may be short.
 */
export function vagueness({ action, target, detail }: AskedChange): Vagueness | undefined {
  if (isPlaceholder(target) || NAMELESS.test(target)) {
    return {
      field: "target",
      expected: "the name of one function, contract field, test or file",
      found: target,
    };
  }
  const asksForNothing = action !== "REMOVE" && !isConcrete(detail, target);
  if (!isPlaceholder(detail) && !asksForNothing) return undefined;
  return {
    field: "detail",
    expected: "the exact change, in words that would not fit any other code",
    found: detail,
  };
}

/** Deliberately short: `add`, `validate` or "handles errors" may well be the name of a function or a test. */
const NAMELESS =
  /^\s*(?:the |this |all |all the )*(?:code|codebase|everything|implementation|module|tests|test suite|error handling|documentation|logic|it|this)\s*$/i;

function isConcrete(detail: string, target: string): boolean {
  const named = new Set(wordsOf(target).map((word) => word.toLowerCase()));
  const left = wordsOf(detail).filter((word) => !isGeneric(word) && !named.has(word.toLowerCase()));
  return (
    left.some((word) => IDENTIFIER.test(word)) || new Set(left.map((word) => word.toLowerCase())).size > 1
  );
}

const IDENTIFIER = /\p{Ll}\p{Lu}|\p{L}\p{N}|_/u;

function wordsOf(text: string): string[] {
  return text.match(/[\p{L}\p{N}_$]+/gu) ?? [];
}

function isGeneric(word: string): boolean {
  return GENERIC.has(word.toLowerCase());
}

/** Words that say something about any code, and therefore nothing about this one. */
const GENERIC = new Set(
  `a about across after all also an and any are as at be been before best better both but by can code could do does done
  each etc every everything few for from further general generally good here how if in into is it its just less like
  little make makes making many may might more most much must need needed needs necessary new of on only or other our out
  overall please possible some somewhat such than that the their them then there these they thing things this those
  throughout to too up use used using various very way we well what when where which while will with within would you
  add added adding adds address adjust allow amend apply appropriate appropriately bad behave behavior behaviour bug bugs
  care carefully case cases change changed changes check checking checks clean cleaner cleanup clear clearer clearly
  comment comments complete completely consider consistency consistent consistently correct correctly correctness cover
  coverage design details different documentation document docs edge efficiency efficient efficiently enhance ensure
  error errors exception exceptions expand extend extra failure failures fast faster fix fixed fixes function functions
  handle handled handles handling harden hardening implement implementation implementations improve improved
  improvement improvements improving increase issue issues lacking lacks logging logic maintainability maintainable
  minor missing modify module modules naming nicer optimisation optimise optimization optimize performance polish
  problem problems proper properly provide quality readability readable refactor refine reliability reliable
  rethink review revise revisit rework rewrite robust robustness safer safety security should significantly simpler
  simplify slightly solid solve strengthen structure style suitable suitably support test tested testing tests thorough
  thoroughly tidy tweak update updates validate validation validations work works`.split(/\s+/),
);
