// Everything that the gates of a release look at, gathered once: what was sealed, what the index says, what the commit holds.
import type { E2eSuite } from "../domain/evidence/e2e-suite.ts";
import type { Files } from "../toolchains/port.ts";
import type { CodeIndexEntry } from "../domain/plan/reuse.ts";

/** Plain values, so that a gate can look at a copy that was spoiled. */
export interface ReleasePicture {
  commit: string;
  modules: readonly PicturedModule[];
  /** The tasks of the release with the modules that each is said to have shipped. */
  tasks: readonly { task: string; modules: readonly string[] }[];
  /** Of every module that is named anywhere here. */
  entries: ReadonlyMap<string, CodeIndexEntry>;
  /** Missing where none are due. */
  suite?: PicturedSuite;
}

/** The end-to-end tests of a product that must have some. */
export interface PicturedSuite {
  /** By path below e2e/, as the commit has them. */
  committed: Files;
  /** Those that the harness has accepted for this very product, where they are these. */
  accepted: E2eSuite | undefined;
}

export interface PicturedModule {
  module: string;
  /** Its folder below `modules/`. */
  name: string;
  shipId: string;
  /** The entry that was made when it shipped. */
  sealedEntry: CodeIndexEntry;
  /** What is wrong with the sealed bytes themselves. */
  damage: string | undefined;
  /** The fingerprint that its evidence names, and the one that its sealed contract has. */
  fingerprints: { evidence: string; contract: string };
  needs: readonly Need[];
  /** Hashes by path, as they were sealed and as the commit has them. */
  sealedFiles: Readonly<Record<string, string>>;
  committedFiles: Readonly<Record<string, string>>;
  /** How its folder becomes again what was sealed. */
  restore: string;
}

export interface Need {
  /** As its contract says it. */
  range: string;
  /** The version that it was built and tested with; undefined where its record names none. */
  built: string | undefined;
  /** The version that it gets in this release. */
  given: string | undefined;
  /** Contract fingerprints of the two. */
  builtFingerprint: string | undefined;
  givenFingerprint: string | undefined;
  /** Its own tests have passed against the given version when that shipped, and nothing in the contract breaks it. */
  reverified: boolean;
}
