// Tells what of the things that all code of a process shares was changed since somebody looked first.

/** Asked before foreign code is loaded; the answer names what is another than then. */
export function sharedThings(): () => string[] {
  const before = HOLDERS.map(([name, holder]) => ({ name, holder, fields: fieldsOf(holder) }));
  return () => before.flatMap(({ name, holder, fields }) => changesOf(name, fields, fieldsOf(holder)));
}

const CLASSES = [
  "Object Array String Number Boolean BigInt Symbol Function Date RegExp Promise Error Map Set WeakMap WeakSet",
  "Uint8Array ArrayBuffer Intl",
]
  .join(" ")
  .split(" ");

const HOLDERS: readonly (readonly [string, object])[] = [
  ["globalThis", globalThis],
  ["Math", Math],
  ["JSON", JSON],
  ["Reflect", Reflect],
  ["console", console],
  ["process.env", process.env],
  ...CLASSES.flatMap((name): (readonly [string, object])[] => {
    const found: unknown = Reflect.get(globalThis, name);
    if ((typeof found !== "function" && typeof found !== "object") || found === null) return [];
    const prototype: unknown = Reflect.get(found, "prototype");
    const below = typeof prototype === "object" && prototype !== null ? prototype : undefined;
    return [[name, found], ...(below === undefined ? [] : [[`${name}.prototype`, below] as const])];
  }),
];

type Fields = ReadonlyMap<PropertyKey, PropertyDescriptor>;

/** Taken before foreign code can put others in their place. */
const { ownKeys, getOwnPropertyDescriptor } = Reflect;

function fieldsOf(holder: object): Fields {
  const fields = new Map<PropertyKey, PropertyDescriptor>();
  for (const key of ownKeys(holder)) {
    const field = getOwnPropertyDescriptor(holder, key);
    if (field !== undefined) fields.set(key, field);
  }
  return fields;
}

function changesOf(name: string, before: Fields, after: Fields): string[] {
  const changed: string[] = [];
  for (const [key, field] of after) {
    const known = before.get(key);
    // Node itself puts a value in the place of a getter when it is asked for the first time.
    const isSame =
      known?.get === undefined
        ? known !== undefined && Object.is(known.value, field.value)
        : field.get === undefined || field.get === known.get;
    if (!isSame) changed.push(`${name}.${String(key)}`);
  }
  for (const key of before.keys()) if (!after.has(key)) changed.push(`${name}.${String(key)}`);
  return changed;
}
