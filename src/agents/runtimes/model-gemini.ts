// What Google's package leaves open: schemas in words that Google refuses, and errors that nobody waits for.

type Schema = Record<string, unknown>;

/** At the last step before the wire, so that it holds for every tool, whoever made it. */
export function tameGemini(model: object): void {
  const client: unknown = Reflect.get(model, "client");
  const ask: unknown =
    typeof client === "object" && client !== null ? Reflect.get(client, METHOD) : undefined;
  if (typeof client !== "object" || client === null || typeof ask !== "function") return;
  Reflect.set(client, METHOD, async (request: unknown, ...more: unknown[]): Promise<unknown> => {
    const result: unknown = await Reflect.apply(ask, client, [withPlainSchemas(request), ...more]);
    // It hears every stream twice; when one breaks, the second hearing would end the whole process.
    const second: unknown = asSchema(result)["response"];
    if (second instanceof Promise) second.catch(() => {});
    return result;
  });
}

const METHOD = "generateContentStream";

function withPlainSchemas(request: unknown): unknown {
  const { tools, ...rest } = asSchema(request);
  if (!Array.isArray(tools)) return request;
  const plain = tools.map((tool: unknown) => {
    const { functionDeclarations, ...others } = asSchema(tool);
    return Array.isArray(functionDeclarations)
      ? { ...others, functionDeclarations: functionDeclarations.map(withPlainParameters) }
      : tool;
  });
  return { ...rest, tools: plain };
}

function withPlainParameters(declaration: unknown): Schema {
  const { parameters, ...rest } = asSchema(declaration);
  return parameters === undefined ? rest : { ...rest, parameters: geminiSchema(parameters) };
}

const KEPT = new Set([
  "type",
  "title",
  "description",
  "enum",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "minLength",
  "maxLength",
  "pattern",
]);

/** A word that it does not know makes it refuse the whole request. What gets lost is checked by our own schemas when the call or the answer is there. */
export function geminiSchema(schema: unknown, definitions: Schema = {}): Schema {
  const whole = asSchema(schema);
  const known = { ...definitions, ...asSchema(whole["$defs"]) };
  const node = followed(whole, known);
  const kept: Schema = {};
  for (const [word, value] of Object.entries(node)) {
    if (KEPT.has(word)) kept[word] = value;
    else if (word === "const") Object.assign(kept, only(value));
    else if (word === "items") kept["items"] = geminiSchema(value, known);
    else if (word === "properties") kept["properties"] = eachOf(value, known);
    else if (word === "anyOf" || word === "oneOf") Object.assign(kept, choice(value, known));
  }
  // It takes no choice of numbers.
  if (Array.isArray(kept["enum"]) && kept["enum"].some((value) => typeof value !== "string"))
    delete kept["enum"];
  return { ...typesOf(kept), ...requiredOf(node, asSchema(kept["properties"])) };
}

/** One step is enough for what zod writes; what refers to itself ends here. */
function followed(node: Schema, definitions: Schema): Schema {
  const reference = node["$ref"];
  if (typeof reference !== "string") return node;
  const { [reference.replace("#/$defs/", "")]: target, ...others } = definitions;
  return target === undefined ? { type: "object" } : geminiSchema(target, others);
}

function only(value: unknown): Schema {
  if (typeof value === "string") return { type: "string", enum: [value] };
  return { description: `Exactly ${JSON.stringify(value)}.` };
}

function eachOf(properties: unknown, definitions: Schema): Schema {
  const entries = Object.entries(asSchema(properties));
  return Object.fromEntries(entries.map(([name, value]) => [name, geminiSchema(value, definitions)]));
}

/** Null is no choice of its own there but a remark on the others. */
function choice(options: unknown, definitions: Schema): Schema {
  const all: unknown[] = Array.isArray(options) ? options : [];
  const real = all.filter((option) => asSchema(option)["type"] !== "null");
  const nullable = real.length < all.length ? { nullable: true } : {};
  const [first] = real;
  if (real.length === 1) return { ...geminiSchema(first, definitions), ...nullable };
  return { anyOf: real.map((option) => geminiSchema(option, definitions)), ...nullable };
}

/** Several types at once are a choice between them. */
function typesOf({ type: types, ...rest }: Schema): Schema {
  if (!Array.isArray(types)) return types === undefined ? rest : { type: types, ...rest };
  const real = types.filter((type) => type !== "null");
  const nullable = real.length < types.length ? { nullable: true } : {};
  if (real.length === 1) return { type: String(real[0]), ...rest, ...nullable };
  return { anyOf: real.map((type) => ({ type: String(type) })), ...rest, ...nullable };
}

function requiredOf(node: Schema, properties: Schema): Schema {
  const required: unknown[] = Array.isArray(node["required"]) ? node["required"] : [];
  const there = required.filter((name) => typeof name === "string" && Object.hasOwn(properties, name));
  return there.length === 0 ? {} : { required: there };
}

function asSchema(value: unknown): Schema {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
