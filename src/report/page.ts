// The frame of a report: one page that opens from disk, needs no network and no script, light or dark as the reader likes it.
import { html, type Markup } from "./html.ts";

export interface Page {
  title: string;
  sections: readonly { id: string; title: string; content: Markup }[];
  header: Markup;
  footer: Markup;
}

export function renderPage({ title, sections, header, footer }: Page): string {
  const links = sections.map((section) => html`<a href="#${section.id}">${section.title}</a>`);
  const bodies = sections.map(
    (section) =>
      html`<section id="${section.id}">
        <h2>${section.title}</h2>
        ${section.content}
      </section> `,
  );
  const page = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta
          http-equiv="Content-Security-Policy"
          content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"
        />
        <meta name="color-scheme" content="light dark" />
        <title>${title}</title>
        <style>
          ${{ markup: STYLE }}
        </style>
      </head>
      <body>
        <main>
          <header>${header}</header>
          <nav>${links}</nav>
          ${bodies}
          <footer>${footer}</footer>
        </main>
      </body>
    </html> `;
  return page.markup;
}

/** Colours that stand for nothing but which line or dot is which. */
const SERIES_STYLE = [0, 1, 2, 3, 4, 5]
  .map((at) => `.plot circle.s${at} { fill: var(--s${at}); } .plot .s${at} { stroke: var(--s${at}); }`)
  .join("\n");

const STYLE = `
:root { color-scheme: light dark; --text: #1f2328; --soft: #57606a; --line: #d0d7de; --page: #ffffff; --panel: #f6f8fa;
  --accent: #0757ba; --good: #116329; --bad: #b3202a; --busy: #0757ba; --wait: #7d4e00; --gone: #6e3fa8;
  --s0: #0757ba; --s1: #a04100; --s2: #116329; --s3: #8250df; --s4: #a40e56; --s5: #57606a; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --soft: #9aa5b1; --line: #30363d; --page: #0d1117;
  --panel: #161b22; --accent: #6cb6ff; --good: #56d364; --bad: #ff8b85; --busy: #6cb6ff; --wait: #e3b341; --gone: #c6a6f7;
  --s0: #6cb6ff; --s1: #ffa657; --s2: #56d364; --s3: #d2a8ff; --s4: #ff9bce; --s5: #b1bac4; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--text); font: 13px/20px system-ui, sans-serif;
  font-variant-numeric: tabular-nums; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 48px; }
h1 { font-size: 24px; line-height: 32px; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 16px; line-height: 24px; margin: 0 0 12px; }
a { color: var(--accent); }
p { margin: 0 0 8px; }
header .lead { color: var(--soft); margin: 4px 0 16px; }
nav { position: sticky; top: 0; display: flex; flex-wrap: wrap; gap: 4px 16px; padding: 8px 0; margin: 16px 0 8px;
  background: var(--page); border-bottom: 1px solid var(--line); z-index: 1; }
nav a { text-decoration: none; }
nav a:hover, nav a:focus { text-decoration: underline; }
section { padding: 20px 0 4px; scroll-margin-top: 40px; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(150px, 1fr)); gap: 12px; }
.tile { border: 1px solid var(--line); border-radius: 8px; padding: 12px; background: var(--panel); }
.tile b { display: block; font-size: 20px; line-height: 28px; overflow-wrap: anywhere; }
.tile span { color: var(--soft); }
.verdict { border: 1px solid var(--line); border-left: 4px solid var(--soft); border-radius: 8px; padding: 12px 16px;
  margin: 0 0 12px; background: var(--panel); }
.verdict.good { border-left-color: var(--good); } .verdict.bad { border-left-color: var(--bad); }
.scroll { overflow-x: auto; margin: 0 0 12px; }
table { border-collapse: collapse; width: 100%; }
th, td { text-align: left; vertical-align: top; padding: 6px 12px 6px 0; border-bottom: 1px solid var(--line);
  overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; white-space: nowrap; }
td.n, th.n { text-align: right; white-space: nowrap; }
code, .id { font: 12px/20px ui-monospace, monospace; overflow-wrap: anywhere; }
.fixed { white-space: nowrap; }
.soft { color: var(--soft); }
.good { color: var(--good); } .bad { color: var(--bad); } .busy { color: var(--busy); } .wait { color: var(--wait); }
.gone { color: var(--gone); }
.tile.good b { color: var(--good); } .tile.bad b { color: var(--bad); }
.tile, .verdict { color: var(--text); }
details { border: 1px solid var(--line); border-radius: 8px; margin: 0 0 8px; background: var(--panel); }
summary { cursor: pointer; padding: 8px 12px; }
details > div { padding: 0 12px 8px; }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 10px; padding: 0 8px; font-size: 12px;
  line-height: 18px; white-space: nowrap; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(460px, 100%), 1fr)); gap: 8px 32px; }
.plot { display: block; width: 100%; max-width: 560px; height: auto; margin: 0 0 12px; }
.plot text { fill: var(--text); font: 12px system-ui, sans-serif; font-variant-numeric: tabular-nums; }
.plot text.head { font-weight: 600; } .plot text.soft { fill: var(--soft); } .plot text.small { font-size: 11px; }
.plot .grid { stroke: var(--line); } .plot .mark { stroke: var(--wait); stroke-dasharray: 4 3; }
.plot .reach { stroke: var(--accent); stroke-width: 2; } .plot .thin { stroke-width: 1.5; opacity: 0.6; }
.plot polyline { fill: none; stroke-width: 2; } .plot .lead { stroke-width: 1; opacity: 0.5; }
.plot rect.soft { fill: var(--soft); } .plot .accent { fill: var(--accent); } .plot rect.good { fill: var(--good); }
.plot rect.bad { fill: var(--bad); } .plot rect.wait { fill: var(--wait); }
${SERIES_STYLE}
footer { color: var(--soft); padding-top: 24px; margin-top: 24px; border-top: 1px solid var(--line); }
@media print { nav { display: none; } details { break-inside: avoid; } }
`;

/** Rows with their heads; says so where there is nothing to show. */
export function table(heads: readonly Head[], rows: readonly (readonly Markup[])[], empty: string): Markup {
  if (rows.length === 0) return html`<p class="soft">${empty}</p>`;
  const cell = (tag: "th" | "td", head: Head | undefined, content: Markup) => ({
    markup: `<${tag}${head?.number === true ? ' class="n"' : ""}>${content.markup}</${tag}>`,
  });
  const top = heads.map((head) => cell("th", head, html`${head.name}`));
  const body = rows.map((row) => {
    const cells = row.map((content, index) => cell("td", heads[index], content));
    return html`<tr>
      ${cells}
    </tr> `;
  });
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${top}
        </tr>
      </thead>
      <tbody>
        ${body}
      </tbody>
    </table>
  </div>`;
}

export interface Head {
  name: string;
  /** Set to the right, digits under digits. */
  number?: true;
}
