// The page with the pictures of all protocols, drawn from the graphs that run.
import { interfaceChangeGraph } from "../src/engineering/interface-change/resolve.ts";
import { pictureOf, type Drawable } from "../src/graph/picture.ts";
import { toMermaid } from "../src/graph/picture-mermaid.ts";
import { blindGraph } from "../src/protocols/blind/graph.ts";
import { debateGraph } from "../src/protocols/debate/graph.ts";
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
