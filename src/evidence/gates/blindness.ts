// No canary crossed from one workspace to another, and the scan that says so has found the ones it planted.
import { BlindnessCertificate, certificateOf } from "../../domain/evidence/blindness-certificate.ts";
import type { BlindnessFacts, CanaryLeak } from "../../domain/evidence/blindness-certificate.ts";
import { parse, renderProblem } from "../../domain/parse.ts";
import type { GateDefinition } from "../port.ts";

export const blindness: GateDefinition = {
  name: "blindness",
  look: async (facts) => {
    const { certificate } = facts.module;
    if (certificate === undefined) return { kind: "error", message: "there is no certificate of the run" };
    const { scanned, leaks, workspaces } = certificate;
    const files = scanned.reduce((sum, target) => sum + target.files, 0);
    // What it says of itself is not taken over: doubts follow from what was seen, and are the same ones or forged.
    const parsed = parse(BlindnessCertificate, certificate);
    const forged = parsed.kind === "ok" ? [] : parsed.problems.map(renderProblem);
    const { doubts } = certificateOf(seenIn(certificate));
    return {
      kind: "looked",
      looked: files,
      summary: `${workspaces.length} workspaces, ${files} files scanned`,
      findings: [
        ...leaks.map(({ of, kind, name, path }) => ({
          rule: "leaked-canary",
          message: `the canary of ${of} is in the ${kind} ${name}: ${path}`,
        })),
        ...doubts.map((message) => ({ rule: "unproven", message })),
        ...forged.map((message) => ({ rule: "forged", message })),
      ],
      evidence: certificate,
    };
  },
  plant: async (facts) => {
    const { certificate } = facts.module;
    const [workspace] = certificate?.workspaces ?? [];
    if (certificate === undefined || workspace === undefined)
      return { kind: "impossible", why: "there was no workspace" };
    const leak: CanaryLeak = {
      kind: "transcript",
      name: "planted",
      of: workspace.id,
      path: "planted",
      disguise: "verbatim",
      offset: 0,
    };
    // A sound certificate of a broken run, so that the leak alone decides.
    const spoiled = certificateOf({ ...seenIn(certificate), leaks: [leak] });
    return { kind: "planted", what: "a leaked canary", facts: await facts.spoiled({ certificate: spoiled }) };
  },
};

function seenIn({ result: _result, doubts: _doubts, ...seen }: BlindnessCertificate): BlindnessFacts {
  return seen;
}
