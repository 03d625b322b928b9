// Which rows have which tags, types and statuses, and which of them a query lets through before anything is ranked.
import { askedType, ioTypesOf } from "../domain/plan/io-types.ts";
import type { CodeIndexEntry, CodeIndexQuery, IndexStatus } from "../domain/plan/reuse.ts";
import { listAt } from "./posting-list.ts";
import type { PostingList } from "./posting-list.ts";

type Lists = Map<string, PostingList>;
type Filters = Pick<CodeIndexQuery, "tags" | "input_types" | "output_types" | "include_inactive">;

export class Facets {
  readonly #tags: Lists = new Map();
  readonly #inputs: Lists = new Map();
  readonly #outputs: Lists = new Map();
  /** One for each row that is SHIPPED, with room for more. */
  #active = new Uint8Array(1024);
  #count = 0;

  /** The next row. */
  push({ tags, io_summary, status }: Pick<CodeIndexEntry, "tags" | "io_summary" | "status">): void {
    const row = this.#count;
    this.#makeRoom();
    this.#count += 1;
    this.setStatus(row, status);
    for (const tag of new Set(tags.map(plain))) listAt(this.#tags, tag).push(row);
    for (const type of new Set(io_summary.inputs.flatMap(ioTypesOf))) listAt(this.#inputs, type).push(row);
    for (const type of new Set(io_summary.outputs.flatMap(ioTypesOf))) listAt(this.#outputs, type).push(row);
  }

  setStatus(row: number, status: IndexStatus): void {
    this.#active[row] = status === "SHIPPED" ? 1 : 0;
  }

  /** Rows that match at least one value of each filter, in order. */
  candidates({ tags, input_types, output_types, include_inactive }: Filters): Uint32Array {
    const filters = [
      listsOf(this.#tags, tags, plain),
      listsOf(this.#inputs, input_types, askedType),
      listsOf(this.#outputs, output_types, askedType),
    ].filter((lists) => lists !== undefined);
    const passed = this.#passed(filters);
    const active = this.#active;
    const found = new Uint32Array(this.#count);
    let count = 0;
    for (let row = 0; row < found.length; row++) {
      const fits = passed[row] === filters.length && (include_inactive || active[row] === 1);
      if (fits) found[count++] = row;
    }
    return found.subarray(0, count);
  }

  /** For each row, through how many filters in turn it came. */
  #passed(filters: readonly PostingList[][]): Uint8Array {
    const passed = new Uint8Array(this.#count);
    filters.forEach((lists, before) => {
      for (const list of lists) {
        const rows = list.view();
        for (let place = 0; place < rows.length; place++) {
          const row = rows[place] ?? 0;
          if (passed[row] === before) passed[row] = before + 1;
        }
      }
    });
    return passed;
  }

  #makeRoom(): void {
    if (this.#count < this.#active.length) return;
    const larger = new Uint8Array(this.#active.length * 2);
    larger.set(this.#active);
    this.#active = larger;
  }
}

/** A filter without values filters nothing. */
function listsOf(
  lists: Lists,
  values: readonly string[] | undefined,
  spell: (value: string) => string,
): PostingList[] | undefined {
  if (values === undefined || values.length === 0) return undefined;
  return [...new Set(values.map(spell))].flatMap((value) => lists.get(value) ?? []);
}

/** Tags differ neither by case nor by the spaces around them. */
function plain(tag: string): string {
  return tag.trim().toLowerCase();
}
