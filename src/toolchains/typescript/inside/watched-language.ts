// Puts watched things in the place of what the language itself gives and what has an effect: dates and formatters that tell the
// time because they were told none, and the makers of functions, which turn text into code.
import type { EffectType } from "../watch/effect-table.ts";
import { type CallPlace, callerOf } from "./caller.ts";

type Tell = (type: EffectType, what: string, place: CallPlace) => void;

export function watchLanguage(tell: Tell): void {
  watchDate(tell);
  watchFormatters(tell);
  watchMakers(tell);
}

/** One Date for everybody, so that `value.constructor === Date` stays true everywhere. */
function watchDate(tell: Tell): void {
  const seen = (what: string) => {
    const place = callerOf(true);
    if (place !== undefined) tell("CLOCK", what, place);
  };
  const watched: DateConstructor = new Proxy(Date, {
    apply: () => {
      seen("Date()");
      return Date();
    },
    construct: (real, args: unknown[], made): object => {
      if (args.length === 0) seen("new Date()");
      return Reflect.construct(real, args, made === watched ? real : made);
    },
  });
  const real = Date;
  replace(real.prototype, "constructor", watched);
  replace(globalThis, "Date", watched);
}

function watchFormatters(tell: Tell): void {
  const { prototype } = Intl.DateTimeFormat;
  const watched = (what: string, original: Function): object =>
    new Proxy(original, {
      apply: (callee, self, args: unknown[]): unknown => {
        const place = args[0] === undefined ? callerOf(true) : undefined;
        if (place !== undefined) tell("CLOCK", `Intl.DateTimeFormat.${what}`, place);
        return Reflect.apply(callee, self, args);
      },
    });
  const field = Object.getOwnPropertyDescriptor(prototype, "format");
  const getter: unknown = field === undefined ? undefined : Reflect.get(field, "get");
  if (field !== undefined && typeof getter === "function")
    Object.defineProperty(prototype, "format", {
      ...field,
      get(this: unknown): unknown {
        const own: unknown = Reflect.apply(getter, this, []);
        return typeof own === "function" && callerOf(true) !== undefined ? watched("format", own) : own;
      },
    });
  const parts: unknown = Reflect.get(prototype, "formatToParts");
  if (typeof parts === "function") replace(prototype, "formatToParts", watched("formatToParts", parts));
}

/** By whatever way they are reached: every function leads to its maker. */
function watchMakers(tell: Tell): void {
  const kinds: Function[] = [() => 0, async () => 0, function* () {}, async function* () {}];
  for (const kind of kinds) {
    const { constructor: maker } = kind;
    const seen = () => {
      const place = callerOf(true);
      if (place !== undefined) tell("CALL", "a function that is made of a text", place);
    };
    const watched: object = new Proxy(maker, {
      apply: (callee, self, args: unknown[]): unknown => {
        seen();
        return Reflect.apply(callee, self, args);
      },
      construct: (callee, args: unknown[], made): object => {
        seen();
        return Reflect.construct(callee, args, made === watched ? callee : made);
      },
    });
    const prototype: unknown = Object.getPrototypeOf(kind);
    if (typeof prototype === "function" || typeof prototype === "object")
      replace(prototype ?? {}, "constructor", watched);
    if (maker === Function) replace(globalThis, "Function", watched);
  }
}

function replace(holder: object, name: string, value: unknown): void {
  Object.defineProperty(holder, name, { value, configurable: true, writable: true });
}
