// Each module with its gates: what they looked at, what they refused, and what of it rests on a person's word.
import type { GateVerdict } from "../domain/evidence/gate-verdict.ts";
import { html, type Markup } from "./html.ts";
import { table } from "./page.ts";
import type { ReportedModule } from "./report-data.ts";
import { counted, id, text, time, verdictOf } from "./words.ts";

export function renderModules(modules: readonly ReportedModule[]): Markup {
  if (modules.length === 0) return html`<p class="soft">No module has shipped yet.</p>`;
  return html`${modules.map(moduleOf)}`;
}

function moduleOf(module: ReportedModule): Markup {
  const { gates } = module;
  const { passed, applicable } = tallyOf(gates);
  const bad = gates.filter(({ verdict }) => verdict === "FAIL" || verdict === "ERROR").length;
  const failed = bad > 0 ? `, ${bad} failed` : "";
  const evidence =
    applicable === 0 ? "no proof" : `${passed} of ${counted(applicable, "gate")} passed${failed}`;
  const badges = badgesOf(module).map(([word, tone]) => html` <span class="badge ${tone}">${word}</span>`);
  return html`<details ${{ markup: bad > 0 || gates.length < 1 ? "open" : "" }}>
    <summary>
      <b>${module.name}</b> ${id(module.module)}${badges}
      <span class="soft"> · ${evidence}</span>
    </summary>
    <div>
      <p>${module.purpose}</p>
      <p class="soft">
        From ${id(module.task)}, shipped ${time(module.shippedAt)} UTC, rigor ${module.rigor}, gates ran in
        ${module.sandbox === "none" ? "no sandbox" : module.sandbox}.
      </p>
      ${blindnessOf(module)} ${overrideOf(module)}
      ${table(HEADS, gates.map(gateRow), "It has no proof that could be read.")}
    </div>
  </details> `;
}

/** A gate that had nothing to look at, by the contract, says nothing for or against a module. */
export function tallyOf(gates: readonly GateVerdict[]): { passed: number; applicable: number } {
  const applicable = gates.filter(({ verdict }) => verdict !== "NOT_APPLICABLE");
  return {
    passed: applicable.filter(({ verdict }) => verdict === "PASS").length,
    applicable: applicable.length,
  };
}

const HEADS = [
  { name: "Gate" },
  { name: "Verdict" },
  { name: "Looked at", number: true as const },
  { name: "Planted and refused, or what was found" },
];

function gateRow(verdict: GateVerdict): Markup[] {
  return [
    text(verdict.gate),
    verdictOf(verdict.verdict),
    html`${verdict.denominator}`,
    text(wordsOf(verdict)),
  ];
}

const MOST_FINDINGS = 5;

function wordsOf(verdict: GateVerdict): string {
  switch (verdict.verdict) {
    case "PASS":
      return `${verdict.liveness.planted}${verdict.liveness.how === "cached" ? " (shown earlier)" : ""}`;
    case "FAIL":
      return verdict.findings
        .slice(0, MOST_FINDINGS)
        .map(({ message }) => message)
        .join(" · ");
    case "NOT_APPLICABLE":
      return verdict.derivedFrom;
    case "NOT_RUN":
      return `missing: ${verdict.missing.join(", ")}`;
    case "ERROR":
      return verdict.message;
  }
}

function badgesOf({ status, undebated, override, blindness }: ReportedModule): [string, string][] {
  return [
    ...(status === "DEPRECATED" || status === "SUPERSEDED"
      ? [[status.toLowerCase(), "gone"] satisfies [string, string]]
      : []),
    ...(undebated ? [["undebated", "wait"] satisfies [string, string]] : []),
    ...(override === null ? [] : [["on a person's word", "wait"] satisfies [string, string]]),
    ...(blindness === null || blindness.result === "held"
      ? []
      : [[`blindness ${blindness.result}`, "bad"] satisfies [string, string]]),
  ];
}

function blindnessOf({ blindness }: ReportedModule): Markup {
  if (blindness === null)
    return html`<p class="soft">
      Blindness: its protocol keeps no roles apart, so there is no certificate.
    </p>`;
  const doubts = blindness.doubts.length === 0 ? "" : ` Doubts: ${blindness.doubts.join("; ")}.`;
  return html`<p>Blindness: ${blindness.result}, kept by the ${blindness.barrier}.${doubts}</p>`;
}

function overrideOf({ override }: ReportedModule): Markup {
  return override === null ? html`` : html`<p class="wait">A person let it out: ${override}</p>`;
}
