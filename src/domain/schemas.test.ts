// The register is complete, and its JSON Schemas judge as the records themselves do.
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { contracts } from "../../test/arbitraries/contract.ts";
import { MicroModuleContract } from "./contract/contract.ts";
import { jsonSchemaOf, SCHEMAS } from "./schemas.ts";

const files = readdirSync("src/domain", { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !file.endsWith(".test.ts"),
);
const modules = await Promise.all(
  files.map(async (file) => ({
    file,
    exports: z.record(z.string(), z.unknown()).parse({ ...(await import(`./${file}`)) }),
  })),
);
const exported = modules.flatMap(({ file, exports }) =>
  Object.entries(exports).flatMap(([name, value]) =>
    value instanceof z.ZodType ? [{ file, name, value }] : [],
  ),
);

describe("the register", () => {
  test("holds every schema that any file of the domain exports, under its own name", () => {
    expect(exported.length).toBeGreaterThan(100);
    const missing = exported.filter(({ name, value }) => SCHEMAS.get(name) !== value);
    expect(missing.map(({ file, name }) => `${name} of ${file}`)).toEqual([]);
  });

  test("lists names in order", () => {
    const names = [...SCHEMAS.keys()];
    expect(names).toEqual(names.toSorted((a, b) => (a < b ? -1 : 1)));
  });
});

describe("the JSON Schema", () => {
  const ajv = new Ajv2020({
    strict: true,
    strictTypes: false,
    strictRequired: false,
    validateFormats: false,
  });

  test.each([...SCHEMAS])("of %s compiles under the strict rules of draft 2020-12", (name, schema) => {
    const json = jsonSchemaOf(name, schema);
    expect(json).toMatchObject({ title: name, $schema: "https://json-schema.org/draft/2020-12/schema" });
    expect(() => ajv.compile(json)).not.toThrow();
  });

  const validate = ajv.compile(jsonSchemaOf("MicroModuleContract", MicroModuleContract));

  test("accepts the contracts that Cupel accepts", () => {
    fc.assert(
      fc.property(contracts(), (contract) => {
        expect(validate(contract)).toBe(true);
      }),
    );
  });

  test("refuses them with any key left out or added", () => {
    fc.assert(
      fc.property(contracts(), fc.nat(), (contract, pick) => {
        const keys = Object.keys(contract);
        const { [keys[pick % keys.length] ?? ""]: _, ...less } = { ...contract } as Record<string, unknown>;
        expect(validate(less)).toBe(false);
        expect(validate({ ...contract, surprise: 1 })).toBe(false);
      }),
    );
  });

  test("of the configuration is published as it is", () => {
    const published: unknown = JSON.parse(readFileSync("schemas/cupel.config.schema.json", "utf8"));
    const config = SCHEMAS.get("Config");
    expect(config === undefined ? undefined : jsonSchemaOf("Config", config)).toEqual(published);
  });
});
