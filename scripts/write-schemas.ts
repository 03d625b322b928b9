// Writes the published JSON Schema of the configuration, which editors use for completion.
import { mkdirSync, writeFileSync } from "node:fs";
import { Config } from "../src/domain/config.ts";
import { jsonSchemaOf } from "../src/domain/schemas.ts";

mkdirSync("schemas", { recursive: true });
writeFileSync(
  "schemas/cupel.config.schema.json",
  `${JSON.stringify(jsonSchemaOf("Config", Config), null, 2)}\n`,
);
