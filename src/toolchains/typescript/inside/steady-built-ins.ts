// Watches for the moment what promises are weighed with: whoever changes it during a call and puts it back afterwards has
// been judged by what it brought along.

/** Taken before the module is loaded, which could put others in their place. */
const { getOwnPropertyDescriptor, ownKeys } = Reflect;

const HOLDERS: readonly (readonly [string, object])[] = [
  ...[Array, String, Number, Boolean, Map, Set, Date, RegExp, Object, Error].flatMap(
    (each): [string, object][] => [
      [each.name, each],
      [`${each.name}.prototype`, each.prototype],
    ],
  ),
  ["Math", Math],
  ["JSON", JSON],
  ["an array's iterator", Object.getPrototypeOf([].values())],
];

/** What is gone through by, and what sets and maps fill themselves with. */
const ALWAYS: ReadonlySet<PropertyKey> = new Set(["next", "add", "set"]);

/** Only what the expressions name, and what they use without a name: it is looked at after every call. */
export function steadyBuiltIns(expressions: readonly string[]): () => string | undefined {
  const words = new Set<PropertyKey>(expressions.flatMap((text) => text.match(/[A-Za-z_$][\w$]*/g) ?? []));
  const named = (key: PropertyKey) => typeof key === "symbol" || ALWAYS.has(key) || words.has(key);
  const known = HOLDERS.flatMap(([name, holder]) =>
    ownKeys(holder)
      .filter(named)
      .map((key) => ({ name: `${name}.${String(key)}`, holder, key, value: valueOf(holder, key) })),
  );
  return () => known.find(({ holder, key, value }) => !Object.is(valueOf(holder, key), value))?.name;
}

function valueOf(holder: object, key: PropertyKey): unknown {
  const field = getOwnPropertyDescriptor(holder, key);
  return field?.get ?? field?.value;
}
