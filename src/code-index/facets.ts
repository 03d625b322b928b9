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
  readonly #active: boolean[] = [];

  /** The next row. */
  push({ tags, io_summary, status }: Pick<CodeIndexEntry, "tags" | "io_summary" | "status">): void {
    const row = this.#active.length;
    this.#active.push(isActive(status));
    for (const tag of new Set(tags.map(plain))) listAt(this.#tags, tag).push(row);
    for (const type of new Set(io_summary.inputs.flatMap(ioTypesOf))) listAt(this.#inputs, type).push(row);
    for (const type of new Set(io_summary.outputs.flatMap(ioTypesOf))) listAt(this.#outputs, type).push(row);
  }

  setStatus(row: number, status: IndexStatus): void {
    this.#active[row] = isActive(status);
  }

  /** Rows that match at least one value of each filter, in order. */
  candidates({ tags, input_types, output_types, include_inactive }: Filters): Uint32Array {
    const filters = [
      listsOf(this.#tags, tags, plain),
      listsOf(this.#inputs, input_types, askedType),
      listsOf(this.#outputs, output_types, askedType),
    ].filter((lists) => lists !== undefined);
    const passed = this.#passed(filters);
    const found = new Uint32Array(this.#active.length);
    let count = 0;
    for (let row = 0; row < found.length; row++) {
      if (passed !== undefined && passed[row] !== filters.length) continue;
      if (include_inactive || this.#active[row] === true) found[count++] = row;
    }
    return found.subarray(0, count);
  }

  /** For each row, through how many filters in turn it came. */
  #passed(filters: readonly PostingList[][]): Uint8Array | undefined {
    if (filters.length === 0) return undefined;
    const passed = new Uint8Array(this.#active.length);
    filters.forEach((lists, before) => {
      for (const list of lists) {
        for (const row of list.view()) if (passed[row] === before) passed[row] = before + 1;
      }
    });
    return passed;
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

function isActive(status: IndexStatus): boolean {
  return status === "SHIPPED";
}

/** Tags differ neither by case nor by the spaces around them. */
function plain(tag: string): string {
  return tag.trim().toLowerCase();
}
