// What a name looks like to people: letters of other alphabets that have the shape of Latin ones count as these.

const ALIKE: Readonly<Record<string, string>> = {
  // Cyrillic
  ...pairs(
    "\u0430\u0435\u043E\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u04BB\u0501\u051B\u051D",
    "aeopcyxijshdqw",
  ),
  ...pairs(
    "\u0410\u0412\u0415\u041A\u041C\u041D\u041E\u0420\u0421\u0422\u0423\u0425\u0406\u0408\u0405",
    "ABEKMHOPCTYXIJS",
  ),
  // Greek
  ...pairs("\u03BF\u03BD\u03C1\u03C5", "ovpu"),
  ...pairs(
    "\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F\u03A1\u03A4\u03A5\u03A7",
    "ABEZHIKMNOPTYX",
  ),
  // Armenian
  ...pairs("\u0585\u057D\u0578\u0570", "ounh"),
};

/** Shorter names that differ in one such letter, as `I` and `l`, are often both meant. */
const LONG_ENOUGH = 4;

/** The same for names that only the compiler can tell apart. */
export function shapeOf(name: string): string {
  const letters = Array.from(name.normalize("NFKC"))
    .map((each) => ALIKE[each] ?? each)
    .join("");
  return letters.length < LONG_ENOUGH ? letters : letters.replaceAll("I", "l").replaceAll("0", "O");
}

function pairs(from: string, to: string): Record<string, string> {
  return Object.fromEntries(Array.from(from).map((each, at) => [each, to[at] ?? each]));
}
