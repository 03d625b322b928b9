// Lets an adversary with fresh eyes look for holes in the types, with what the compiler knows of them.
import { typeAdversary } from "../../agents/roles/type-adversary.ts";
import type { NodeContext } from "../../graph/port.ts";
import type { ProtocolPorts } from "../port.ts";
import { present } from "../present.ts";
import { type BlindState, type BlindUpdate, counted } from "./state.ts";

export async function attackTypes(
  state: BlindState,
  ports: ProtocolPorts,
  context: NodeContext,
): Promise<{ update: BlindUpdate }> {
  const contract = present(state.contract, "contract");
  const commit = present(state.skeleton, "skeleton");
  const [symbols, text] = await Promise.all([
    ports.symbols(context, { contract, commit }),
    ports.read(context, commit),
  ]);
  const answer = await ports.ask(context, {
    role: typeAdversary,
    attempt: state.asked.type_adversary + 1,
    input: {
      types: present(state.types, "types"),
      skeleton: text.kind === "read" ? sources(text.files) : [],
      symbols,
    },
  });
  const asked = counted(state, "type_adversary");
  if (answer.kind === "stopped")
    return { update: { ...asked, adversary: null, adversaryEnding: { kind: "stopped", stop: answer.stop } } };
  const { output, pack } = answer;
  return { update: { ...asked, adversary: { output, pack }, adversaryEnding: { kind: "done" } } };
}

/** The first test file of a skeleton says nothing about its types. */
function sources(files: Readonly<Record<string, string>>): { path: string; text: string }[] {
  return Object.entries(files)
    .filter(([path]) => path.startsWith("src/"))
    .map(([path, text]) => ({ path, text }));
}
