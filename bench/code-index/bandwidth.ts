// How fast this machine reads memory with the instructions of the search kernel: a sum over so many bytes.
import {
  ADD,
  ADD_FOUR,
  againIf,
  get,
  i32,
  lane,
  loadFour,
  loop,
  NOT_EQUAL,
  set,
  V128,
  ZERO_FOUR,
} from "../../src/code-index/wasm-assembler.ts";
import type { Code, WasmFunction } from "../../src/code-index/wasm-assembler.ts";
import { wasmModule } from "../../src/code-index/wasm-module.ts";

const F32 = 0x7d;
const [AT, END] = [0, 1];
const SUMS = [2, 3, 4, 5] as const;
const PAGE = 65_536;

const addFour = (sum: number, offset: number): Code => [
  ...get(sum),
  ...get(AT),
  ...loadFour(offset),
  ...ADD_FOUR,
  ...set(sum),
];

const SUM: WasmFunction = {
  name: "sum",
  parameters: 2,
  result: F32,
  locals: SUMS.map(() => V128),
  body: [
    ...SUMS.map((sum) => [...ZERO_FOUR, ...set(sum)]),
    loop(
      ...SUMS.map((sum, index) => addFour(sum, index * 16)),
      [...get(AT), ...i32(64), ...ADD, ...set(AT)],
      [...get(AT), ...get(END), ...NOT_EQUAL, ...againIf()],
    ),
    [...get(2), ...get(3), ...ADD_FOUR, ...get(4), ...get(5), ...ADD_FOUR, ...ADD_FOUR, ...lane(0)],
  ],
};

/** Reads so many bytes, a multiple of 64, each time it is called, and gives the milliseconds. */
export function bandwidthProbe(bytes: number): () => number {
  const pages = Math.ceil(bytes / PAGE);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  // Untouched pages would all be the same page of zeros.
  new Float32Array(memory.buffer).fill(1);
  const sum = wasmModule(SUM)(memory);
  return () => {
    const begin = performance.now();
    if (!(Number(sum(0, bytes)) > 0)) throw new Error("the sum is wrong");
    return performance.now() - begin;
  };
}
