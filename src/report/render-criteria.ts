// The acceptance criteria of a product with the end-to-end tests that show each, or why none can.
import { html, type Markup } from "./html.ts";
import { table } from "./page.ts";
import type { ProductReport } from "./report-data.ts";
import { text, verdictOf } from "./words.ts";

export function renderCriteria({ criteria }: Pick<ProductReport, "criteria">): Markup {
  const rows = criteria.map(({ id, text: words, shownBy, why }) => [
    shownBy.length > 0 ? verdictOf("PASS") : html`<b>not shown</b>`,
    html`${words}<br /><span class="id soft">${id}</span>`,
    shownBy.length > 0 ? html`${shownBy.map((test) => html`<p>${test}</p> `)}` : text(why ?? ""),
  ]);
  const heads = [{ name: "Shown" }, { name: "Criterion" }, { name: "By, or why it cannot be" }];
  return table(heads, rows, "There are no end-to-end tests.");
}
