// `cupel schema`: the JSON Schema of every record, for agents, editors and other tools.
import { CupelError } from "../../domain/error.ts";
import { nearest } from "../../domain/nearest.ts";
import { jsonSchemaOf, SCHEMAS } from "../../domain/schemas.ts";
import { printJson, printText } from "../output.ts";

export function schema(name: string | undefined, json: boolean): void {
  const names = [...SCHEMAS.keys()];
  if (name === undefined) {
    if (json) printJson(names);
    else printText(names.join("\n"));
    return;
  }
  const found = SCHEMAS.get(name);
  if (found === undefined) {
    const meant = nearest(name, names);
    throw new CupelError("usage", `there is no schema "${name}"`, {
      hint: meant === undefined ? "cupel schema (lists all names)" : `cupel schema ${meant}`,
    });
  }
  printJson(jsonSchemaOf(name, found));
}
