// What a predicate may call: functions that change nothing and give the same answer for the same values.

const words = (text: string): string[] => text.trim().split(/\s+/);

/** Globals that may be named at all. */
export const PURE_GLOBALS: ReadonlySet<string> = new Set(
  words(`
    undefined NaN Infinity Math Number String Boolean BigInt Array Object JSON Date Map Set RegExp Promise Symbol
    ArrayBuffer DataView Error TypeError RangeError SyntaxError EvalError URIError ReferenceError AggregateError
    Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array Uint32Array Float32Array Float64Array
    BigInt64Array BigUint64Array WeakMap WeakSet parseInt parseFloat isNaN isFinite
    encodeURIComponent decodeURIComponent
  `),
);

/** Globals that may be called themselves. */
export const PURE_FUNCTIONS: ReadonlySet<string> = new Set(
  words(
    "Number String Boolean BigInt parseInt parseFloat isNaN isFinite encodeURIComponent decodeURIComponent",
  ),
);

/** What may be made with `new`: `new Set(result).size` says that nothing is there twice. */
export const MADE_OF_A_VALUE: ReadonlySet<string> = new Set(words("Set Map Date"));

/** Functions of globals. */
export const PURE_STATICS: Readonly<Record<string, ReadonlySet<string>>> = {
  Math: new Set(Object.getOwnPropertyNames(Math).filter((name) => name !== "random")),
  Number: new Set(words("isInteger isSafeInteger isFinite isNaN parseFloat parseInt")),
  String: new Set(words("fromCharCode fromCodePoint")),
  BigInt: new Set(words("asIntN asUintN")),
  Array: new Set(words("isArray from of")),
  Object: new Set(
    words(
      `keys values entries fromEntries is hasOwn getPrototypeOf getOwnPropertyNames isFrozen isSealed isExtensible`,
    ),
  ),
  JSON: new Set(words("stringify parse")),
  Date: new Set(words("parse UTC")),
  ArrayBuffer: new Set(words("isView")),
};

/** Methods that leave what they are called on as it was. */
export const PURE_METHODS: ReadonlySet<string> = new Set(
  words(`
    at concat every filter find findIndex findLast findLastIndex flat flatMap includes indexOf join lastIndexOf map
    reduce reduceRight slice some subarray toReversed toSorted toSpliced with keys values entries has get
    charAt charCodeAt codePointAt endsWith startsWith isWellFormed localeCompare match matchAll normalize padEnd
    padStart repeat replace replaceAll search split substring toLowerCase toUpperCase toWellFormed trim trimEnd
    trimStart toString valueOf toFixed toPrecision toExponential test hasOwnProperty isPrototypeOf toISOString toJSON
    getTime getUTCFullYear getUTCMonth getUTCDate getUTCDay getUTCHours getUTCMinutes getUTCSeconds
    getUTCMilliseconds
  `),
);

/** Methods that change what they are called on, and so may only be called on something new. */
export const SELF_CHANGING: ReadonlySet<string> = new Set(words("sort reverse fill"));

/** Methods whose result nobody else holds. */
export const GIVES_NEW: ReadonlySet<string> = new Set(
  words(`
    concat filter flat flatMap map slice split sort reverse fill toReversed toSorted toSpliced with from of keys values
    entries
  `),
);

/** Methods that call what they are given first. */
export const CALLS_BACK: ReadonlySet<string> = new Set(
  words(
    "every filter find findIndex findLast findLastIndex flatMap map reduce reduceRight some sort toSorted",
  ),
);
