// Calls one export with generated arguments, and what it gives or constructs with more of them, and notes everything
// that a caller could see.
import { InputGenerator, Unmakeable } from "./input-generator.ts";
import {
  accessed,
  argumentsOf,
  findExport,
  isBare,
  type OwnClasses,
  takenFrom,
} from "./inner-differential-classes.ts";
import { outcomeOf } from "./inner-differential-outcome.ts";
import type { CallableFunction, CallableMember, CompareJob, InputShape } from "./inner-job.ts";
import { takeOutput } from "./inner-world.ts";
import { type Known, Opaque, picture } from "./picture.ts";

export type Seen = Told | { kind: "opaque"; what: string };

interface Told {
  kind: "seen";
  input: string;
  text: string;
  /** Whether as much happened as could have. */
  counts: boolean;
  /** The member in whose use the mutant was reached. */
  through: string | undefined;
}

/** One evaluation of the module. */
export interface Instance {
  classes: OwnClasses;
  exports: unknown;
  isReached: () => boolean;
}

const MOST_CALLS = 8;

/** Members called `favourites` are used more often. */
export async function observe(
  instance: Instance,
  callee: CallableFunction,
  generator: Pick<CompareJob, "seed" | "hints">,
  favourites: ReadonlySet<string>,
): Promise<Seen> {
  try {
    const { called, owner } = findExport(instance.exports, callee);
    const scene = new Scene(instance, generator, favourites);
    takeOutput();
    const counts =
      callee.methods === undefined
        ? await scene.callFunction(callee, (args) => Reflect.apply(called, owner, args))
        : await scene.useClass(callee, (args) => Reflect.construct(called, args));
    return { kind: "seen", ...scene.told(), counts };
  } catch (error) {
    if (error instanceof Opaque) return { kind: "opaque", what: error.message };
    throw error;
  }
}

/** One function call, or one instance with the calls that follow, in one world. */
class Scene {
  readonly #generator: InputGenerator;
  readonly #classes: OwnClasses;
  readonly #known: Known;
  readonly #own: object[] = [];
  readonly #input: string[] = [];
  readonly #seen: string[] = [];
  /** Arguments and results: what comes later may still change them. */
  readonly #kept: unknown[] = [];
  /** What a generated function was handed that cannot be shown. */
  #hidden: Opaque | undefined;
  readonly #favourites: ReadonlySet<string>;
  readonly #isReached: () => boolean;
  #through: string | undefined;
  #isIncomplete = false;

  constructor(
    { classes, isReached }: Instance,
    { seed, hints }: Pick<CompareJob, "seed" | "hints">,
    favourites: ReadonlySet<string>,
  ) {
    this.#classes = classes;
    this.#isReached = isReached;
    this.#favourites = favourites;
    const classNameOf: Known["classNameOf"] = (value, isWithin) => this.#classes.nameOf(value, isWithin);
    this.#known = { own: this.#own, classNameOf };
    this.#generator = new InputGenerator(seed, hints, (of, make) =>
      this.#classes.build(of, make, this.#generator),
    );
  }

  told(): Pick<Told, "input" | "text" | "through"> {
    const input = this.#input.join(" ");
    if (this.#input.length > 1) this.#seen.push(picture(this.#kept, this.#known));
    if (this.#hidden !== undefined) throw this.#hidden;
    return { input, text: [input, ...this.#seen].join("\n"), through: this.#through };
  }

  async callFunction({ name, parameters }: CallableFunction, call: (args: unknown[]) => unknown) {
    const result = await this.#step(name, parameters, call);
    const given = this.#classes.find(result?.value);
    if (given === undefined) return !this.#isIncomplete;
    this.#own.push(given.instance);
    await this.#use(given.instance, given.callee);
    return true;
  }

  async useClass(callee: CallableFunction, construct: (args: unknown[]) => unknown): Promise<boolean> {
    // An instance that once met an odd number often has nothing more to tell.
    if (this.#generator.below(2) === 0) this.#generator.beTame();
    let instance: object | undefined;
    await this.#step(`new ${callee.name}`, callee.parameters, (args) => {
      const made: unknown = construct(args);
      if (typeof made !== "object" || made === null) throw new Opaque("no instance");
      instance = made;
      this.#own.push(made);
      return made;
    });
    if (instance === undefined) return false;
    await this.#use(instance, callee);
    return true;
  }

  async #use(first: object, { methods: members = [] }: CallableFunction): Promise<void> {
    const generator = this.#generator;
    let [instance, offered] = [first, members];
    let last: CallableMember | undefined;
    // Where nothing can be handed in, the same again and again tells little.
    const most = members.every(isBare) ? Math.min(MOST_CALLS, members.length + 1) : MOST_CALLS;
    for (let left = 1 + generator.below(most); left > 0 && offered.length > 0; left--) {
      last = this.#chosen(offered, last);
      const result = await this.#useMember(instance, last);
      const next = this.#classes.find(result?.value);
      if (next === undefined || generator.below(2) === 0) continue;
      if (!this.#own.includes(next.instance)) this.#own.push(next.instance);
      [instance, offered, last] = [next.instance, next.callee.methods ?? [], undefined];
    }
    if (generator.below(2) === 0) return;
    for (const member of offered) if (isBare(member)) await this.#useMember(instance, member);
  }

  /** Many things happen only when the same is done again. */
  #chosen(offered: readonly CallableMember[], last: CallableMember | undefined): CallableMember {
    const chance = this.#generator.below(4);
    if (chance === 0 && last !== undefined) return last;
    const favoured = chance === 1 ? offered.filter(({ name }) => this.#favourites.has(name)) : [];
    return this.#generator.pick(favoured.length === 0 ? offered : favoured);
  }

  async #useMember(instance: object, member: CallableMember): Promise<{ value: unknown } | undefined> {
    const label = `${this.#own.indexOf(instance)}.${member.access} ${member.name}`;
    const before = this.#isReached();
    const result = await this.#step(label, member.parameters, (args) => accessed(instance, member, args));
    if (!before && this.#isReached()) this.#through = member.name;
    if (result !== undefined && this.#generator.below(4) === 0) this.#seen.push(takenFrom(result.value));
    return result;
  }

  /** Nothing when it threw. */
  async #step(
    label: string,
    shapes: readonly InputShape[],
    call: (args: unknown[]) => unknown,
  ): Promise<{ value: unknown } | undefined> {
    let args: unknown[];
    try {
      args = argumentsOf(shapes, (shape) => this.#generator.make(shape, (given) => this.#hear(given)));
    } catch (error) {
      if (!(error instanceof Unmakeable)) throw error;
      this.#isIncomplete = true;
      this.#input.push(`${label}(?)`);
      return undefined;
    }
    this.#input.push(`${label}(${args.map((argument) => this.#described(argument)).join(", ")})`);
    const outcome = await outcomeOf(() => call(args), this.#known);
    const after = args.filter((argument) => typeof argument !== "function" && !(argument instanceof Promise));
    this.#kept.push(...after, ...(outcome.kind === "gave" ? [outcome.value] : []));
    this.#seen.push(outcome.text, picture(after, this.#known), takeOutput());
    return outcome.kind === "gave" ? { value: outcome.value } : undefined;
  }

  /** At once, since what was handed in may be kept and called much later. */
  #hear(args: unknown[]): void {
    try {
      this.#seen.push(picture(args, this.#known));
    } catch (error) {
      if (!(error instanceof Opaque)) throw error;
      this.#hidden ??= error;
    }
  }

  #described(argument: unknown): string {
    if (typeof argument === "function") return "<function>";
    return argument instanceof Promise ? "<promise>" : picture(argument, this.#known);
  }
}
