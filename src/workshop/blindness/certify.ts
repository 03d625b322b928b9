// Writes the blindness certificate of a run: scans, and shows in the same scan that a leak would have been found.
import { createHash } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Role } from "../../domain/artifact/role.ts";
import {
  barrierOf,
  BlindnessCertificate,
  type BlindnessFacts,
  certificateOf,
} from "../../domain/evidence/blindness-certificate.ts";
import { parseOrThrow } from "../../domain/parse.ts";
import { type Plant, plantsFor } from "./plants.ts";
import { scan, type ScanReport, type ScanTarget } from "./scan.ts";
import { OPEN_WITHOUT_SANDBOX } from "../sandbox/open-doors.ts";
import type { SandboxLevel } from "../sandbox/port.ts";

export interface ToCertify {
  runId: string;
  /** How many commands ran at each level. */
  commands: Readonly<Record<SandboxLevel, number>>;
  workspaces: readonly { id: string; role: Role; canary: string }[];
  targets: readonly ScanTarget[];
  now: Date;
}

/** `look` and `openDoors` are others only in tests that ask what happens then. */
export async function certify(
  run: ToCertify,
  look: typeof scan = scan,
  openDoors: BlindnessFacts["openDoors"] = [...OPEN_WITHOUT_SANDBOX],
): Promise<BlindnessCertificate> {
  const directory = await mkdtemp(join(tmpdir(), "cupel-plants-"));
  try {
    const plants = await plantsFor(run.targets, directory);
    const canaries = run.workspaces.map(({ id, canary }) => ({ workspace: id, token: canary }));
    const strangers = plants.map(({ id, token }) => ({ workspace: id, token }));
    const targets = [...run.targets, ...plants.map(({ target }) => target)];
    const report = await look([...canaries, ...strangers], targets);
    const made = certificateOf({
      ...factsOf(run, plants, report),
      openDoors: run.commands.none > 0 ? openDoors : [],
    });
    return parseOrThrow(BlindnessCertificate, made, "the blindness certificate");
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function factsOf(
  run: ToCertify,
  plants: readonly Plant[],
  report: ScanReport,
): Omit<BlindnessFacts, "openDoors"> {
  const { runId, commands, workspaces, targets, now } = run;
  const isPlant = (name: string) => plants.some(({ id }) => id === name);
  return {
    runId,
    barrier: barrierOf(commands),
    commands: { ...commands },
    workspaces: workspaces.map(({ id, role, canary }) => ({
      id,
      role,
      canary: createHash("sha256").update(canary).digest("hex"),
      atHome: report.atHome.has(id),
    })),
    scanned: report.scanned.slice(0, targets.length),
    leaks: report.leaks.filter(({ of }) => !isPlant(of)),
    notScanned: report.notScanned.filter(({ name }) => !isPlant(name)),
    plants: plants.map(({ id, planted, target }) => ({
      kind: target.kind,
      planted,
      found: report.leaks.some(({ of, name }) => of === id && name === id),
    })),
    madeAt: now.toISOString(),
  };
}

/** For people: which barrier held, what was looked at, and what speaks against it. */
export function renderCertificate(certificate: BlindnessCertificate): string {
  const { runId, barrier, commands, workspaces, scanned, leaks, notScanned, plants, doubts } = certificate;
  const [files, bytes] = [total(scanned.map((each) => each.files)), total(scanned.map((each) => each.bytes))];
  const lines = [
    `Blindness of ${runId}: ${HEADLINE[certificate.result]}`,
    `  barrier   ${BARRIER[barrier]} (${commands.bubblewrap} commands in bubblewrap, ${commands.none} without a sandbox)`,
    `  scanned   ${scanned.length} places, ${files} files, ${bytes} bytes, for the canaries of ${workspaces.length} workspaces`,
    `  planted   ${plants.length} leaks, ${plants.filter(({ found }) => found).length} found`,
    ...leaks.map(
      ({ of, kind, name, path, disguise, offset }) =>
        `  leak      the canary of ${of} in the ${kind} ${name}: ${path}, byte ${offset} (${disguise})`,
    ),
    ...doubts.map((doubt) => `  doubt     ${doubt}`),
    ...notScanned.map(
      ({ kind, name, path, reason }) => `  unread    ${path} of the ${kind} ${name}: ${reason}`,
    ),
    ...[...new Set(certificate.openDoors.map(({ door }) => door))].map((door) => `  open      ${door}`),
  ];
  return `${shortened(lines).join("\n")}\n`;
}

const HEADLINE: Readonly<Record<BlindnessCertificate["result"], string>> = {
  held: "held. No canary left its workspace.",
  broken: "BROKEN. A canary left its workspace.",
  unproven: "unproven. No canary was found elsewhere, but that is no proof:",
};

const BARRIER: Readonly<Record<BlindnessCertificate["barrier"], string>> = {
  sandbox: "sandbox: commands saw their own workspace only",
  repository: "repository: workspaces share no history, but no sandbox kept every command inside",
};

/** A person reads the first of many; the record has them all. */
function shortened(lines: readonly string[]): string[] {
  const left = new Map<string, number>();
  return lines.flatMap((line) => {
    const label = line.slice(0, 12);
    const count = (left.get(label) ?? 0) + 1;
    left.set(label, count);
    if (count <= MOST_LINES) return [line];
    return count === MOST_LINES + 1 ? [`${label}… and more, listed in the record`] : [];
  });
}

const MOST_LINES = 20;

function total(numbers: readonly number[]): number {
  return numbers.reduce((sum, number) => sum + number, 0);
}
