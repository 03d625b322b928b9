// The message of every commit that the factory makes: `phase: description`, a summary, and trailers.
import { CupelError } from "../../domain/error.ts";

/** Who read a message knows what was done, in which session, by which node, for how much. */
export interface CommitMessage {
  /** `tests`, `impl`, `merge`, or with a scope: `feat(auth)`. */
  phase: string;
  description: string;
  /** The summary of the structured output; may be empty. */
  body: string;
  session: string;
  node: string;
  /** A price that nobody knows stays unknown; it is never zero. */
  costUsd: number | "unknown";
  /** Of the one commit that a node of a tree became on its parent's branch. */
  folded?: Folded;
}

export interface Folded {
  node: string;
  /** What stood on the node's own branch. */
  tip: string;
}

const PHASE = /^[a-z][a-z0-9-]{0,31}(\([\w./+-]{1,64}\))?$/;
const SUBJECT_LENGTH = 200;
const VALUE_LENGTH = 256;
const BODY_LENGTH = 64 * 1024;
const COST_LIMIT = 1e9;

/**
 * Trailers are the last paragraph, so text of an agent cannot become one: a blank line precedes them, values are
 * one line, and lines of the body at which git would stop reading are indented.
 */
export function renderCommitMessage(message: CommitMessage): string {
  const { phase, description, body, session, node, costUsd, folded } = normalised(message);
  const tree = folded === undefined ? "" : `Cupel-Node: ${folded.node}\nCupel-Tip: ${folded.tip}\n`;
  const trailers = `Session: ${session}\nNode: ${node}\nCost: ${renderCost(costUsd)}\n${tree}`;
  const summary = body === "" ? "" : `${body.replaceAll(GIT_STOPS_AT, " $&")}\n\n`;
  return `${phase}: ${description}\n\n${summary}${trailers}`;
}

/** Undefined for a message of another form, such as a person's own. It proves nothing about who wrote it. */
export function parseCommitMessage(text: string): CommitMessage | undefined {
  const match = MESSAGE.exec(text);
  const { phase, description, body = "", session, node, cost, folded, tip } = match?.groups ?? {};
  if (phase === undefined || description === undefined) return undefined;
  if (session === undefined || node === undefined) return undefined;
  if (!PHASE.test(phase)) return undefined;
  const unindented = body.replaceAll(INDENTED_STOP, "");
  return {
    phase,
    description,
    body: unindented,
    session,
    node,
    costUsd: cost === undefined ? "unknown" : Number(cost),
    ...(folded === undefined || tip === undefined ? {} : { folded: { node: folded, tip } }),
  };
}

/** What is left of a message when it is written and read back. */
export function normalised(message: CommitMessage): CommitMessage {
  if (!PHASE.test(message.phase)) {
    throw new CupelError("invalid_input", `${JSON.stringify(message.phase)} is not a phase of a commit`, {
      expected: "a word such as tests, or a word with a scope such as feat(auth)",
    });
  }
  return {
    phase: message.phase,
    description: oneLine("description", message.description, SUBJECT_LENGTH),
    body: paragraphs(message.body),
    session: oneLine("session", message.session, VALUE_LENGTH),
    node: oneLine("node", message.node, VALUE_LENGTH),
    costUsd: roundedCost(message.costUsd),
    ...(message.folded === undefined ? {} : { folded: checkedFolded(message.folded) }),
  };
}

function renderCost(usd: number | "unknown"): string {
  if (usd === "unknown") return usd;
  return `$${usd.toFixed(COST_DIGITS).replace(/0{1,4}$/, "")}`;
}

const COST_DIGITS = 6;

/** A divider, a comment, or the line of scissors: `git interpret-trailers` reads nothing below some of them. */
const GIT_STOPS_AT = /^ *(?=---|#)/gm;
const INDENTED_STOP = /^ (?= *(---|#))/gm;

const MESSAGE =
  /^(?<phase>[^\s:]+): (?<description>[^\n]+)\n\n(?:(?<body>[^]+)\n\n)?Session: (?<session>[^\n]+)\nNode: (?<node>[^\n]+)\nCost: (?:\$(?<cost>\d+\.\d{2,6})|unknown)(?:\nCupel-Node: (?<folded>[a-z0-9-]+)\nCupel-Tip: (?<tip>[0-9a-f]{40,64}))?\n*$/;

function checkedFolded({ node, tip }: Folded): Folded {
  if (/^[a-z0-9-]{1,64}$/.test(node) && /^[0-9a-f]{40,64}$/.test(tip)) return { node, tip };
  throw new CupelError(
    "invalid_input",
    `${JSON.stringify({ node, tip })} is no node of a tree with its tip`,
    {
      expected: "a name such as parse-duration and the full id of a commit",
    },
  );
}

function oneLine(what: string, text: string, limit: number): string {
  const line = readable(text).replaceAll(/\s+/g, " ").trim();
  if (line === "") throw new CupelError("invalid_input", `the ${what} of a commit is empty`);
  return cut(line, limit);
}

function paragraphs(text: string): string {
  const lines = readable(text.replaceAll(/\r\n?/g, "\n")).split("\n");
  const body = lines.map((line) => line.trimEnd()).join("\n");
  return cut(body.replaceAll(/^\n+|\n+$/g, ""), BODY_LENGTH);
}

/** Without characters that a terminal acts on or that reorder the text around them. */
function readable(text: string): string {
  return text
    .replaceAll(/\p{Cs}/gu, "\uFFFD")
    .replaceAll(/(?![\n\t])[\p{Cc}\u{202A}-\u{202E}\u{2066}-\u{2069}]/gu, " ");
}

function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text
    .slice(0, limit - 1)
    .replace(/[\uD800-\uDBFF]$/, "")
    .trimEnd()}…`;
}

function roundedCost(usd: number | "unknown"): number | "unknown" {
  if (usd === "unknown") return usd;
  if (usd >= 0 && usd < COST_LIMIT) return Number(usd.toFixed(COST_DIGITS));
  throw new CupelError("invalid_input", `${usd} is not what a commit can have cost`, {
    expected: "an amount of dollars, zero or more",
  });
}
