// Puts the product loop together around one run: what the person wrote, a search as far as there is one, the Code Index.
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { redactor } from "../agents/secrets.ts";
import { localDocuments } from "../agents/tools/local-documents.ts";
import { tavilySearch } from "../agents/tools/tavily.ts";
import { noSearch, type WebSearch } from "../agents/tools/web-search.ts";
import { CupelError } from "../domain/error.ts";
import type { ProductOutcome, ProductSource } from "../product/port.ts";
import { isApproved, refineProduct as refine } from "../product/refine-product.ts";
import { readSource } from "../product/source.ts";
import { SPEC_FILE } from "../product/spec-template.ts";
import { codeIndexOf } from "./code-index.ts";
import type { Environment } from "./runtimes.ts";
import type { Works } from "./works.ts";

export type { ProductOutcome };

const DOCUMENTS = join("cupel", "documents");

export interface ProductOptions {
  /** From the project's root: a text, or a finished specification as JSON. SPEC.md unless told. */
  specFile?: string;
  /** The person who said beforehand that whatever is complete is approved. */
  approveAs?: string;
  env?: Environment;
  /** Instead of what the environment allows. */
  search?: WebSearch;
}

/** Goes as far as it can without a person. Called again, in whichever run, it goes on from there. */
export async function refineProduct(works: Works, options: ProductOptions = {}): Promise<ProductOutcome> {
  const { env = process.env, approveAs } = options;
  const { project, runId, fence, store, graphs, ask } = works;
  const source = await sourceOf(works, options.specFile);
  const documents = join(project, DOCUMENTS);
  const { index, close } = codeIndexOf(works, env);
  try {
    return await refine(
      {
        runId,
        fence,
        store,
        graphs,
        ask,
        source,
        documents,
        search: options.search ?? searchIn(documents, env),
        searchCodeIndex: (query, signal) => index.search(query, signal),
        redact: redactor(env),
        workplace: join(project, ".cupel", "product"),
        now: () => new Date(),
      },
      approveAs === undefined ? {} : { approveAs },
    );
  } finally {
    close();
  }
}

const GONE: ProductSource = { kind: "text", name: SPEC_FILE, hash: "0".repeat(64), text: "" };

/** Once a specification is approved, nothing depends on the file any more. */
export async function sourceOf({ project, graphs }: Works, file = SPEC_FILE): Promise<ProductSource> {
  try {
    return await readSource(isAbsolute(file) ? file : join(project, file));
  } catch (error) {
    if (error instanceof CupelError && isApproved(graphs)) return GONE;
    throw error;
  }
}

function searchIn(documents: string, env: Environment): WebSearch {
  const key = (): string | undefined => env["TAVILY_API_KEY"];
  if ((key() ?? "").trim() !== "") return tavilySearch({ key });
  return existsSync(documents) ? localDocuments(documents) : noSearch;
}
