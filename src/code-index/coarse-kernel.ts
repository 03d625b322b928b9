// The inner loop of a search: whole-number products of one query with many rows, as fast as memory gives bytes.
import {
  ADD,
  ADD_F32,
  ADD_WHOLE_FOUR,
  again,
  againIf,
  EQUAL,
  FLOAT_FOUR,
  get,
  I32,
  i32,
  lane,
  LOAD_I32,
  loadEightBytes,
  loadFour,
  loop,
  MULTIPLY,
  NOT_EQUAL,
  PAIRWISE,
  RETURN,
  set,
  STORE_F32,
  V128,
  when,
  ZERO_FOUR,
} from "./wasm-assembler.ts";
import type { Code, WasmFunction } from "./wasm-assembler.ts";
import { wasmModule } from "./wasm-module.ts";

/** Each turn takes so many dimensions: bytes of a row, and twice as many of the query. */
export const TURN = 32;
/** Behind the bytes of a row there is room for what its owner wants to know of it. */
export const TAIL_BYTES = 16;

const [QUERY, ROWS, ROW_BYTES, LIST, LIST_END, ANSWERS, row, end, query] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** Two sums, because each addition waits for the one before it. */
const SUMS = [9, 10] as const;
const [first, second] = SUMS;

const advance = (local: number, by: number): Code => [...get(local), ...i32(by), ...ADD, ...set(local)];
/** Eight dimensions. The sums of 1,536 products of a byte and a short stay below 2^31. */
const addProducts = (sum: number, dimension: number): Code => [
  ...get(sum),
  ...get(row),
  ...loadEightBytes(dimension),
  ...get(query),
  ...loadFour(dimension * 2),
  ...PAIRWISE,
  ...ADD_WHOLE_FOUR,
  ...set(sum),
];

/** For each row that the list names, the sum of its products with the query, as a float. */
const SCAN: WasmFunction = {
  name: "scan",
  parameters: 6,
  locals: [I32, I32, I32, ...SUMS.map(() => V128)],
  body: [
    loop(
      [...get(LIST), ...get(LIST_END), ...EQUAL, ...when(RETURN)],
      // row = ROWS + list[…] * ROW_BYTES
      [...get(ROWS), ...get(LIST), ...LOAD_I32, ...get(ROW_BYTES), ...MULTIPLY, ...ADD, ...set(row)],
      [...get(row), ...get(ROW_BYTES), ...ADD, ...i32(-TAIL_BYTES), ...ADD, ...set(end)],
      [...get(QUERY), ...set(query)],
      ...SUMS.map((sum) => [...ZERO_FOUR, ...set(sum)]),
      loop(
        ...[...SUMS, ...SUMS].map((sum, index) => addProducts(sum, index * 8)),
        advance(row, TURN),
        advance(query, TURN * 2),
        [...get(row), ...get(end), ...NOT_EQUAL, ...againIf()],
      ),
      [...get(first), ...get(second), ...ADD_WHOLE_FOUR, ...FLOAT_FOUR, ...set(first)],
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

/** Of the memory in which everything lies: query, rows, bytes a row, list, end of the list, answers. */
export const startScan = wasmModule(SCAN);
