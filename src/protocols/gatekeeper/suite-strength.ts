// Whether tests can be believed before anybody is judged by them: they build and are red on stubs, and none of those that
// have failed before was touched.
import type { NodeContext } from "../../graph/port.ts";
import { openFindings } from "../open-findings.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import type { FailedTest } from "../seen.ts";
import type { GatekeeperState } from "./state.ts";

const LOOK = ["build", "red-on-skeleton"] as const;

export async function weaknessesOf(
  state: Pick<GatekeeperState, "contract" | "skeleton" | "law" | "believed" | "fix">,
  ports: ProtocolPorts,
  context: NodeContext,
  suiteCommit: string,
): Promise<string[]> {
  // Tests that were seen already are not looked at again; a person's own stand with their code before all gates.
  if (state.believed === suiteCommit || state.fix !== null) return [];
  const contract = present(state.contract, "contract");
  const skeleton = present(state.skeleton, "skeleton");
  const seen = await ports.examine(
    context,
    { contract, commit: suiteCommit, grounds: { skeleton } },
    { gates: [...LOOK] },
  );
  return [...openFindings(seen, LOOK), ...(await brokenLaw(state, ports, context, suiteCommit))];
}

/** A test that showed something stays: whoever wrote it could otherwise make the code pass by dropping it. */
async function brokenLaw(
  { law, contract }: Pick<GatekeeperState, "law" | "contract">,
  ports: ProtocolPorts,
  context: NodeContext,
  commit: string,
): Promise<string[]> {
  if (law.length === 0) return [];
  const now = await ports.contents(context, { contract: present(contract, "contract"), commit });
  return law
    .filter(({ test, hash }) => now.get(test) !== hash)
    .map(({ test }) =>
      isTestFile(test)
        ? `${test} holds a test that failed on the code before, and was changed; put it back and add tests in another file`
        : `the test "${test}" failed on the code before, and it or what it uses was changed or dropped; put it back as it was`,
    );
}

/** The failing tests as they are now, on the skeleton; of one that was made from a table, every test file as a whole. */
export async function lawAfter(
  { law, contract }: Pick<GatekeeperState, "law" | "contract">,
  failures: readonly FailedTest[],
  ports: ProtocolPorts,
  context: NodeContext,
  suiteCommit: string,
): Promise<GatekeeperState["law"]> {
  const fresh = failures
    .map(({ failure }) => failure.propertyName)
    .filter((name) => !law.some(({ test }) => test === name));
  if (fresh.length === 0) return law;
  const now = await ports.contents(context, {
    contract: present(contract, "contract"),
    commit: suiteCommit,
  });
  const named = fresh.every((name) => now.has(name)) ? fresh : [...now.keys()].filter(isTestFile);
  const known = new Set(law.map(({ test }) => test));
  const added = [...new Set(named)].filter((test) => !known.has(test));
  return [...law, ...added.map((test) => ({ test, hash: now.get(test) ?? "" }))];
}

function isTestFile(name: string): boolean {
  return /^test\/\S+$/.test(name);
}
