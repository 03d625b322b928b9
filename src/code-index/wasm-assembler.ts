// Puts WebAssembly modules together from named instructions: enough for a few functions over one imported memory.

export type Code = readonly number[];

/** The magic number and the version of the format. */
const BEGINNING: Code = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00];

export const I32 = 0x7f;
export const V128 = 0x7b;

export interface WasmFunction {
  name: string;
  /** How many parameters, all of them i32. */
  parameters: number;
  /** What the function gives back, if anything. */
  result?: number;
  /** Types of the locals that follow the parameters. */
  locals: readonly number[];
  body: readonly Code[];
}

/** A module that imports `memory` from `cupel` and exports the functions by name. */
export function assemble(functions: readonly WasmFunction[]): Uint8Array<ArrayBuffer> {
  const types = functions.map(({ parameters, result }) => [
    0x60,
    ...vector(Array.from({ length: parameters }, () => [I32])),
    ...vector(result === undefined ? [] : [[result]]),
  ]);
  const memory = [...text("cupel"), ...text("memory"), 0x02, 0x00, ...unsigned(1)];
  const exported = functions.map(({ name }, index) => [...text(name), 0x00, ...unsigned(index)]);
  const bodies = functions.map(({ locals, body }) => {
    const code = [...vector(locals.map((type) => [...unsigned(1), type])), ...body.flat(), 0x0b];
    return [...unsigned(code.length), ...code];
  });
  return new Uint8Array([
    ...BEGINNING,
    ...section(1, vector(types)),
    ...section(2, vector([memory])),
    ...section(3, vector(functions.map((_, index) => unsigned(index)))),
    ...section(7, vector(exported)),
    ...section(10, vector(bodies)),
  ]);
}

export const get = (local: number): Code => [0x20, ...unsigned(local)];
export const set = (local: number): Code => [0x21, ...unsigned(local)];
export const i32 = (value: number): Code => [0x41, ...signed(value)];
export const ADD: Code = [0x6a];
export const MULTIPLY: Code = [0x6c];
export const EQUAL: Code = [0x46];
export const NOT_EQUAL: Code = [0x47];
export const RETURN: Code = [0x0f];
export const LOAD_I32: Code = [0x28, 2, 0];
export const STORE_F32: Code = [0x38, 2, 0];
export const ADD_F32: Code = [0x92];

/** Repeats as long as `again` branches back to its beginning. */
export const loop = (...body: readonly Code[]): Code => [0x03, 0x40, ...body.flat(), 0x0b];
export const again = (depth = 0): Code => [0x0c, ...unsigned(depth)];
export const againIf = (depth = 0): Code => [0x0d, ...unsigned(depth)];
export const when = (...body: readonly Code[]): Code => [0x04, 0x40, ...body.flat(), 0x0b];

/** Four floats, or sixteen bytes of anything; what is read begins at a multiple of sixteen bytes. */
export const loadFour = (offset: number): Code => [0xfd, 0x00, 4, ...unsigned(offset)];
export const ZERO_FOUR: Code = [0xfd, 0x0c, ...Array.from({ length: 16 }, () => 0)];
export const ADD_FOUR: Code = [0xfd, ...unsigned(0xe4)];
/** Eight bytes as eight shorts. */
export const loadEightBytes = (offset: number): Code => [0xfd, 0x01, 3, ...unsigned(offset)];
/** Products of eight shorts with eight, added two by two. */
export const PAIRWISE: Code = [0xfd, ...unsigned(0xba)];
export const ADD_WHOLE_FOUR: Code = [0xfd, ...unsigned(0xae)];
/** Four whole numbers as four floats. */
export const FLOAT_FOUR: Code = [0xfd, ...unsigned(0xfa)];
export const lane = (index: number): Code => [0xfd, 0x1f, index];

function section(id: number, content: Code): Code {
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly Code[]): Code {
  return [...unsigned(items.length), ...items.flat()];
}

function text(value: string): Code {
  return vector([...new TextEncoder().encode(value)].map((byte) => [byte]));
}

/** LEB128: seven bits a byte, the lowest first. */
function unsigned(value: number): Code {
  const low = value & 0x7f;
  return value < 0x80 ? [low] : [low | 0x80, ...unsigned(value >>> 7)];
}

function signed(value: number): Code {
  const low = value & 0x7f;
  const rest = value >> 7;
  const done = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0);
  return done ? [low] : [low | 0x80, ...signed(rest)];
}
