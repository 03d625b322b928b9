// The page of the battery: every cheat with what refused it, and its twin, from a result.
import type { Cheat } from "../cheats/port.ts";
import type { PlayResult } from "./port.ts";
import type { BatteryResult } from "./result.ts";

export function batteryPage(result: BatteryResult, cheats: readonly Cheat[]): string {
  const { protocol, rigor, refused, cheats: many, accepted, twins, seconds } = result;
  return [
    "# The battery",
    "Every way to fool the factory that we know, played by simulated agents in real runs: real workspaces, git, sandbox, gates and the ship door. Each cheat has an honest twin that looks alike; a factory that refuses everything would fail here, too. `npm run battery` plays one cheat of each kind (four minutes on two cores), `npm run battery -- --all` every single one, `npm run battery -- --only NAME` the one you name, and `npm run battery -- --all --table docs/battery.md` writes this page; a test fails when a cheat is missing.",
    `**${refused} of ${many} cheats refused, ${accepted} of ${twins} twins accepted** by the protocol ${protocol} at rigor ${rigor}, in ${seconds} seconds. A cheat counts as refused only when it was played and what refused it is among what should (\`refusedBy\`).`,
    ...sections(result, cheats),
    "",
  ].join("\n\n");
}

function sections({ plays }: BatteryResult, cheats: readonly Cheat[]): string[] {
  const families = [...new Set(cheats.map(({ family }) => family))];
  return families.flatMap((family) => {
    const rows = cheats.filter((cheat) => cheat.family === family).map((cheat) => rowOf(cheat, plays));
    return [
      `## ${family}`,
      [
        "| Cheat | What it does | Refused by | Its honest twin | |",
        "| --- | --- | --- | --- | --- |",
        ...rows,
      ].join("\n"),
    ];
  });
}

function rowOf({ name, does, twinDoes, refusedBy }: Cheat, plays: readonly PlayResult[]): string {
  const of = (as: PlayResult["as"]) => plays.find((play) => play.name === name && play.as === as);
  const [cheat, twin] = [of("cheat"), of("twin")];
  const meant = cheat?.by.filter((each) => refusedBy.includes(each)) ?? [];
  const by = cheat?.outcome === "refused" ? (meant.length > 0 ? meant : cheat.by).join(", ") : told(cheat);
  return `| \`${name}\` | ${cell(does)} | ${by} | ${cell(twinDoes)} | ${told(twin)} |`;
}

function told(play: PlayResult | undefined): string {
  if (play === undefined) return "**not played**";
  return play.outcome === "accepted" ? "accepted" : `**${play.outcome}**`;
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll(/\s+/g, " ");
}
