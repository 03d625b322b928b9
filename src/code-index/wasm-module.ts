// Starts an assembled module on a memory of ours. The types are declared here because TypeScript has them only for browsers.
import { assemble } from "./wasm-assembler.ts";
import type { WasmFunction } from "./wasm-assembler.ts";

declare global {
  namespace WebAssembly {
    class Memory {
      constructor(limits: { initial: number; maximum: number });
      readonly buffer: ArrayBuffer;
      grow(pages: number): number;
    }
    class Module {
      constructor(bytes: Uint8Array<ArrayBuffer>);
      readonly [Symbol.toStringTag]: string;
    }
    class Instance {
      constructor(module: Module, imports: Record<string, Record<string, unknown>>);
      readonly exports: Record<string, unknown>;
    }
  }
}

export type WasmCall = (...parameters: number[]) => unknown;

/** Compiled once; each call starts it on another memory. */
export function wasmModule(wasm: WasmFunction): (memory: WebAssembly.Memory) => WasmCall {
  let compiled: WebAssembly.Module | undefined;
  return (memory) => {
    compiled ??= new WebAssembly.Module(assemble([wasm]));
    const exported = new WebAssembly.Instance(compiled, { cupel: { memory } }).exports[wasm.name];
    if (typeof exported !== "function") throw new TypeError(`the module exports no function ${wasm.name}`);
    return (...parameters): unknown => Reflect.apply(exported, undefined, parameters);
  };
}
