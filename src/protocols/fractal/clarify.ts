// A question climbs from parent to parent, and stops at whoever can answer it from what they were given; after the root there
// is only a person.
import { scaffoldAnswer } from "../../agents/roles/scaffold-answer.ts";
import type { NodeContext } from "../../graph/port.ts";
import { stoppedBy } from "../halt-reasons.ts";
import { type Halted, halted, unanswered } from "./halt.ts";
import type { NodePorts } from "./port.ts";
import type { FractalState, FractalUpdate } from "./state.ts";
import { present } from "../present.ts";

export async function clarify(
  state: FractalState,
  ports: NodePorts,
  context: NodeContext,
): Promise<{ update: FractalUpdate; goto: "scaffold" } | Halted> {
  let question = present(state.question, "question");
  let { asked } = state;
  for (const { spec, contract, child } of await ports.tree.ancestors(context)) {
    asked += 1;
    const answer = await ports.ask(context, {
      role: scaffoldAnswer,
      attempt: asked,
      input: { spec, contract, child, question },
      situation: { protocol: "fractal", phase: "revise" },
    });
    if (answer.kind === "stopped") return halted(state, stoppedBy(answer.stop), { asked });
    const { exit } = answer.output;
    if (exit.kind === "Answer")
      return {
        update: {
          asked,
          question: null,
          answers: [...state.answers, { question: question.question, answer: exit.answer }],
        },
        goto: "scaffold",
      };
    const { kind: _, ...passedOn } = exit;
    question = passedOn;
  }
  return halted(state, unanswered(ports.node.spec.id, question.question, question.specSentence), { asked });
}
