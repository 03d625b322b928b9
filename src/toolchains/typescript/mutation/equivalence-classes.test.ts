import { expect, test } from "vitest";
import { PACKAGES, siteOf } from "../../../../test/typescript-site.ts";
import { mutate } from "./mutate.ts";

/** What stands in an exported class with the code in question marked, a mutant of it, and whether it may be called equivalent. */
const CASES: Readonly<Record<string, [text: string, replacement: string, equivalent: boolean]>> = {
  SameAfterModulo: [
    `{ private at: number; constructor(at: number) { this.at = «Math.abs(at) >= 24» ? at % 24 : at; }
       get hour(): number { return this.at; } }`,
    "true",
    true,
  ],
  AfterThreePushes: [
    `{ private items: number[] = [];
       push(item: number): void { if («this.items.length < 3») this.items.push(item); }
       sum(): number { return this.items.reduce((a, b) => a + b, 0); } }`,
    "this.items.length <= 3",
    false,
  ],
  BehindPrivate: [
    `{ private count = 0; private raise(by: number): void { if («by > 0») this.count += by; }
       add(by: number): void { this.raise(by); } isLarge(): boolean { return this.count > 1000; } }`,
    "true",
    false,
  ],
  BehindPrivateSame: [
    `{ private count = 0; private raise(by: number): void { if («by !== 0») this.count += by; }
       add(by: number): void { this.raise(by); } total(): number { return this.count; } }`,
    "true",
    true,
  ],
  OnlyGetter: [
    `{ private last = ""; see(n: string): void { if («n > this.last») this.last = n; } get largest(): string { return this.last; } }`,
    "n >= this.last",
    true,
  ],
  OnlyGetterOther: [
    `{ private last = 0; see(n: number): void { if («n > this.last») this.last = n; } get largest(): number { return this.last; } }`,
    "true",
    false,
  ],
  Chained: [
    `{ private best = ""; offer(text: string): this { this.best = «this.best < text» ? text : this.best; return this; }
       value(): string { return this.best; } }`,
    "this.best <= text",
    true,
  ],
  NotChained: [
    `{ private n = 0; add(by: number): Chosen { this.n += by; if («by === 7») return new Chosen(); return new Chosen(); } }
     class Chosen { x = 1; }`,
    "true",
    false,
  ],
  Compares: [
    `{ private readonly text: string; constructor(text: string) { this.text = text; }
       larger(other: Compares): string { return («this.text > other.text») ? this.text : other.text; } }`,
    "this.text >= other.text",
    true,
  ],
  EqualsOther: [
    `{ private items: number[] = []; add(item: number): void { this.items.push(item); }
       equals(other: EqualsOther): boolean { return this.items.length === other.items.length
         && «this.items.every((item, at) => item === other.items[at])»; } }`,
    "this.items.some((item, at) => item === other.items[at])",
    false,
  ],
  Immutable: [
    `{ private readonly n: number; constructor(n: boolean) { this.n = n ? 1 : 0; }
       next(): Immutable { const made = new Immutable(true); Object.assign(made, { n: this.n + 1 }); return made; }
       isFar(): boolean { return («this.n > 3»); } }`,
    "this.n >= 3",
    false,
  ],
  Throws: [
    `{ private left = 2; take(n: number): number { if («n > this.left») throw new Error(\`only \${this.left}\`);
       this.left -= Math.max(n, 0); return this.left; } }`,
    "n >= this.left",
    false,
  ],
  ThrowsSame: [
    `{ private left = 2; take(n: number): void { if (n > this.left || «n > this.left + 1») throw new Error("no"); } }`,
    "n >= this.left + 1",
    true,
  ],
  Random: [
    `{ private n = 0; add(by: number): number { if (by > 0 || «by > 1») this.n += by; return Math.random(); } }`,
    "by >= 1",
    false,
  ],
  Later: [
    `{ private best = ""; async offer(text: string): Promise<string> { await null;
       if («this.best < text») this.best = text; return this.best; } }`,
    "this.best <= text",
    true,
  ],
  LaterOther: [
    `{ private best = ""; async offer(text: string): Promise<void> { await null; if («this.best < text») this.best = text; }
       async value(): Promise<string> { return this.best; } }`,
    "this.best >= text",
    false,
  ],
  Unreached: [
    `{ take(n: number): string { if (typeof n === "string") return («"a"»); return ""; } }`,
    '""',
    false,
  ],
  HiddenResult: [
    `{ #n = 0; add(by: number): void { if (by > 0 || «by > 1») this.#n += by; }
       copy(): HiddenResult { const made = new HiddenResult(); made.#n = this.#n; return made; } }`,
    "by >= 1",
    false,
  ],
  HiddenInside: [
    `{ #n = 0; add(by: number): void { if (by > 0 || «by > 1») this.#n += by; } get n(): number { return this.#n; } }`,
    "by >= 1",
    true,
  ],
  Setter: [
    `{ private n = 0; set size(to: number) { if (to < 0) throw new Error("no"); this.n = «to > 9» ? 9 : to; }
       get size(): number { return this.n; } }`,
    "to >= 9",
    true,
  ],
  SetterOther: [
    `{ private n = 0; set size(to: number) { this.n = «to > 9» ? 9 : to; } isFull(): boolean { return this.n === 9; } }`,
    "false",
    false,
  ],
  PublicField: [
    `{ limit = 3; readonly seen: number[] = []; add(n: number): void { if («n < this.limit») this.seen.push(n); } }`,
    "n <= this.limit",
    false,
  ],
  ArrowField: [
    `{ private n = 0; add = (by: number): number => { if («by !== 0») this.n += by; return this.n; } }`,
    "true",
    true,
  ],
  Uncallable: [
    `{ private n = 0; add(by: number): number { if («by !== 0») this.n += by; return this.n; }
       read(from: ReadableStream): void { void from; } }`,
    "true",
    false,
  ],
  Generates: [
    `{ private n = 0; add(by: number): number { if («by !== 0») this.n += by; return this.n; }
       *all(): Generator<number> { yield this.n; } }`,
    "true",
    false,
  ],
  ForHeirs: [`{ protected n = 0; add(by: number): void { if («by > 0») this.n += by; } }`, "true", false],
  Generic: [
    `<T> { private items: T[] = []; add(item: T): void { if («!this.items.includes(item)») this.items.push(item); }
       has(item: T): boolean { return this.items.includes(item); } }`,
    "true",
    true,
  ],
  GenericOther: [
    `<T> { private items: T[] = []; add(item: T): void { if («!this.items.includes(item)») this.items.push(item); }
       get size(): number { return this.items.length; } }`,
    "true",
    false,
  ],
  GenericHidden: [
    `<T> { private items: T[] = «[]»; add(item: T): void { this.items = this.items.filter((each) => each !== item); }
       has(item: T): boolean { return this.items.includes(item); } }`,
    '["Stryker was here"]',
    false,
  ],
  Copies: [
    `{ private items: number[] = []; add(item: number): void { this.items = [...this.items, item]; }
       all(): number[] { return («this.items.slice()»); } }`,
    "this.items",
    false,
  ],
  Listeners: [
    `{ private each: (n: number) => void = () => undefined; listen(each: (n: number) => void): void { this.each = each; }
       tell(n: number): void { if («n > 3») this.each(n); } }`,
    "n >= 3",
    false,
  ],
  Static: [
    `{ private readonly n: number; constructor(n: number) { this.n = n; }
       static of(n: number): Static { return new Static(«n > 5» ? 5 : n); } get value(): number { return this.n; } }`,
    "n >= 5",
    true,
  ],
  StaticState: [
    `{ static made = 0; add(by: number): void { if («by > 0») StaticState.made += by; } }`,
    "true",
    false,
  ],
};

test("a survivor in a class is equivalent only when no use of an instance makes a difference", async () => {
  const names = Object.keys(CASES);
  let source = "";
  // What is in question stands on a line of its own.
  const lines = Object.entries(CASES).map(([name, [text]]) => {
    const [before = "", marked = "", after = ""] = text.replaceAll(/\s*\n\s*/g, " ").split(/[«»]/);
    source += `export class ${name} ${before}\n`;
    const line = source.split("\n").length;
    source += `${marked}\n${after}\n`;
    return line;
  });
  const site = await siteOf({
    "src/index.ts": source,
    // Tests that reach everything and notice nothing.
    "test/weak.test.ts": `import { test } from "vitest";
import * as all from "../src/index.ts";
test("weak", async () => {
  for (const each of Object.values(all) as unknown as (new (n: unknown) => object)[]) {
    const made = new each(1) as Record<string, unknown>;
    const members = [...Reflect.ownKeys(Object.getPrototypeOf(made)), ...Reflect.ownKeys(made), "of"].map(String);
    for (const name of members)
      for (const value of [0.123456, 1, "a", made, new each(2)])
        try {
          const owner = (name === "of" ? each : made) as Record<string, unknown>;
          if (typeof owner[name] === "function" && name !== "constructor") await owner[name](value);
          else if (name !== "of") made[name] = value;
        } catch {}
  }
});`,
  });
  const only = lines.map((line) => ({ file: "src/index.ts", line }));
  const report = await mutate({ packages: PACKAGES }, site, { timeoutMs: 2_000, only });
  if (report.kind !== "mutated") throw new Error(report.why);
  const found = names.map((name, index) => {
    const [, replacement] = CASES[name] ?? ["", ""];
    const mutants = report.mutants.filter(
      (each) => each.line === lines[index] && each.replacement === replacement,
    );
    const statuses = [...new Set(mutants.map(({ status }) => status))];
    return [name, statuses.join(" ")];
  });
  const expected = Object.entries(CASES).map(([name, [, , equivalent]]) => [
    name,
    equivalent ? "equivalent" : "survived",
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
}, 120_000);
