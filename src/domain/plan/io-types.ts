// Which types a line of an I/O summary speaks of, so that searches can filter by the types of inputs and outputs.

/**
 * The types that a line such as `rows?: Array<Row> | null (at least one)` answers to, in one spelling: the whole type
 * (`row[]|null`) and each member of a union (`row[]`, `null`). What a promise brings counts like the promise itself.
 */
export function ioTypesOf(line: string): string[] {
  const type = withoutRemark(withoutName(line.trim()));
  const whole = spelled(type);
  const members = split(type, "|").map(spelled);
  const awaited = [whole, ...members].flatMap((each) => {
    const brought = /^(?:promise|awaitable|coroutine)[<[](.*)[>\]]$/s.exec(each)?.[1];
    return brought === undefined ? [] : [brought];
  });
  return [...new Set([whole, ...members, ...awaited])].filter((each) => each !== "");
}

/** The one spelling of a type that a person or an agent asks for. */
export function askedType(type: string): string {
  return spelled(type);
}

/** `name: type` or `name?: type`; a line without a name is a type already. */
const NAMED = /^([\p{L}\p{N}_$.-]+)(\??)\s*:\s*(.+)$/su;

/** The name that a line begins with, and whether it may be left out. */
export function ioNameOf(line: string): { name: string; optional: boolean } | undefined {
  const [, name, mark] = NAMED.exec(line.trim()) ?? [];
  return name === undefined ? undefined : { name, optional: mark === "?" };
}

function withoutName(line: string): string {
  return NAMED.exec(line)?.[3] ?? line;
}

/** What follows a type in brackets, after a comma, a semicolon or a dash is for people. */
function withoutRemark(type: string): string {
  let depth = 0;
  for (let at = 0; at < type.length; at++) {
    const rest = type.slice(at, at + 3);
    if (depth === 0 && at > 0 && isRemark(type[at - 1] ?? "", rest)) return type.slice(0, at);
    depth = Math.max(0, depth + depthChange(type, at));
  }
  return type;
}

function isRemark(before: string, rest: string): boolean {
  return /^(?:[,;]|\s+[—–-]\s)/u.test(rest) || (/^\s\(/.test(rest) && /[\p{L}\p{N}_>\])"']/u.test(before));
}

function split(type: string, separator: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let begin = 0;
  for (let at = 0; at < type.length; at++) {
    if (depth === 0 && type[at] === separator) {
      parts.push(type.slice(begin, at));
      begin = at + 1;
    }
    depth = Math.max(0, depth + depthChange(type, at));
  }
  return [...parts, type.slice(begin)];
}

/** The arrow of a function type closes nothing. */
function depthChange(type: string, at: number): number {
  const character = type[at] ?? "";
  if ("<[({".includes(character)) return 1;
  if (character === ">" && type[at - 1] === "=") return 0;
  return ">])}".includes(character) ? -1 : 0;
}

/** Letters and spaces make no difference, nor does the way to write a list. */
function spelled(type: string): string {
  const plain = type
    .toLowerCase()
    .replaceAll(/\breadonly\s+/g, "")
    .replaceAll(/\s+/g, "");
  const element = /^(?:readonlyarray|array)<(.*)>$/s.exec(plain)?.[1];
  return element === undefined ? plain : `${element}[]`;
}
