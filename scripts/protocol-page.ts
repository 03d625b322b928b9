// The page with the pictures of all protocols, drawn from the graphs that run.
import { interfaceChangeGraph } from "../src/engineering/interface-change/resolve.ts";
import { pictureOf, type Drawable } from "../src/graph/picture.ts";
import { toMermaid } from "../src/graph/picture-mermaid.ts";
import { blindGraph } from "../src/protocols/blind/graph.ts";
import { debateGraph } from "../src/protocols/debate/graph.ts";
import { gatekeeperGraph } from "../src/protocols/gatekeeper/graph.ts";
import { fractalGraph } from "../src/protocols/fractal/graph.ts";
import { soloGraph } from "../src/protocols/solo/graph.ts";

export const PROTOCOL_PAGE = "docs/protocols.md";

export function protocolPage(): string {
  return [
    "# Protocols",
    "The ways in which a module is made, drawn from the graphs that run (`npm run pictures` writes this page, and a test fails when it is stale). Boxes are who acts, dotted arrows are choices, thick ones go back.",
    section(
      "Debate",
      "The contract is debated and locked before there is any code; then the module. A Challenger who never sees source attacks, an Arbiter decides, and the harness looks for itself before anybody is asked and again at the door. Whatever sends the work back counts against the same two revisions of its round; then it halts for a person, whose fix enters at `challenge` and whose override enters at `ship`.",
      debateGraph,
    ),
    section(
      "Blind",
      "Tests and code are written at the same time by agents who cannot see each other (`rigor: strict`). The types are attacked before anybody builds on them; the harness sees every test fail on stubs, every claim hold and every sketched property covered before the two sides come together in a fresh place; verified tests are the law for whoever mends the code; real mutants decide whether they are good enough. A canary in each workspace shows whether the barrier held. A person's fix enters at `challenge`, an override at `ship`. With `blind.speculation` the writers do not wait for the type adversary and take the way through `head_start`.",
      blindGraph,
    ),
    section(
      "Gatekeeper",
      "What the module must do is found out first, as examples that the harness checks and later runs. The builder works from the specification alone; the tester reads the code, cannot change it and tries to break it. Tests are believed only when they fail on stubs and notice mutants, and what they come to follows by rule: weak tests go back to the tester, wrong code to the builder with the failing input, and what is critical stops at once. Each of them has three attempts. Who is sent next follows from a matrix of transitions that a test walks to every end. A person's fix enters at `challenge`, an override at `ship`.",
      gatekeeperGraph,
    ),
    section(
      "Fractal",
      "One node of the tree that a task unfolds into. It ends at `hold`, `wait` and `enqueue`, and is entered again when its children are merged, a sibling has brought what it waited for, or the queue of its parent has sent it back; when the root is merged, every node goes on at `challenge`, children first. Findings that only tests can mend go to their author, all others to the implementer, who has five attempts before somebody more able is asked. A merge wakes a sibling only where something that it uses has changed; everybody else is moved onto it and tested without anybody's help. A person's fix enters at `make` and is reviewed like any other work; their override takes the place of review and judgement, and enters at `ship` when the tree is whole. `cupel status` draws the tree.",
      fractalGraph,
    ),
    section(
      "Solo",
      "One builder, one verifier and the gates: the cheap way for small things (`rigor: lite`). What it ships is marked undebated for ever.",
      soloGraph,
    ),
    section(
      "Interface change",
      "What follows when a person approves that a shipped module gets another contract: the change is checked, its users are found, the new contract is debated in at most three rounds, and a task for the new version is asked for.",
      interfaceChangeGraph,
    ),
  ].join("\n\n");
}

function section(title: string, text: string, graph: Drawable): string {
  return `## ${title}\n\n${text}\n\n\`\`\`mermaid\n${toMermaid(pictureOf(graph))}\`\`\`\n`.trimEnd();
}
