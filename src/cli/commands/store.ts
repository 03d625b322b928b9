// `cupel store`: looks into the state store and checks it.
import { CupelError } from "../../domain/error.ts";
import { checkStore, withStore } from "../../factory/stores.ts";
import type { FsckReport } from "../../store/fsck-report.ts";
import type { StateStore } from "../../store/state-store.ts";
import { EXIT } from "../exit-codes.ts";
import { colorsFor, count, oneLine, printJson, printText } from "../output.ts";

interface StoreCommand {
  directory: string;
  json: boolean;
}

export async function fsck({ directory, json }: StoreCommand, repair: boolean): Promise<number> {
  const report = await checkStore(directory, { repair });
  if (json) printJson(report);
  else printText(renderReport(report));
  return report.clean ? EXIT.ok : EXIT.gatesFailed;
}

function renderReport({ clean, problems, leftovers, looked }: FsckReport): string {
  const colors = colorsFor(process.stdout);
  const counts = Object.entries(looked).map(([what, number]) =>
    what === "indexed" ? `${number} in the Code Index` : count(number, what.slice(0, -1)),
  );
  return [
    `Looked at ${counts.join(" · ")}`,
    ...problems.map(({ where, what }) => `  ${colors.red("✕")} ${oneLine(where)}  ${oneLine(what)}`),
    ...leftovers.map(
      ({ where, what }) =>
        `  ${colors.yellow("–")} ${oneLine(where)}  ${oneLine(what)} (left by an interrupted write, harmless)`,
    ),
    clean ? colors.green("Clean.") : colors.red(`${count(problems.length, "problem")}.`) + ADVICE,
  ].join("\n");
}

const ADVICE =
  " cupel store fsck --repair rebuilds files whose content is still among the payloads; the rest needs a backup.";

/** `what`: artifacts, modules or questions; everything without it. */
export async function list(what: string | undefined, { directory, json }: StoreCommand): Promise<void> {
  const entries = await withStore(directory, (store) => entriesOf(store, what));
  if (json) printJson(entries);
  else
    printText(
      entries
        .map(({ ref, status, about }) => oneLine(`${ref.padEnd(28)} ${status.padEnd(12)} ${about}`))
        .join("\n"),
    );
}

interface Entry {
  ref: string;
  status: string;
  about: string;
}

async function entriesOf(store: StateStore, what: string | undefined): Promise<Entry[]> {
  switch (what) {
    case undefined:
      return [...(await artifacts(store)), ...(await modules(store)), ...(await questions(store))];
    case "artifacts":
      return artifacts(store);
    case "modules":
      return modules(store);
    case "questions":
      return questions(store);
    default:
      throw new CupelError("usage", `the store holds no "${what}"`, {
        expected: "artifacts, modules or questions",
      });
  }
}

async function artifacts(store: StateStore): Promise<Entry[]> {
  const rows = await store.artifacts.query({});
  return rows.map(({ envelope, pillar }) => ({
    ref: `${envelope.artifact_id}@${envelope.version}`,
    status: envelope.status,
    about: `${envelope.artifact_type} in ${pillar}, by the ${envelope.created_by.role}`,
  }));
}

async function modules(store: StateStore): Promise<Entry[]> {
  const rows = await store.modules.list();
  return rows.map(({ moduleId, version, files, sealedAt }) => ({
    ref: `${moduleId}@${version}`,
    status: sealedAt === null ? "OPEN" : "SEALED",
    about: `${Object.keys(files).length} files${sealedAt === null ? "" : ` since ${sealedAt}`}`,
  }));
}

async function questions(store: StateStore): Promise<Entry[]> {
  const open = await store.inbox.open();
  return open.map(({ id, kind, title }) => ({ ref: id, status: "WAITING", about: `${kind}: ${title}` }));
}

/** An artifact, a module version, a payload or a question, by its reference. */
export async function show(ref: string, { directory }: StoreCommand): Promise<void> {
  await withStore(directory, async (store) => {
    if (ref.startsWith("sha256:")) process.stdout.write(await store.payloads.get(ref));
    else printJson(await find(store, ref));
  });
}

async function find(store: StateStore, ref: string): Promise<unknown> {
  if (ref.startsWith("MM-")) return store.modules.get(ref);
  const question = await store.inbox.find(ref);
  if (question !== undefined) return question;
  const [id = ref, version] = ref.split("@");
  const row = await store.artifacts.get(id);
  if (version === undefined || row.envelope.version === version) return row;
  throw new CupelError("not_found", `${id} has version ${row.envelope.version}, not ${version}`, {
    hint: `cupel store show ${id}`,
  });
}
