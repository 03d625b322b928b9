// Renders a Jinja template and refuses what Jinja would leave empty: a name that is not there is an error with its place.
import { Environment, Interpreter, parse, tokenize } from "@huggingface/jinja";
import { CupelError } from "../../domain/error.ts";

/** A template after its partials were put in: each of its lines knows where it came from. */
export interface TemplateText {
  lines: readonly { text: string; file: string; line: number }[];
}

/** What the engine gives us to look at; its own types do not resolve. */
interface Node {
  type: string;
  value?: unknown;
  object?: Node;
  property?: Node;
  test?: Node;
  filter?: Node;
  callee?: Node;
}
interface Value {
  type: string;
  value: string;
}
interface Token {
  type: string;
  value: string;
}

export function renderTemplate(template: TemplateText, context: Readonly<Record<string, unknown>>): string {
  const place = new Place(template);
  try {
    const program = parsed(template, place);
    const environment = new Environment();
    for (const [name, value] of Object.entries({ ...CONSTANTS, ...context })) environment.set(name, value);
    return new StrictInterpreter(environment, place).evaluate(program, environment).value;
  } catch (cause) {
    if (cause instanceof CupelError) throw cause;
    const why =
      cause instanceof TypeError ? UNCLOSED : cause instanceof Error ? cause.message : String(cause);
    throw new CupelError("invalid_input", `${place.now()}: ${why}`, { cause, hint: HINT });
  }
}

const CONSTANTS = { true: true, false: false, none: null };
/** The engine reads past the end without noticing. */
const UNCLOSED = "the template ends before everything it opened is closed";
const HINT = "correct the template; its variables are the keys of the role's input";

/** Follows the engine through the template, so that whatever goes wrong can be pointed at. */
class Place {
  readonly #template: TemplateText;
  readonly #lineOf = new WeakMap<Node, number>();
  #line = 0;

  constructor(template: TemplateText) {
    this.#template = template;
  }
  at(line: number): void {
    this.#line = line;
  }
  mark(node: Node, line: number): void {
    this.#lineOf.set(node, line);
  }
  visit(node: Node): void {
    const named = node.filter?.callee ?? node.filter ?? node;
    this.#line = this.#lineOf.get(named) ?? this.#line;
  }
  now(): string {
    const origin = this.#template.lines[this.#line];
    return origin === undefined ? "a template without lines" : `${origin.file}:${origin.line}`;
  }
}

class StrictInterpreter extends Interpreter {
  readonly #place: Place;
  /** Inside `x is defined` asking is allowed. */
  #asking = 0;

  constructor(environment: unknown, place: Place) {
    super(environment);
    this.#place = place;
  }

  evaluate(node: Node | undefined, environment: unknown): Value {
    if (node === undefined) return super.evaluate(node, environment);
    this.#place.visit(node);
    const asks =
      node.type === "TestExpression" &&
      /^(un)?defined$/.test(typeof node.test?.value === "string" ? node.test.value : "");
    if (asks) this.#asking++;
    try {
      const value: Value = super.evaluate(node, environment);
      if (value.type === "UndefinedValue" && NAMES.has(node.type) && this.#asking === 0) this.#refuse(node);
      return value;
    } finally {
      if (asks) this.#asking--;
    }
  }

  #refuse(node: Node): never {
    this.#place.visit(node.property ?? node);
    throw new CupelError("invalid_input", `${this.#place.now()}: nothing is called ${nameOf(node)}`, {
      expected: "only names that the role's input has",
      hint: HINT,
    });
  }
}

const NAMES = new Set(["Identifier", "MemberExpression"]);

function nameOf(node: Node): string {
  if (node.object !== undefined && node.property !== undefined)
    return `${nameOf(node.object)}.${nameOf(node.property)}`;
  return typeof node.value === "string" ? node.value : `[${node.type}]`;
}

const OPTIONS = { lstrip_blocks: true, trim_blocks: true };
/** Words that the parser compares with; everything else may carry a mark through it. */
const KEYWORDS = new Set(
  (
    "set endset if elif else endif for endfor in is not and or macro endmacro call endcall filter endfilter " +
    "break continue recursive true false none True False None"
  ).split(" "),
);
/** No template can hold it: tokens with it would be refused. */
const MARK = "\u0001";

/** The engine forgets where a token stood, so each name carries its line through the parser. */
function parsed(template: TemplateText, place: Place): Node {
  const source = template.lines.map(({ text }) => text).join("\n");
  if (source.includes(MARK)) throw new Error("a template cannot hold control characters");
  const tokens: Token[] = tokenize(source, OPTIONS);
  const lines = linesOf(tokens, source);
  const marked = tokens.map((token, index) => {
    if (token.type !== "Identifier" || KEYWORDS.has(token.value)) return token;
    return { type: token.type, value: `${token.value}${MARK}${lines[index] ?? 0}` };
  });
  let furthest = 0;
  const watched = new Proxy(marked, {
    get(target, key): unknown {
      const index = typeof key === "string" ? Number(key) : Number.NaN;
      if (index < target.length) place.at(lines[(furthest = Math.max(furthest, index))] ?? 0);
      return Reflect.get(target, key);
    },
  });
  const program: Node = parse(watched);
  unmark(program, place);
  place.at(0);
  return program;
}

/** Every token is a piece of the source, in order; what the engine strips lies between them. */
function linesOf(tokens: readonly Token[], source: string): number[] {
  let cursor = 0;
  let line = 0;
  return tokens.map(({ type, value }) => {
    // A text may have lost spaces at its ends, and a string its escapes.
    const start = type === "StringLiteral" ? cursor : source.indexOf(value, cursor);
    if (start >= cursor) {
      line += newlinesIn(source, cursor, start);
      const own = type === "StringLiteral" ? 0 : value.length;
      const before = line;
      line += newlinesIn(source, start, start + own);
      cursor = start + own;
      return before;
    }
    return line;
  });
}

function newlinesIn(text: string, from: number, to: number): number {
  return text.slice(from, to).split("\n").length - 1;
}

function unmark(part: unknown, place: Place): void {
  if (part instanceof Map) return unmark([...part], place);
  if (Array.isArray(part)) {
    for (const inner of part) unmark(inner, place);
    return;
  }
  if (typeof part !== "object" || part === null) return;
  if (isNode(part) && typeof part.value === "string" && part.value.includes(MARK)) {
    const [name, line] = part.value.split(MARK);
    part.value = name;
    place.mark(part, Number(line));
  }
  for (const inner of Object.values(part)) unmark(inner, place);
}

function isNode(part: object): part is Node {
  return "type" in part && part.type === "Identifier";
}
