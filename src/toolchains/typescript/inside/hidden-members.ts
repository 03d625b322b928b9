// Runs inside a site: tells what callers can reach through what a module exports without a word of it in its signatures.

/** Taken before foreign code can put others in their place. */
const { get, getOwnPropertyDescriptor, getPrototypeOf, ownKeys } = Reflect;
const OF_EVERY_FUNCTION: readonly PropertyKey[] = ["length", "name", "prototype", "arguments", "caller"];
const OF_EVERY_KIND: readonly unknown[] = [
  () => 0,
  async () => 0,
  function* () {},
  async function* () {},
  {},
].map(getPrototypeOf);
const errorPrototype = Error.prototype;
const isPrototypeOf: (this: object, value: object) => boolean = get(Object.prototype, "isPrototypeOf");

interface Promised {
  /** Signatures by the names of entry points; classes have members that their own entry points tell. */
  promised: Readonly<Record<string, string>>;
  /** Names of members that stand in the classes of the code, where the compiler sees them. */
  members: Readonly<Record<string, readonly string[]>>;
}

export function hiddenMembers(loaded: unknown, { promised, members }: Promised): string[] {
  if (typeof loaded !== "object" || loaded === null) return [];
  return Object.keys(loaded).flatMap((name) => {
    const exported: unknown = get(loaded, name);
    if (typeof exported !== "function") return [];
    const signature = promised[name];
    const hidden =
      signature === undefined ? hungOnError(exported, members[name]) : hungOnFunction(exported, signature);
    return hidden.map((key) => `what callers can reach: ${name}.${key}, which no contract names`);
  });
}

function hungOnFunction(exported: Function, signature: string): string[] {
  if (/^\(?\s*(?:abstract\s+)?new\b/.test(signature)) return [];
  const named = (key: PropertyKey) => OF_EVERY_FUNCTION.includes(key) || signature.includes(String(key));
  const inherited: unknown = getPrototypeOf(exported);
  const made: unknown = get(exported, "prototype");
  return [
    ...keysOf(exported).filter((key) => !named(key)),
    ...(OF_EVERY_KIND.includes(inherited) ? [] : keysOf(inherited).filter((key) => !named(key))),
    ...keysOf(made).flatMap((key) => (key === "constructor" ? [] : [`prototype.${String(key)}`])),
  ].map(String);
}

/** What was not written into the class of an error the compiler has not seen. */
function hungOnError(exported: Function, members: readonly string[] | undefined): string[] {
  const made: unknown = get(exported, "prototype");
  // What others have made is theirs.
  if (members === undefined) return [];
  if (!isHolder(made) || !Reflect.apply(isPrototypeOf, errorPrototype, [made])) return [];
  return [exported, made].flatMap((holder: unknown) =>
    keysOf(holder)
      .filter((key): key is string => typeof key === "string" && key !== "constructor")
      .filter((key) => !members.includes(key) && typeof valueOf(holder, key) === "function"),
  );
}

function keysOf(holder: unknown): PropertyKey[] {
  return isHolder(holder) ? ownKeys(holder) : [];
}

function valueOf(holder: unknown, key: PropertyKey): unknown {
  return isHolder(holder) ? getOwnPropertyDescriptor(holder, key)?.value : undefined;
}

function isHolder(value: unknown): value is object {
  return (typeof value === "object" && value !== null) || typeof value === "function";
}
