// Vectors side by side in memory, and their products with one vector: a kernel that is as fast as the memory gives bytes.
import { CupelError } from "../domain/error.ts";
import {
  ADD,
  ADD_F32,
  ADD_FOUR,
  again,
  againIf,
  EQUAL,
  get,
  i32,
  lane,
  LOAD_I32,
  loadFour,
  loop,
  MULTIPLY,
  MULTIPLY_FOUR,
  NOT_EQUAL,
  RETURN,
  set,
  STORE_F32,
  V128,
  I32,
  when,
  ZERO_FOUR,
} from "./wasm-assembler.ts";
import type { Code, WasmFunction } from "./wasm-assembler.ts";
import { wasmModule } from "./wasm-module.ts";
import type { WasmCall } from "./wasm-module.ts";

const PAGE = 65_536;
const MOST_PAGES = 65_536;
const PAGES_AT_ONCE = 256;
/** Rows are named and answered a block at a time, so that both lists stay in the cache. */
const BLOCK = 4096;
const QUERY_AT = 0;
const LIST_AT = 8192;
const ANSWERS_AT = LIST_AT + BLOCK * 4;
const ROWS_AT = PAGE;
/** Each turn of the inner loop takes thirty-two floats. */
const STEP_BYTES = 128;

/** From one row in so many on, reading all of them is faster than skipping some. */
const DENSE = 4;

const CONSECUTIVE = Uint32Array.from({ length: BLOCK }, (_, place) => place);

type Visit = (from: number, products: Float32Array) => void;

export class VectorRows {
  readonly #memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES });
  readonly #scan: WasmCall;
  readonly #dimensions: number;
  readonly #rowBytes: number;
  #count = 0;

  constructor(dimensions: number) {
    this.#dimensions = dimensions;
    this.#rowBytes = Math.ceil((dimensions * 4) / STEP_BYTES) * STEP_BYTES;
    this.#scan = start(this.#memory);
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return this.#memory.buffer.byteLength;
  }

  /** Its number is how many there were before. */
  push(vector: Float32Array): void {
    this.#makeRoom(this.#count + 1);
    this.#write(this.#rowAt(this.#count), vector);
    this.#count += 1;
  }

  /**
   * `rows` in ascending order, none twice. `visit` gets a place in `rows` and the products of the rows from there on; what
   * it gets is overwritten later.
   */
  products(vector: Float32Array, rows: Uint32Array, visit: Visit): void {
    this.#write(QUERY_AT, vector);
    if (rows.length * DENSE < this.#count) this.#pick(rows, visit);
    else this.#sweep(rows, visit);
  }

  #pick(rows: Uint32Array, visit: Visit): void {
    const list = new Uint32Array(this.#memory.buffer, LIST_AT, BLOCK);
    for (let from = 0; from < rows.length; from += BLOCK) {
      const block = rows.subarray(from, from + BLOCK);
      list.set(block);
      visit(from, this.#answers(block.length));
    }
  }

  /** Reads everything in one go, because memory is slow to find the next place after every gap. */
  #sweep(rows: Uint32Array, visit: Visit): void {
    new Uint32Array(this.#memory.buffer, LIST_AT, BLOCK).set(CONSECUTIVE);
    const picked = new Float32Array(BLOCK);
    let next = 0;
    for (let base = 0; base < this.#count; base += BLOCK) {
      const length = Math.min(BLOCK, this.#count - base);
      const answers = this.#answers(length, base);
      const from = next;
      for (; next < rows.length && (rows[next] ?? 0) < base + length; next++) {
        picked[next - from] = answers[(rows[next] ?? 0) - base] ?? 0;
      }
      if (next > from) visit(from, picked.subarray(0, next - from));
    }
  }

  /** The products of the first so many rows in the list, which counts from `base`. */
  #answers(length: number, base = 0): Float32Array {
    this.#scan(QUERY_AT, this.#rowAt(base), this.#rowBytes, LIST_AT, LIST_AT + length * 4, ANSWERS_AT);
    return new Float32Array(this.#memory.buffer, ANSWERS_AT, length);
  }

  #rowAt(row: number): number {
    return ROWS_AT + row * this.#rowBytes;
  }

  /** What lies behind the last dimension stays zero and adds nothing. */
  #write(at: number, vector: Float32Array): void {
    if (vector.length !== this.#dimensions) {
      throw new RangeError(`a vector of ${vector.length} dimensions among those of ${this.#dimensions}`);
    }
    new Float32Array(this.#memory.buffer, at, this.#dimensions).set(vector);
  }

  /** Far ahead, because a page that nobody touched yet takes no memory, and large pieces are faster to read. */
  #makeRoom(rows: number): void {
    const missing = this.#rowAt(rows) - this.bytes;
    if (missing <= 0) return;
    const pages = Math.ceil(missing / PAGE / PAGES_AT_ONCE) * PAGES_AT_ONCE;
    if (this.bytes / PAGE + pages > MOST_PAGES) {
      throw new CupelError(
        "usage",
        `the Code Index holds more vectors than fit into memory (${this.#count})`,
        {
          expected: "at most 4 GiB of vectors",
          hint: "choose an embedding model with fewer dimensions, then cupel index reindex",
        },
      );
    }
    this.#memory.grow(pages);
  }
}

const [QUERY, ROWS, ROW_BYTES, LIST, LIST_END, ANSWERS, row, end, query] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Four sums, because each addition waits for the one before it. */
const SUMS = [9, 10, 11, 12] as const;
const [first, second, third, fourth] = SUMS;

const advance = (local: number, by: number): Code => [...get(local), ...i32(by), ...ADD, ...set(local)];
const addProduct = (sum: number, offset: number): Code => [
  ...get(sum),
  ...get(row),
  ...loadFour(offset),
  ...get(query),
  ...loadFour(offset),
  ...MULTIPLY_FOUR,
  ...ADD_FOUR,
  ...set(sum),
];

/** For each row that the list names, the sum of its products with the query. */
const SCAN: WasmFunction = {
  name: "scan",
  parameters: 6,
  locals: [I32, I32, I32, ...SUMS.map(() => V128)],
  body: [
    loop(
      [...get(LIST), ...get(LIST_END), ...EQUAL, ...when(RETURN)],
      // row = ROWS + list[…] * ROW_BYTES
      [...get(ROWS), ...get(LIST), ...LOAD_I32, ...get(ROW_BYTES), ...MULTIPLY, ...ADD, ...set(row)],
      [...get(row), ...get(ROW_BYTES), ...ADD, ...set(end)],
      [...get(QUERY), ...set(query)],
      ...SUMS.map((sum) => [...ZERO_FOUR, ...set(sum)]),
      loop(
        ...[...SUMS, ...SUMS].map((sum, index) => addProduct(sum, index * 16)),
        advance(row, STEP_BYTES),
        advance(query, STEP_BYTES),
        [...get(row), ...get(end), ...NOT_EQUAL, ...againIf()],
      ),
      [...get(first), ...get(second), ...ADD_FOUR, ...get(third), ...get(fourth), ...ADD_FOUR, ...ADD_FOUR],
      set(first),
      get(ANSWERS),
      [...get(first), ...lane(0), ...get(first), ...lane(1), ...ADD_F32],
      [...get(first), ...lane(2), ...get(first), ...lane(3), ...ADD_F32, ...ADD_F32],
      STORE_F32,
      advance(LIST, 4),
      advance(ANSWERS, 4),
      again(),
    ),
  ],
};

const start = wasmModule(SCAN);
