// What may lie below e2e/: tests, code and data that they share, and nothing that would decide how anything runs.
import type { Finding } from "./gate-verdict.ts";

/** Plain names, so that no path means something else on another machine. */
const PLAIN = /^[\w@-][\w.@-]*(?:\/[\w@-][\w.@-]*)*$/;
const KINDS = /\.(?:ts|json|txt|md|csv)$/;
/** Runner, compiler and package settings, and types that could change what the compiler says. */
const SETTINGS =
  /(?:^|\/)(?:package(?:-lock)?\.json|tsconfig[\w.-]*\.json|[\w.-]+\.config\.ts|node_modules)(?:\/|$)|\.d\.ts$/;
/** More than anybody reads. */
const MOST_FILES = 200;

export function fileFindings(files: Readonly<Record<string, string>>): Finding[] {
  const paths = Object.keys(files);
  if (!paths.some((path) => path.endsWith(".test.ts")))
    return [{ rule: "no-tests", message: "there is no file in e2e/ whose name ends in .test.ts" }];
  if (paths.length > MOST_FILES)
    return [
      { rule: "too-many-files", message: `e2e/ has ${paths.length} files, and ${MOST_FILES} are enough` },
    ];
  return paths.flatMap((path) => {
    const why = problemOf(path);
    return why === undefined
      ? []
      : [{ rule: "not-a-test", file: `e2e/${path}`, message: `e2e/${path} ${why}` }];
  });
}

function problemOf(path: string): string | undefined {
  if (!PLAIN.test(path)) return "has a name that is not made of letters, digits, dots and dashes";
  if (SETTINGS.test(path)) return "decides how something runs or compiles, which is not for tests to decide";
  return KINDS.test(path) ? undefined : "is neither TypeScript nor JSON nor plain text";
}
