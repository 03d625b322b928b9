// The last phase of a run: a full release of what the tasks came to.
import { openRelease } from "./release.ts";
import type { RunContext, RunStop } from "./run-phases.ts";

export async function releasePhase({
  works,
  engineering,
  signal,
}: RunContext): Promise<{ kind: "released"; what: string } | RunStop> {
  const outcome = await openRelease(works, await engineering()).release({ scope: "full", signal });
  switch (outcome.kind) {
    case "released": {
      const { manifest, tag } = outcome;
      const modules = manifest.modules.length === 1 ? "1 module" : `${manifest.modules.length} modules`;
      return { kind: "released", what: `${manifest.version}, ${modules} (git show ${tag})` };
    }
    case "failed": {
      const [first] = outcome.report.failures.flatMap(({ gate, violations }) =>
        violations.map(
          ({ module_ref, explanation }) => `${gate}: ${module_ref ?? "the product"} ${explanation}`,
        ),
      );
      return { kind: "failed", why: `${first ?? "a gate of the release says no"} (cupel release says more)` };
    }
    case "not-ready":
      return { kind: "waiting", why: outcome.why, command: outcome.next };
    case "stopped":
      return { kind: "stopped", why: outcome.why };
  }
}
