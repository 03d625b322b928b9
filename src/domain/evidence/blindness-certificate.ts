// Whether the barrier between workspaces held in one run: only what was looked at by a scan that can find says so.
import { z } from "zod";
import { Role } from "../artifact/role.ts";
import { refuse } from "../parse.ts";
import { Fingerprint, IsoTime, Text } from "../refs.ts";

/** Where a canary could turn up. */
export const ScanKind = z.enum(["workspace", "transcript", "artifact", "prompt", "output", "repository"]);
export type ScanKind = z.infer<typeof ScanKind>;

/** Where every run leaves something; a certificate that is silent about one of them proves nothing. */
export const MUST_BE_SCANNED = ["workspace", "transcript", "artifact", "prompt"] as const;

const target = { kind: ScanKind, name: Text };

export const CanaryLeak = z.strictObject({
  ...target,
  /** The workspace whose canary it is. */
  of: Text,
  path: Text,
  disguise: Text,
  offset: z.int().min(0),
});
export type CanaryLeak = z.infer<typeof CanaryLeak>;

export const NotScanned = z.strictObject({ ...target, path: Text, reason: Text });
export type NotScanned = z.infer<typeof NotScanned>;

const facts = {
  runId: Text,
  /** `repository`: workspaces share no history, but nothing kept a command inside its own. */
  barrier: z.enum(["sandbox", "repository"]),
  /** How many commands ran at each level. */
  commands: z.strictObject({ bubblewrap: z.int().min(0), none: z.int().min(0) }),
  workspaces: z.array(
    z.strictObject({
      id: Text,
      role: Role,
      /** SHA-256 of the canary; the canary itself would be a leak. */
      canary: Fingerprint,
      /** Whether the scan saw the canary where it belongs. */
      atHome: z.boolean(),
    }),
  ),
  scanned: z.array(
    z.strictObject({
      ...target,
      /** The workspace it belongs to. */
      owner: Text.optional(),
      files: z.int().min(0),
      bytes: z.int().min(0),
    }),
  ),
  leaks: z.array(CanaryLeak),
  /** What an attack could have done where commands ran without a sandbox. */
  openDoors: z.array(z.strictObject({ attack: Text, door: Text })),
  notScanned: z.array(NotScanned),
  /** Leaks that the harness planted in the same scan, one at least for each kind of place. */
  plants: z.array(z.strictObject({ kind: ScanKind, planted: Text, found: z.boolean() })),
  madeAt: IsoTime,
};

const BlindnessFacts = z.strictObject(facts);
export type BlindnessFacts = z.infer<typeof BlindnessFacts>;

export const BlindnessCertificate = z
  .strictObject({
    ...facts,
    result: z.enum(["held", "broken", "unproven"]),
    /** Why it is unproven; what else keeps a broken one from being believed. */
    doubts: z.array(Text),
  })
  .superRefine((certificate, context) => {
    checkResult(certificate, context);
    checkBarrier(certificate, context);
    checkNames(certificate, context);
  });
export type BlindnessCertificate = z.infer<typeof BlindnessCertificate>;

/** The only way from what was seen to a result. */
export function certificateOf(seen: BlindnessFacts): BlindnessCertificate {
  return { ...seen, result: resultOf(seen), doubts: doubtsAbout(seen) };
}

type Result = BlindnessCertificate["result"];

function resultOf(seen: BlindnessFacts): Result {
  if (seen.leaks.length > 0) return "broken";
  return doubtsAbout(seen).length > 0 ? "unproven" : "held";
}

/** Everything that keeps silence from being proof. */
function doubtsAbout(seen: BlindnessFacts): string[] {
  const { workspaces, notScanned } = seen;
  const doubts: string[] = [];
  if (workspaces.length < 2)
    doubts.push(`there were ${workspaces.length} workspaces, so nothing to be blind to`);
  doubts.push(...doubtsAboutPlaces(seen));
  if (notScanned.length > 0) doubts.push(`${notScanned.length} things were not looked at`);
  doubts.push(...doubtsAboutPlants(seen));
  return doubts;
}

function doubtsAboutPlaces({ workspaces, scanned }: BlindnessFacts): string[] {
  const doubts: string[] = [];
  if (scanned.every(({ files }) => files === 0)) doubts.push("not a single file was looked at");
  for (const { id, atHome } of workspaces) {
    const looked = scanned.some(
      ({ kind, owner, files }) => kind === "workspace" && owner === id && files > 0,
    );
    if (!looked) doubts.push(`the workspace ${id} was not looked at`);
    else if (!atHome) doubts.push(`the canary of ${id} is no longer in its own workspace`);
  }
  for (const { kind, name, files, bytes } of scanned) {
    if (files === 0 || bytes === 0) doubts.push(`there was nothing to look at in the ${kind} ${name}`);
  }
  for (const kind of MUST_BE_SCANNED) {
    if (!scanned.some((each) => each.kind === kind)) doubts.push(`no ${kind} was looked at`);
  }
  return doubts;
}

function doubtsAboutPlants({ scanned, plants }: BlindnessFacts): string[] {
  const doubts: string[] = [];
  for (const kind of new Set(scanned.map((each) => each.kind))) {
    if (!plants.some((plant) => plant.kind === kind)) doubts.push(`no leak was planted in a ${kind}`);
  }
  if (plants.length === 0) doubts.push("no leak was planted, so the scan has not shown that it finds one");
  for (const { planted, found } of plants) if (!found) doubts.push(`the scan did not find ${planted}`);
  return doubts;
}

type Context = z.core.$RefinementCtx;

function checkResult(certificate: BlindnessCertificate, context: Context): void {
  const doubts = doubtsAbout(certificate);
  const result = resultOf(certificate);
  if (certificate.result !== result) {
    const why =
      result === "broken"
        ? "since a canary was found elsewhere"
        : doubts.join("; ") || "since nothing speaks against it";
    refuse(context, ["result"], `"${result}": ${why}`, `"${certificate.result}"`);
  }
  if (certificate.doubts.join("\n") !== doubts.join("\n")) {
    refuse(
      context,
      ["doubts"],
      `exactly the doubts that the facts give: ${doubts.join("; ") || "none"}`,
      `${certificate.doubts.length} doubts`,
    );
  }
}

function checkBarrier({ barrier, commands, openDoors }: BlindnessFacts, context: Context): void {
  const right = barrierOf(commands);
  if (barrier !== right) refuse(context, ["barrier"], `"${right}" with these commands`, `"${barrier}"`);
  if (commands.none > 0 === openDoors.length > 0) return;
  const expected =
    commands.none > 0
      ? "the doors that stand open without a sandbox"
      : "none, since every command ran in a sandbox";
  refuse(context, ["openDoors"], expected, `${openDoors.length} doors`);
}

/** Where no command ran at all, it is the separate repositories that kept things apart. */
export function barrierOf({ bubblewrap, none }: BlindnessFacts["commands"]): BlindnessFacts["barrier"] {
  return bubblewrap > 0 && none === 0 ? "sandbox" : "repository";
}

function checkNames({ workspaces, leaks, scanned }: BlindnessFacts, context: Context): void {
  const ids = new Set(workspaces.map(({ id }) => id));
  workspaces.forEach(({ id, canary }, index) => {
    const before = workspaces.slice(0, index);
    if (before.some((other) => other.id === id))
      refuse(context, ["workspaces", index, "id"], "each workspace once", `"${id}" again`);
    if (before.some((other) => other.canary === canary)) {
      refuse(context, ["workspaces", index, "canary"], "a canary of its own", "that of another workspace");
    }
  });
  leaks.forEach(({ of }, index) => {
    if (!ids.has(of)) refuse(context, ["leaks", index, "of"], "one of the workspaces", `"${of}"`);
  });
  scanned.forEach(({ owner }, index) => {
    if (owner !== undefined && !ids.has(owner))
      refuse(context, ["scanned", index, "owner"], "one of the workspaces", `"${owner}"`);
  });
}
