// The filter, run as the kernel would run it.
import { expect, test } from "vitest";
import { callFilter } from "./system-calls.ts";

const ALLOWED = 0x7fff0000;
const REFUSED = 0x00050026;
const X64 = 0xc000003e;
const ARM64 = 0xc00000b7;

test.each([
  ["x64", X64, 0, ALLOWED],
  ["x64", X64, 59, ALLOWED],
  ["x64", X64, 247, ALLOWED],
  ["x64", X64, 248, REFUSED],
  ["x64", X64, 250, REFUSED],
  ["x64", X64, 251, ALLOWED],
  ["x64", X64, 427, REFUSED],
  ["x64", X64, 428, ALLOWED],
  ["x64", X64, 0x40000000, REFUSED],
  ["x64", X64, 0xffffffff, REFUSED],
  ["x64", 0x40000003, 1, REFUSED],
  ["arm64", ARM64, 219, REFUSED],
  ["arm64", ARM64, 250, ALLOWED],
  ["arm64", X64, 1, REFUSED],
])("%s: architecture %i, call %i", (processor, architecture, call, verdict) => {
  expect(judge(callFilter(processor) ?? Buffer.alloc(0), architecture, call)).toBe(verdict);
});

test("there is none for processors whose calls are not known", () => {
  expect(callFilter("riscv64")).toBeUndefined();
});

function judge(filter: Buffer, architecture: number, call: number): number {
  let loaded = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const value = filter.readUInt32LE(at + 4);
    const [whenTrue, whenFalse] = [filter.readUInt8(at + 2), filter.readUInt8(at + 3)];
    const code = filter.readUInt16LE(at);
    if (code === 0x06) return value;
    if (code === 0x20) loaded = value === 4 ? architecture : call;
    else at += 8 * ((code === 0x15 ? loaded === value : loaded >= value) ? whenTrue : whenFalse);
  }
  throw new Error("the filter ran past its end");
}
