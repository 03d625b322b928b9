// Reads one exercise of a track from its folder, in which strangers chose every name, link and size.
import { lstatSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { parse } from "jsonc-parser";
import { z } from "zod";
import { staysInside } from "../../../domain/artifact/context-pack.ts";
import type { Files } from "../../../toolchains/port.ts";
import { readRegular } from "../../../toolchains/typescript/module-files.ts";
import { leaveOut } from "./left-out.ts";

export interface ExerciseFiles {
  blurb: string;
  /** Markdown, in the order in which a student reads it. */
  instructions: string;
  /** Paths that tests import the solution by. */
  solution: readonly string[];
  /** By path in the folder, the first one first. */
  exemplars: Files;
  tests: Files;
}

const Paths = z.array(z.string()).default([]);

/** Tracks may add to it whatever they like. */
const Config = z.object({
  blurb: z.string().default(""),
  files: z.object({
    solution: Paths,
    test: Paths,
    example: Paths,
    exemplar: Paths,
  }),
});

const MOST_BYTES = 256 * 1024;
const DOCUMENTS = ["introduction.md", "instructions.md", "introduction.append.md", "instructions.append.md"];
const TYPES_ONLY = /\.tst\.ts$/;

export function readExercise(folder: string): ExerciseFiles {
  const { blurb, files } = configOf(folder);
  const exemplars = [...files.example, ...files.exemplar].filter(isTypeScript);
  if (exemplars.length === 0) leaveOut("it names no exemplar in TypeScript");
  const tests = files.test.filter((path) => isTypeScript(path) && !TYPES_ONLY.test(path));
  if (tests.length === 0) leaveOut("it names no tests in TypeScript");
  if (files.solution.length === 0) leaveOut("it names no file for the solution");
  const documents = DOCUMENTS.flatMap((name) => textIn(folder, `.docs/${name}`)?.trim() ?? []);
  if (documents.every((text) => text === "")) leaveOut("it has no instructions");
  return {
    blurb,
    instructions: documents.join("\n\n"),
    solution: files.solution,
    exemplars: needed(folder, exemplars),
    tests: needed(folder, tests),
  };
}

function isTypeScript(path: string): boolean {
  return /\.[cm]?ts$/.test(path);
}

/** Nobody misses a comma there, and some tracks lack one. */
function configOf(folder: string): z.infer<typeof Config> {
  const config = Config.safeParse(parse(needed(folder, [CONFIG])[CONFIG] ?? ""));
  if (config.success) return config.data;
  const why = z.prettifyError(config.error).replaceAll(/\s+/g, " ");
  return leaveOut(`${CONFIG} cannot be read: ${why}`);
}

const CONFIG = ".meta/config.json";

function needed(folder: string, paths: readonly string[]): Files {
  const texts = paths.map((path) => textIn(folder, path) ?? leaveOut(`${path} is not there`));
  return Object.fromEntries(paths.map((path, index) => [path, texts[index] ?? ""]));
}

/** Undefined where nothing is; whatever leads out of the folder, over a link, or is too large is refused. */
function textIn(folder: string, path: string): string | undefined {
  if (!staysInside(path)) return leaveOut(`${JSON.stringify(path)} leads out of its folder`);
  const place = join(folder, path);
  const stat = lstatSync(place, { throwIfNoEntry: false });
  if (stat === undefined) return undefined;
  if (!stat.isFile() || realpathSync(place) !== join(realpathSync(folder), path))
    return leaveOut(`${path} is no file of its own, or lies behind a link`);
  if (stat.size > MOST_BYTES) return leaveOut(`${path} is larger than ${MOST_BYTES / 1024} KiB`);
  return readRegular(place)?.toString("utf8") ?? leaveOut(`${path} cannot be read`);
}
