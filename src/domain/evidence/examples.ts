// Reads examples.md: one heading per example, a sentence, the code that is run, and what it must give.
import { isPlaceholder } from "../product/placeholder.ts";
import { FORMS, kindOf, outputOf } from "./example-output.ts";
import type { ExampleKind, ExampleOutput } from "./example-output.ts";
import { placeholderIn } from "./example-placeholder.ts";
import { markdownParts } from "./markdown-parts.ts";
import type { MarkdownPart } from "./markdown-parts.ts";

/** Beside contract.json, in the folder of the module. */
export const EXAMPLES_FILE = "examples.md";

export interface Example {
  /** Of its heading, in the file. */
  line: number;
  title: string;
  /** The entry point that it shows, as the contract names it. */
  entry: string;
  description: string;
  kind: ExampleKind;
  /** The code and the line of its first line in the file. */
  input: { code: string; line: number };
  output: ExampleOutput;
}

export interface ExampleProblem {
  rule: string;
  line: number;
  /** What is wrong, and what to write instead. */
  message: string;
}

export interface ParsedExamples {
  examples: Example[];
  problems: ExampleProblem[];
}

const MOST_CHARACTERS = 262_144;
const MOST_EXAMPLES = 200;
const MOST_IN_BLOCK = 16_384;

export function parseExamples(text: string): ParsedExamples {
  if (text.length > MOST_CHARACTERS)
    return nothing("too-large", `the file is longer than ${MOST_CHARACTERS} characters: shorten it`);
  const sections = sectionsOf(markdownParts(text));
  const read = sections.map(readSection);
  const examples = read.flatMap(({ example }) => (example === undefined ? [] : [example]));
  const problems = [...read.flatMap((each) => each.problems), ...repeated(examples)];
  if (examples.length > MOST_EXAMPLES)
    return nothing("too-many", `there are more than ${MOST_EXAMPLES} examples: keep those that tell most`);
  if (examples.length === 0 && problems.length === 0)
    return nothing("no-example", "there is no example: begin one with a heading such as ## parse: a date");
  return { examples, problems: problems.toSorted((one, other) => one.line - other.line) };
}

function nothing(rule: string, message: string): ParsedExamples {
  return { examples: [], problems: [{ rule, line: 1, message }] };
}

interface Section {
  heading: (MarkdownPart & { kind: "heading" }) | undefined;
  parts: Exclude<MarkdownPart, { kind: "heading" }>[];
}

function sectionsOf(parts: readonly MarkdownPart[]): Section[] {
  const sections: Section[] = [{ heading: undefined, parts: [] }];
  for (const part of parts) {
    if (part.kind === "heading") sections.push({ heading: part, parts: [] });
    else sections.at(-1)?.parts.push(part);
  }
  return sections;
}

interface Read {
  example?: Example;
  problems: ExampleProblem[];
}

/** `entry: title`; a heading without a colon only divides the page. */
const HEADING =
  /^`?([\p{ID_Start}$_][\p{ID_Continue}$]*(?:\.[\p{ID_Start}$_][\p{ID_Continue}$]*)?)`?\s*:\s*(.*)$/u;

function readSection({ heading, parts }: Section): Read {
  const problems = parts.flatMap((part): ExampleProblem[] =>
    part.kind === "odd"
      ? [{ rule: "odd-markdown", line: part.line, message: `${part.what}: write ${part.instead}` }]
      : [],
  );
  const [, entry, title = ""] = HEADING.exec(heading?.text ?? "") ?? [];
  if (heading === undefined || entry === undefined) {
    const stray = parts.find(({ kind }) => kind === "block");
    const message = "code that belongs to no example: begin it with a heading such as ## parse: a date";
    return {
      problems:
        stray === undefined ? problems : [...problems, { rule: "stray-code", line: stray.line, message }],
    };
  }
  const read = readExample({ line: heading.line, entry, title }, parts);
  return { ...read, problems: [...problems, ...read.problems] };
}

interface Head {
  line: number;
  entry: string;
  title: string;
}

type Block = MarkdownPart & { kind: "block" };

function readExample(head: Head, parts: Section["parts"]): Read {
  const [code, output, ...more] = parts.flatMap((part) => (part.kind === "block" ? [part] : []));
  const description = parts.flatMap((part) => (part.kind === "prose" ? [part.text] : [])).join(" ");
  const said = wordProblems(head, description);
  if (code === undefined || !/^(?:ts|typescript)$/.test(code.language)) {
    const message = `${head.entry}: the first block must be code, opened by \`\`\`ts`;
    return { problems: [...said, { rule: "no-code", line: code?.line ?? head.line, message }] };
  }
  const read =
    output === undefined
      ? `${head.entry}: a block with what it gives must follow, opened by ${FORMS}`
      : outputOf(output);
  const problems = [
    ...said,
    ...more.slice(0, 1).map(({ line }) => ({
      rule: "too-many-blocks",
      line,
      message: `${head.entry}: one block of code and one of output; begin another example for more`,
    })),
    ...[code, ...(output === undefined ? [] : [output])].flatMap(blockProblems),
  ];
  if (typeof read === "string")
    return { problems: [...problems, { rule: "no-output", line: (output ?? code).line, message: read }] };
  if (problems.length > 0) return { problems };
  const input = { code: code.text, line: code.line + 1 };
  return { problems, example: { ...head, description, kind: kindOf(read), input, output: read } };
}

function wordProblems({ line, entry, title }: Head, description: string): ExampleProblem[] {
  const problems: ExampleProblem[] = [];
  if (isPlaceholder(title))
    problems.push({ rule: "no-title", line, message: `${entry}: say after the colon what it shows` });
  if (isPlaceholder(description)) {
    const message = `${entry}: write a sentence about what this shows, between heading and code`;
    problems.push({ rule: "no-description", line, message });
  }
  return problems;
}

function blockProblems({ text, line }: Block): ExampleProblem[] {
  if (text.trim() === "")
    return [{ rule: "empty-block", line, message: "this block is empty: show a concrete value" }];
  if (text.length > MOST_IN_BLOCK)
    return [
      {
        rule: "too-large",
        line,
        message: `this block is longer than ${MOST_IN_BLOCK} characters: shorten it`,
      },
    ];
  const placeholder = placeholderIn(text);
  if (placeholder === undefined) return [];
  const message = `${placeholder.found} stands for a value: write a concrete one, such as a caller would have`;
  return [{ rule: "placeholder", line: line + 1 + placeholder.below, message }];
}

/** Two headings that read alike could not be told apart in a report. */
function repeated(examples: readonly Example[]): ExampleProblem[] {
  const seen = new Map<string, number>();
  return examples.flatMap(({ entry, title, line }) => {
    const name = `${entry}: ${title}`;
    const first = seen.get(name);
    if (first === undefined) seen.set(name, line);
    return first === undefined
      ? []
      : [
          {
            rule: "repeated",
            line,
            message: `"${name}" is already the heading of line ${first}: say what is different`,
          },
        ];
  });
}
