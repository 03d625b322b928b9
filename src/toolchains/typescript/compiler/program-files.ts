// Which files of a module make a program, and what tells one program from another.
import { canonicalHash } from "../../../domain/canonical.ts";
import type { ModuleLayout } from "../../port.ts";

export interface ProgramFiles {
  /** The compiler's configuration. */
  config: string;
  /** Hash of everything. */
  content: string;
  /** Hash of everything but code: programs that share it differ in nothing else. */
  frame: string;
}

export function programFiles(
  layout: ModuleLayout,
  texts: ReadonlyMap<string, string>,
  compilerOptions: Readonly<Record<string, unknown>>,
): ProgramFiles {
  const files = [...texts.keys()].filter((path) => isProgramFile(path, layout, compilerOptions));
  const config = JSON.stringify({ compilerOptions, files });
  const key = layoutKey(layout);
  const fixed = [...texts].map(([path, text]) => (isCode(path) || path === QUESTION ? path : [path, text]));
  return {
    config,
    content: canonicalHash([key, [...texts]]),
    frame: canonicalHash([key, config, fixed]),
  };
}

function layoutKey({ entry, sources, tests, configuration }: ModuleLayout): unknown {
  return { entry, sources: [...sources], tests: [...tests], configuration: [...configuration] };
}

export function isCode(path: string): boolean {
  return !path.startsWith("modules/") && path !== QUESTION && !/\.d\.[cm]?ts$|\.json$/.test(path);
}

/** Where a question that is put as code is seen. */
export const QUESTION = ".cupel-question.ts";

/** Sources, tests and what declares types for them; JavaScript only where it is part of the layout. */
function isProgramFile(
  path: string,
  layout: ModuleLayout,
  options: Readonly<Record<string, unknown>>,
): boolean {
  if (layout.sources.includes(path) || layout.tests.includes(path)) {
    return /\.[cm]?tsx?$/.test(path) || (options["allowJs"] === true && /\.[cm]?jsx?$/.test(path));
  }
  return !path.startsWith("modules/") && (path === QUESTION || /\.d\.[cm]?ts$/.test(path));
}
