// No canary crossed from one workspace to another, and the scan that says so has found the ones it planted.
import type { CanaryLeak } from "../../domain/evidence/blindness-certificate.ts";
import type { GateDefinition } from "../port.ts";

export const blindness: GateDefinition = {
  name: "blindness",
  look: async (facts) => {
    const { certificate } = facts.module;
    if (certificate === undefined) return { kind: "error", message: "there is no certificate of the run" };
    const { scanned, leaks, doubts, workspaces } = certificate;
    const files = scanned.reduce((sum, target) => sum + target.files, 0);
    return {
      kind: "looked",
      looked: files,
      summary: `${workspaces.length} workspaces, ${files} files scanned`,
      findings: [
        ...leaks.map(({ of, name, path }) => ({
          rule: "leaked-canary",
          message: `the canary of ${of} is in ${name}: ${path}`,
        })),
        ...doubts.map((message) => ({ rule: "unproven", message })),
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
    const spoiled = { ...certificate, leaks: [...certificate.leaks, leak] };
    return { kind: "planted", what: "a leaked canary", facts: await facts.spoiled({ certificate: spoiled }) };
  },
};
