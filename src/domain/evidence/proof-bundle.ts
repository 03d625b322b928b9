// Everything needed to reach the verdicts about a module again later, without a model and without its repository.
import { z } from "zod";
import { sha256Hex } from "../canonical.ts";
import { MicroModuleContract } from "../contract/contract.ts";
import { refuse } from "../parse.ts";
import { form, IsoTime, ModuleRef, PayloadRef, Text } from "../refs.ts";
import { BlindnessCertificate } from "./blindness-certificate.ts";
import { Claim } from "./claim.ts";
import { GateVerdict } from "./gate-verdict.ts";
import { GateName } from "./gate.ts";
import { Rigor } from "./rigor.ts";

/** Texts by their address; files, stubs and the base point at them, so that what is shared is kept once. */
const Contents = z.record(PayloadRef, z.string());
const Paths = z.record(Text, PayloadRef);

/** The name in imports: a folder, with its major version where another one has the plain name. */
const ImportName = form(/^[a-z0-9]+(-[a-z0-9]+)*(@\d+)?$/, "a name such as word-count or word-count@1");
/** The compiled package of another module. */
const Built = z.strictObject({ name: ImportName, files: Paths });

/** What stands around a module: what it imports, the same with functions that throw, and what imports it. */
const Neighbours = z.strictObject({
  dependencies: z.array(Built),
  broken: z.array(Built),
  consumers: z.array(
    z.strictObject({
      name: ImportName,
      /** What it imports the module as. */
      imports: ImportName,
      files: Paths,
      dependencies: z.array(Built),
    }),
  ),
});

/** What an earlier version was shipped with, and which of its tests passed then. */
const Earlier = z.strictObject({
  module: ModuleRef,
  tests: z.record(form(/^test\/./, "a path below test/"), PayloadRef),
  sources: z.record(form(/^src\/./, "a path below src/"), PayloadRef),
  passed: z.array(z.strictObject({ file: Text, name: z.string() })).min(1),
});

export const ProofBundle = z
  .strictObject({
    format: z.literal("cupel-proof-1"),
    madeAt: IsoTime,
    language: z.enum(["typescript", "python"]),
    /** Tools and their versions, Cupel's own among them. */
    versions: z.record(Text, Text),
    sandbox: z.enum(["bubblewrap", "none"]),
    place: z.enum(["ship", "verify"]),
    layout: z.strictObject({
      entry: Text,
      sources: z.array(Text).min(1),
      tests: z.array(Text),
      configuration: z.array(Text),
    }),
    files: Paths,
    skeleton: Paths.optional(),
    base: Paths.optional(),
    contents: Contents,
    contract: MicroModuleContract.optional(),
    claims: z.array(Claim).optional(),
    rigor: Rigor,
    only: z.array(GateName).optional(),
    neighbours: Neighbours.optional(),
    earlier: z.array(Earlier).optional(),
    certificate: BlindnessCertificate.optional(),
    /** Of the product it belongs to not every task had shipped. */
    product: z.literal("unfinished").optional(),
    verdicts: z.array(GateVerdict).min(1),
  })
  .superRefine((bundle, context) => {
    for (const [ref, text] of Object.entries(bundle.contents)) {
      if (addressOf(text) !== ref) refuse(context, ["contents", ref], "text with this hash", addressOf(text));
    }
    for (const { part, paths } of pathsIn(bundle)) {
      for (const [path, ref] of Object.entries(paths)) {
        if (!(ref in bundle.contents)) refuse(context, [...part, path], "an address among the contents", ref);
      }
    }
  });
export type ProofBundle = z.infer<typeof ProofBundle>;

type Bundle = Pick<ProofBundle, "files" | "skeleton" | "base" | "neighbours" | "earlier">;

/** Every list of files in a bundle, with its place. */
export function pathsIn({
  files,
  skeleton = {},
  base = {},
  neighbours,
  earlier = [],
}: Bundle): { part: (string | number)[]; paths: Readonly<Record<string, string>> }[] {
  const { dependencies = [], broken = [], consumers = [] } = neighbours ?? {};
  const built = [...dependencies, ...broken, ...consumers.flatMap((consumer) => consumer.dependencies)];
  const around = [...built, ...consumers].map(({ name, files: paths }) => ({
    part: ["neighbours", name],
    paths,
  }));
  return [
    { part: ["files"], paths: files },
    { part: ["skeleton"], paths: skeleton },
    { part: ["base"], paths: base },
    ...around,
    ...earlier.flatMap(({ module, tests, sources }) =>
      [tests, sources].map((paths) => ({ part: ["earlier", module], paths })),
    ),
  ];
}

export function addressOf(text: string): PayloadRef {
  return `sha256:${sha256Hex(text)}`;
}

/** How a verdict of today differs from the recorded one. */
export interface ProofDifference {
  gate: GateName;
  recorded: string;
  now: string;
}

/** Times and findings may differ in wording; what was looked at and what was decided may not. */
export function compareVerdicts(
  recorded: readonly GateVerdict[],
  now: readonly GateVerdict[],
): ProofDifference[] {
  const today = new Map(now.map((verdict) => [verdict.gate, verdict]));
  return recorded.flatMap((verdict) => {
    // What was not run says nothing that could be reached again.
    if (verdict.verdict === "NOT_RUN") return [];
    const other = today.get(verdict.gate);
    const [before, after] = [inWords(verdict), other === undefined ? "missing" : inWords(other)];
    return before === after ? [] : [{ gate: verdict.gate, recorded: before, now: after }];
  });
}

function inWords({ verdict, denominator }: GateVerdict): string {
  return `${verdict} of ${denominator}`;
}
