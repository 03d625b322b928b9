// Finds the exercises of an Exercism track, or of the TypeScript part of a benchmark in the same layout.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { z } from "zod";
import { CupelError } from "../../../domain/error.ts";
import { readRegular } from "../../../toolchains/typescript/module-files.ts";
import { isRealDirectory } from "../../../workshop/sandbox/grants.ts";
import type { LeftOut } from "./left-out.ts";

export interface Track {
  exercises: readonly { slug: string; folder: string }[];
  leftOut: readonly LeftOut[];
}

const KINDS = ["practice", "concept"] as const;
const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MOST_EXERCISES = 2_000;
const LANGUAGE = "typescript";

/** `exercises/practice` and `exercises/concept` below the path. */
export function exercismTrack(path: string): Track {
  const root = checkout(path);
  const given = deprecatedIn(root);
  const found = KINDS.flatMap((kind) =>
    foldersIn(join(root, "exercises", kind)).map((name) => ({
      slug: name,
      folder: join(root, "exercises", kind, name),
      isDeprecated: kind === "practice" && given.has(name),
    })),
  );
  const why = ({ slug, isDeprecated }: (typeof found)[number], index: number): string | undefined => {
    if (!SLUG.test(slug)) return "its name is not lower-case words with hyphens";
    if (isDeprecated) return "its track has deprecated it";
    return found.findIndex((each) => each.slug === slug) < index ? "another one has its name" : undefined;
  };
  const reasons = found.map(why);
  return {
    exercises: found.filter((_, index) => reasons[index] === undefined),
    leftOut: found.flatMap(({ slug }, index) => {
      const reason = reasons[index];
      return reason === undefined ? [] : [{ exercise: slug, why: reason }];
    }),
  };
}

/** A folder for each language, with a track in it. */
export function polyglotTrack(path: string): Track {
  const root = checkout(path);
  const languages = foldersIn(root).filter((name) => isRealDirectory(join(root, name, "exercises")));
  const own = languages.includes(LANGUAGE)
    ? exercismTrack(join(root, LANGUAGE))
    : { exercises: [], leftOut: [] };
  const others = languages.filter((name) => name !== LANGUAGE);
  return {
    exercises: own.exercises,
    leftOut: [
      ...own.leftOut,
      ...others.flatMap((language) => {
        const slugs = KINDS.flatMap((kind) => foldersIn(join(root, language, "exercises", kind)));
        const why = `it is in ${language}, for which Cupel has no toolchain`;
        return slugs.map((slug) => ({ exercise: `${language}/${slug}`, why }));
      }),
    ],
  };
}

function checkout(path: string): string {
  const root = resolve(path);
  if (path !== "" && isRealDirectory(root)) return root;
  throw new CupelError("usage", `there is no folder ${JSON.stringify(path)} to read exercises from`, {
    expected: "exercism:PATH or polyglot:PATH, with the path of a checkout",
  });
}

/** In a fixed order; links are no folders. */
function foldersIn(directory: string): string[] {
  if (!isRealDirectory(directory)) return [];
  const entries = readdirSync(directory, { withFileTypes: true });
  const names = entries.flatMap((entry) =>
    entry.isDirectory() && !entry.name.startsWith(".") ? [entry.name] : [],
  );
  if (names.length <= MOST_EXERCISES) return names.toSorted();
  throw new CupelError("usage", `${directory} holds more than ${MOST_EXERCISES} folders`, {
    expected: "the checkout of one track",
  });
}

const TrackConfig = z.object({
  exercises: z.object({
    practice: z.array(z.object({ slug: z.string(), status: z.string().optional() })).default([]),
  }),
});

/** A track without a configuration has deprecated nothing. */
function deprecatedIn(root: string): ReadonlySet<string> {
  try {
    const { exercises } = TrackConfig.parse(
      JSON.parse(readRegular(join(root, "config.json"))?.toString("utf8") ?? ""),
    );
    return new Set(exercises.practice.flatMap(({ slug, status }) => (status === "deprecated" ? [slug] : [])));
  } catch {
    return new Set();
  }
}
