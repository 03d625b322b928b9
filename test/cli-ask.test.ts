// `cupel ask` as a user types it: answers on stdout, everything else on stderr, an exit status for every ending.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished, describe, expect, test } from "vitest";
import { templateOf } from "../src/agents/prompting/render-prompt.ts";
import { EVERY_ROLE } from "../src/agents/roles/every-role.ts";
import { RoleCallOutcome } from "../src/domain/agent/role-call-outcome.ts";
import { ScriptLine } from "../src/domain/agent/script-line.ts";
import { arbiterInput, proposerInput } from "./agent-samples.ts";
import { BIN, cupelIn } from "./cupel-process.ts";
import { temporaryDirectory } from "./temporary.ts";

const DECISION = {
  rationale: "The failure stands.",
  decision: "REJECT",
  amendments: [],
  ship_directive: "NO_SHIP",
};
const LINE = {
  key: { role: "arbiter", task: null, module: null, node: "ask", attempt: 1 },
  inputHash: null,
  files: {},
  toolCalls: [],
  output: { answer: DECISION },
  usage: { inputTokens: 12, outputTokens: 3 },
  latencyMs: 0,
  ending: "ok",
};

type Line = Omit<Partial<ScriptLine>, "key"> & { key?: Partial<ScriptLine["key"]> };

/** A project with an input and a script; its settings make it one. */
function project(lines: readonly Line[] = [{}], config: object = {}): string {
  const directory = temporaryDirectory();
  const script = lines.map((line) =>
    JSON.stringify(ScriptLine.parse({ ...LINE, ...line, key: { ...LINE.key, ...line.key } })),
  );
  writeFileSync(join(directory, "script.jsonl"), `${script.join("\n")}\n`);
  writeFileSync(join(directory, "input.json"), JSON.stringify(arbiterInput(), null, 2));
  writeFileSync(join(directory, "cupel.config.json"), JSON.stringify(config));
  return directory;
}

const ASK = ["ask", "arbiter", "--input", "input.json"];
const PLAY = [...ASK, "--replay", "script.jsonl"];

describe("an agent of one's own", () => {
  const ACP = [...ASK, "--runtime", "acp"];

  test("is named in the settings, or it is said what to add, before anything is opened", () => {
    const directory = project();
    const { code, err } = cupelIn(directory, ACP);
    expect({ code, err }).toEqual({ code: 78, err: expect.stringContaining('next: add "acp": {"command"') });
    expect(existsSync(join(directory, ".cupel"))).toBe(false);
  });

  test("that is not installed is named, before anything is opened", () => {
    const directory = project([], { acp: { command: "no-such-agent" } });
    const { code, err } = cupelIn(directory, ACP);
    expect(code).not.toBe(0);
    expect(err).toContain("acp.command names no-such-agent, and there is no such program");
    expect(existsSync(join(directory, ".cupel"))).toBe(false);
  });

  test("is asked; the package that talks to it is named with the command that installs it", () => {
    const allowed = { acp: { command: "sh" }, budget: { unknownPrices: "allow" } };
    const { code, err } = cupelIn(project([], allowed), ACP);
    expect(code).not.toBe(0);
    expect(err).toContain("npm install @agentclientprotocol/sdk@2.4.0");
  });
});

describe("an answer", () => {
  test("is on stdout as JSON; who was asked, what it cost and where it is kept on stderr", () => {
    const directory = project();
    const { code, out, err } = cupelIn(directory, PLAY);
    expect({ code, out: JSON.parse(out) }).toEqual({ code: 0, out: DECISION });
    expect(err).toMatch(/^asking the arbiter: played from script\.jsonl; tools: none\nrun r-\w{8}, kept in /);
    expect(err).toMatch(/✓ the arbiter answered\n {2}12 tokens read, 3 written · \$0 · asked 1 time · \d/);
    const [, ref = ""] = /transcript: cupel store show (sha256:\w{64})\n/.exec(err) ?? [];
    expect(cupelIn(directory, ["store", "show", ref]).out).toContain("You are the Arbiter.");
    expect(readFileSync(join(directory, ".cupel/.gitignore"), "utf8")).toBe("*\n");
    const kinds = cupelIn(directory, ["log", "--jsonl"])
      .out.trimEnd()
      .split("\n")
      .map((line): unknown => JSON.parse(line).kind);
    expect(kinds).toEqual(["run_opened", "role_call_started", "role_call_finished", "run_closed"]);
  });

  test("with --json is one document with all that is known of the call", () => {
    const directory = project();
    const { out } = cupelIn(directory, [...PLAY, "--json"]);
    const { role, runtime, model, tools, run, project: place, temporary, ...outcome } = JSON.parse(out);
    expect({ role, runtime, model, tools, place, temporary }).toEqual({
      role: "arbiter",
      runtime: "scripted",
      model: "scripted:default",
      tools: [],
      place: directory,
      temporary: false,
    });
    expect(run).toMatch(/^r-/);
    expect(RoleCallOutcome.parse(outcome)).toMatchObject({ kind: "done", output: DECISION });
  });

  test("comes from a folder below the project as well, with the input from stdin", () => {
    const directory = project();
    const below = join(directory, "src/deep");
    mkdirSync(below, { recursive: true });
    const args = [BIN, "ask", "arbiter", "--input", "-", "--replay", "../../script.jsonl"];
    const input = JSON.stringify(arbiterInput());
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: below, input, encoding: "utf8" });
    expect({ status, stderr }).toEqual({
      status: 0,
      stderr: expect.stringContaining(`kept in ${directory}\n`),
    });
    expect(readdirSync(below)).toEqual([]);
  });

  test("is given outside of any project, and it is said where it is kept", () => {
    const directory = project();
    rmSync(join(directory, "cupel.config.json"));
    const { code, err } = cupelIn(directory, PLAY, { TMPDIR: directory });
    expect(code).toBe(0);
    const place =
      /kept in (\S+) \(temporary: there is no project of Cupel here or above\)\n/.exec(err)?.[1] ?? "";
    expect(existsSync(join(place, ".cupel/cupel.db"))).toBe(true);
    expect(err).toContain(`transcript: cd ${place} && cupel store show sha256:`);
    expect(existsSync(join(directory, ".cupel"))).toBe(false);
  });

  test("can be recorded and played again", () => {
    const directory = project();
    const recorded = cupelIn(directory, [...PLAY, "--record", "mine.jsonl"]);
    expect(statSync(join(directory, "mine.jsonl")).mode & 0o777).toBe(0o600);
    const played = cupelIn(directory, [...ASK, "--replay", "mine.jsonl"]);
    expect(played).toMatchObject({ code: 0, out: recorded.out });
    const twice = cupelIn(directory, [...PLAY, "--record", "mine.jsonl"]);
    expect(twice).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("holds something already"),
    });
  });

  test("may change the files of a workspace, and only there", () => {
    const claim = { claim: "done", acceptance_checks: ["`a`: shown"], applied_amendments: [] };
    const toolCalls = [
      { tool: "write", input: { path: "/src/a.ts", content: "export const a = 1;\n" } },
      { tool: "write", input: { path: "/../outside.ts", content: "no" } },
      { tool: "run_tests", input: {} },
    ];
    const directory = project([{ key: { role: "proposer" }, toolCalls, output: { answer: claim } }]);
    mkdirSync(join(directory, "work"));
    writeFileSync(join(directory, "input.json"), JSON.stringify(proposerInput()));
    const args = ["ask", "proposer", "--input", "input.json", "--replay", "script.jsonl"];
    const { code, err } = cupelIn(directory, [...args, "--workspace", "work"]);
    expect({ code, err }).toMatchObject({
      code: 0,
      err: expect.stringContaining("tools: read, write, edit, ls, glob, grep\n"),
    });
    expect(readFileSync(join(directory, "work/src/a.ts"), "utf8")).toBe("export const a = 1;\n");
    expect(existsSync(join(directory, "outside.ts"))).toBe(false);
    const none = cupelIn(directory, [...args, "--workspace", "nowhere"]);
    expect(none).toMatchObject({ code: 2, err: expect.stringContaining("there is no directory") });
  });
});

const WRONG = { output: { answer: { ...DECISION, decision: "MAYBE" } } };

describe("an ending that is no answer", () => {
  test.each<[string, number, Line[], RegExp[]]>([
    [
      "blocked",
      20,
      [
        {
          output: {
            answer: { kind: "blocker", why: "no contract\u001B[2J", needs: ["the contract", "the task"] },
          },
        },
      ],
      [
        /✕ the arbiter is blocked: no contract\\u001b\[2J\n {2}needs: the contract\n {2}needs: the task\n/,
        /next: put/,
      ],
    ],
    [
      "invalid",
      22,
      [WRONG, { ...WRONG, key: { turn: 2 } }],
      [
        /does not fit its schema, also after one repair\n {2}\$\.answer\.decision: expected one of/,
        /asked 2 times/,
      ],
    ],
    ["refused", 23, [{ ending: "refused", said: "I will not." }], [/refused by its model: I will not\./]],
    ["too long", 24, [{ ending: "too-long", said: "300 pages" }], [/too long for the arbiter: 300 pages/]],
    ["failed", 27, [{ ending: "crash", said: "out of memory" }], [/the arbiter failed: out of memory/]],
    [
      "not in the script",
      27,
      [{ key: { node: "make" } }],
      [/the script has no line for: arbiter - - ask attempt 1 turn 1; the nearest it has: arbiter - - make/],
    ],
  ])("%s: %i, and nothing on stdout", (_, status, lines, messages) => {
    const { code, out, err } = cupelIn(project(lines), PLAY);
    expect({ code, out }).toEqual({ code: status, out: "" });
    for (const message of messages) expect(err).toMatch(message);
  });

  test("over budget: 12, with the setting to change", () => {
    const { code, err } = cupelIn(project([{}], { budget: { tokens: 1000 } }), PLAY);
    expect(code).toBe(12);
    expect(err).toMatch(/was not asked: the run may use 1000 tokens; 0 are used, 0 held back/);
    expect(err).toMatch(/next: raise budget\.tokens in cupel\.config\.json/);
  });

  test("without a price: 12, with the two ways out", () => {
    const { code, err } = cupelIn(project(), [...ASK, "--model", "openai:some-model"], {
      OPENAI_API_KEY: "x",
    });
    expect(code).toBe(12);
    expect(err).toMatch(/no price is known for the model/);
    expect(err).toMatch(/next: name a model with a known price, or set "budget": {"unknownPrices": "allow"}/);
  });

  test("without a key: 27, with the variable to set", () => {
    const { code, err } = cupelIn(project(), [...ASK, "--model", "anthropic:claude-sonnet-5"]);
    expect(code).toBe(27);
    expect(err).toMatch(/there is no key for anthropic[\s\S]*next: export ANTHROPIC_API_KEY=…\n/);
  });

  test("something else asked than recorded: 27, and played all the same when told", () => {
    const directory = project();
    cupelIn(directory, [...PLAY, "--record", "mine.jsonl"]);
    writeFileSync(join(directory, "input.json"), JSON.stringify(arbiterInput({ task_file: "# Other" })));
    const replay = [...ASK, "--replay", "mine.jsonl"];
    const { code, out, err } = cupelIn(directory, replay);
    expect({ code, out }).toEqual({ code: 27, out: "" });
    expect(err).toMatch(/asked something else than when[\s\S]*next: .*--ignore-input/);
    expect(cupelIn(directory, [...replay, "--ignore-input"])).toMatchObject({ code: 0 });
  });

  test("stopped by Ctrl-C: 130, and the journal has the end of the call", async () => {
    const directory = project([{ ending: "silent", output: null }]);
    const child = spawn(process.execPath, [BIN, ...PLAY], {
      cwd: directory,
      stdio: ["ignore", "pipe", "pipe"],
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let err = "";
    child.stderr.on("data", (text: Buffer) => (err += text.toString()));
    await expect.poll(() => err, { timeout: 10_000 }).toContain("asking the arbiter");
    child.kill("SIGINT");
    const [code] = await once(child, "close");
    expect(code).toBe(130);
    expect(err).toContain("✕ the arbiter was stopped");
    expect(cupelIn(directory, ["log"]).out).toMatch(
      /✕ the arbiter \(ask\) gave no answer: [\s\S]*the run was closed: stopped/,
    );
  });
});

describe("what cannot be asked is refused before anything is opened", () => {
  test.each<[string, string[], number, RegExp]>([
    [
      "no role",
      ["ask"],
      2,
      /no role is named\n {2}expected: arbiter, architect, architect_e2e, builder, .*\n {2}next: cupel ask --list/,
    ],
    ["a misspelt role", ["ask", "arbitr"], 2, /there is no role "arbitr"[\s\S]*did you mean arbiter\?/],
    ["no input", ["ask", "arbiter"], 2, /nothing to ask the arbiter[\s\S]*cupel schema ArbiterInput/],
    ["a missing input", ["ask", "arbiter", "--input", "no.json"], 2, /there is no file no\.json/],
    ["a misspelt runtime", [...ASK, "--runtime", "claude"], 2, /there is no runtime "claude"/],
    ["a model without provider", [...ASK, "--model", "opus"], 2, /a provider and a model such as/],
    [
      "no model",
      ASK,
      78,
      /no model is named for the arbiter[\s\S]*next: add "models": {"strong": "anthropic:/,
    ],
    [
      "a runtime without its script",
      [...ASK, "--runtime", "scripted"],
      2,
      /none was given\n {2}next: say --replay/,
    ],
    ["a replay with a model", [...PLAY, "--model", "a:b"], 2, /--model would do nothing/],
    ["no replay to ignore the input of", [...ASK, "--ignore-input"], 2, /--ignore-input is about a replay/],
    ["a workspace for a judge", [...PLAY, "--workspace", "."], 2, /the arbiter touches no files/],
    ["a missing script", [...ASK, "--replay", "no.jsonl"], 2, /there is no file .*no\.jsonl/],
  ])("%s", (_, args, status, message) => {
    const directory = project();
    const { code, out, err } = cupelIn(directory, args);
    expect({ code, out }).toEqual({ code: status, out: "" });
    expect(err).toMatch(message);
    expect(existsSync(join(directory, ".cupel"))).toBe(false);
  });

  test.each([
    [
      "a key is missing",
      (text: string) => text.replace('"task_file"', '"taskfile"'),
      /\$\.task_file: expected a string/,
    ],
    [
      "it is no JSON",
      (text: string) => text.replace(',\n  "contract"', '\n  "contract"'),
      /is not JSON: .*\(line 3,? column 3\)/,
    ],
    ["it is empty", () => "", /input\.json is not JSON: it is empty/],
  ])("an input of which %s, with the place", (_, spoil, message) => {
    const directory = project();
    const file = join(directory, "input.json");
    writeFileSync(file, spoil(readFileSync(file, "utf8")));
    const { code, out, err } = cupelIn(directory, PLAY);
    expect({ code, out }).toEqual({ code: 2, out: "" });
    expect(err).toMatch(message);
    expect(err).toContain("next: cupel schema ArbiterInput");
  });
});

test("--list shows every role, and --help every exit status", () => {
  const directory = temporaryDirectory();
  const { out } = cupelIn(directory, ["ask", "--list"]);
  expect(out).toMatch(
    /^arbiter +decides between .*\n +tier: {2}strong\n +tools: none\n +input: cupel schema ArbiterInput\n/,
  );
  const listed: { name: string }[] = JSON.parse(cupelIn(directory, ["ask", "--list", "--json"]).out);
  expect(listed[0]).toMatchObject({ name: "arbiter", tier: "strong", tools: [], input: "ArbiterInput" });
  expect(listed.map(({ name }) => name)).toEqual(EVERY_ROLE.map(templateOf));
  const help = cupelIn(directory, ["ask", "--help"]).out;
  for (const status of [0, 2, 12, 20, 21, 22, 23, 24, 25, 26, 27, 78, 130])
    expect(help).toMatch(new RegExp(`^ {2}${status} +\\w`, "m"));
  expect(readdirSync(directory)).toEqual([]);
});
