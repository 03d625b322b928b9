// Reads XML as strictly as its rules ask for, so that a test can insist that a document is well-formed.
interface Element {
  name: string;
  attributes: Record<string, string>;
}

/** Every element of a document in order of their beginnings; throws where XML would not be well-formed. */
export function elementsOf(xml: string): Element[] {
  // oxlint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Cs}/u.test(xml))
    throw new Error("a character that XML has not");
  const elements: Element[] = [];
  const open: string[] = [];
  let rest = xml.replace(/^<\?xml version="1.0" encoding="UTF-8"\?>\n/, "").trimEnd();
  while (rest !== "") {
    const part = /^(?:<(\/?)([a-z]+)((?: [a-z]+="[^"<]*")*)(\/?)>|[^<>]+)/.exec(rest);
    if (part === null) throw new Error(`not well-formed: ${rest.slice(0, 40)}`);
    const [text, close, name = "", attributes = "", empty] = part;
    if (/&(?!(?:amp|lt|gt|quot|apos);)/.test(text)) throw new Error(`a bare & in ${text}`);
    rest = rest.slice(text.length);
    if (name === "") continue;
    if (close === "/") {
      if (open.pop() !== name) throw new Error(`</${name}> closes nothing`);
      continue;
    }
    const pairs = [...attributes.matchAll(/ ([a-z]+)="([^"]*)"/g)].map(([, key = "", value = ""]) => [
      key,
      value,
    ]);
    elements.push({ name, attributes: Object.fromEntries(pairs) });
    if (empty !== "/") open.push(name);
  }
  if (open.length > 0) throw new Error(`${open.join(", ")} never ends`);
  return elements;
}
