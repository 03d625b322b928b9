// The picture of a graph in Mermaid: lanes as boxes, choices dotted, loops thick, and the state of a thread in colour.
import type { GraphPicture, PictureEdge } from "./picture.ts";
import type { Paint } from "./picture-paint.ts";

/** Fill, line and text that can be told apart on light and dark pages, also without colour by the lines. */
const STYLES: Readonly<Record<Paint, string>> = {
  done: "fill:#d7f0dd,stroke:#1d7a3a,color:#123d1f",
  running: "fill:#d9e8fb,stroke:#1b5fb4,color:#10335f,stroke-width:3px",
  failed: "fill:#f9d9d6,stroke:#b3261e,color:#5c120d,stroke-width:3px",
  waiting: "fill:#fdf0cf,stroke:#8a6100,color:#4a3500,stroke-dasharray:4 3",
};

export function toMermaid(picture: GraphPicture, paint: ReadonlyMap<string, Paint> = new Map()): string {
  // Ids of our own: names such as end and graph are words of the language.
  const ids = new Map(picture.nodes.map(({ name }, index) => [name, `n${index}`]));
  const idOf = (name: string): string => ids.get(name) ?? "finish";
  const lines = ["flowchart LR"];
  for (const [index, lane] of picture.lanes.entries()) {
    lines.push(`  subgraph l${index}["${quoted(lane)}"]`);
    for (const node of picture.nodes.filter((one) => one.lane === lane)) {
      lines.push(`    ${idOf(node.name)}["${quoted(node.name)}<br/>${quoted(node.does)}"]`);
    }
    lines.push("  end");
  }
  for (const [index, entry] of picture.entries.entries()) {
    lines.push(`  e${index}(["${quoted(entry.name)}"]) --> ${idOf(entry.node)}`);
  }
  lines.push('  finish((("end")))');
  for (const edge of picture.edges) lines.push(`  ${idOf(edge.from)} ${arrow(edge)} ${idOf(edge.to)}`);
  return `${[...lines, ...painted(picture, paint, idOf)].join("\n")}\n`;
}

function arrow({ kind, back }: PictureEdge): string {
  if (back) return "==>";
  return kind === "choice" ? "-.->" : "-->";
}

function painted(
  picture: GraphPicture,
  paint: ReadonlyMap<string, Paint>,
  idOf: (name: string) => string,
): string[] {
  const lines: string[] = [];
  for (const [kind, style] of Object.entries(STYLES)) {
    const ids = picture.nodes.filter(({ name }) => paint.get(name) === kind).map(({ name }) => idOf(name));
    if (ids.length > 0) lines.push(`  classDef ${kind} ${style}`, `  class ${ids.join(",")} ${kind}`);
  }
  return lines;
}

/** As numbered entities, which end no text and begin no markup; line breaks would end the statement. */
function quoted(text: string): string {
  const line = text.replaceAll(/[\s\p{Cc}]+/gu, " ").trim();
  if (line === "") return "-";
  return line.replaceAll(/[^\p{L}\p{N} .,:/_()+-]/gu, (character) => `#${character.codePointAt(0)};`);
}
