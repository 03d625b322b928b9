// Which folder of src/ may import which, and where outside packages may be used. Deny by default: what is not listed
// here is refused. `scripts/check-layers.mjs` runs it and asserts that it looked at every module.

/** Folder → what it may import besides itself, and why. Folders that do not exist yet are listed ahead of time. */
const LAYERS = {
  domain: { may: [], why: "the words and the pure rules stand on nothing" },
  store: { may: ["domain"], why: "an adapter knows the words only" },
  workshop: { may: ["domain"], why: "an adapter knows the words only" },
  toolchains: {
    may: ["domain", "workshop"],
    why: "a toolchain runs commands, and only the workshop spawns them",
  },
  agents: { may: ["domain"], why: "an adapter knows the words only; its tools are handed in" },
  "code-index": { may: ["domain", "store"], why: "the index lives in the store" },
  graph: { may: ["domain", "store"], why: "checkpoints live in the store" },
  evidence: {
    may: ["domain", "store", "workshop", "toolchains", "agents", "code-index", "graph"],
    why: "gates use the adapters' ports",
  },
  protocols: {
    may: ["domain", "store", "workshop", "toolchains", "agents", "code-index", "graph", "evidence"],
    why: "a protocol makes one module out of roles and gates",
  },
  engineering: {
    may: [
      "domain",
      "store",
      "workshop",
      "toolchains",
      "agents",
      "code-index",
      "graph",
      "evidence",
      "protocols",
    ],
    why: "engineering drives protocols",
  },
  product: { may: ["@engineering"], why: "the product loop stands above engineering" },
  project: { may: ["@engineering", "release"], why: "the project loop ends in a release" },
  release: { may: ["@engineering"], why: "a release stands above engineering" },
  report: { may: ["domain"], why: "a page is made of values; whoever shows it gathers them" },
  simulator: { may: ["@engineering", "product", "project", "release"], why: "it flies the whole factory" },
  trial: {
    may: ["@engineering", "product", "project", "release", "simulator"],
    why: "it compares whole protocols, offline with simulated agents",
  },
  factory: { may: ["*"], not: ["cli", "api", "mcp", "web"], why: "it knows every adapter and no door" },
  cli: { may: ["*"], not: ["api", "mcp", "web"], why: "doors never import each other" },
  api: { may: ["*"], not: ["cli", "mcp", "web"], why: "doors never import each other" },
  mcp: { may: ["*"], not: ["cli", "api", "web"], why: "doors never import each other" },
  web: { may: [], why: "the dashboard's client speaks HTTP only" },
};

const DOORS = ["cli", "api", "mcp", "web"];
const below = [...LAYERS.engineering.may, "engineering"];

export const FOLDERS = Object.keys(LAYERS);

const layerRules = Object.entries(LAYERS).map(([folder, { may, not = [], why }]) => ({
  name: `${folder}-imports-only-what-is-below`,
  comment: why,
  severity: "error",
  from: { path: `^src/${folder}/` },
  to: may.includes("*")
    ? { path: `^src/(${not.join("|")})/` }
    : { path: "^src/", pathNot: `^src/(${[folder, ...may.flatMap(expand)].join("|")})/` },
}));

function expand(name) {
  return name === "@engineering" ? below : [name];
}

/** Outside packages that only some folders may use. */
const PACKAGES = [
  [
    "child-processes-only-in-workshop",
    "^(node:)?child_process$",
    ["workshop/process/", "toolchains/typescript/inside/"],
    "one spawner, one sandbox, one log; what runs inside the sandbox watches them there",
  ],
  [
    "sql-only-where-data-lives",
    "(^|/)(libsql|@libsql|better-sqlite3|pg)(/|$)",
    ["store/", "code-index/", "graph/"],
    "SQL elsewhere would be a way around the store",
  ],
  [
    "test-tools-only-in-toolchains",
    "(^|/)(vitest|fast-check|@vitest|@stryker-mutator)(/|$)",
    ["toolchains/"],
    "what runs tests runs them in a sandbox",
  ],
  [
    "langgraph-only-in-graphs",
    "(^|/)@langchain/langgraph",
    ["graph/", "protocols/"],
    "defineGraph() closes what LangGraph leaves open",
  ],
  [
    "model-sdks-only-in-runtimes",
    "(^|/)(@anthropic-ai|@openai|openai|@agentclientprotocol|@langchain/(openai|anthropic|google))",
    ["agents/runtimes/"],
    "a role must run on any of them",
  ],
];

const packageRules = PACKAGES.map(([name, path, folders, comment]) => ({
  name,
  comment,
  severity: "error",
  from: { path: "^src/", pathNot: `^src/(${folders.join("|")})` },
  to: { path },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
const config = {
  forbidden: [
    {
      name: "no-cycles",
      comment: "a cycle has no bottom to start reading from",
      severity: "error",
      from: {},
      to: { circular: true },
    },
    ...layerRules,
    ...packageRules,
    {
      name: "domain-is-pure",
      comment: "no I/O in the rules: only zod, the canonicalizer and node:crypto",
      severity: "error",
      from: { path: "^src/domain/" },
      to: { pathNot: "^src/domain/|node_modules/(zod|canonicalize)/|^(node:)?crypto$" },
    },
    {
      name: "only-doors-know-the-factory",
      comment:
        "factory/ is the only folder that knows every adapter; whoever else needs one gets it handed in",
      severity: "error",
      from: { path: "^src/", pathNot: `^src/(factory|${DOORS.join("|")})/` },
      to: { path: "^src/(factory/|[^/]+\\.ts$)" },
    },
    {
      name: "only-the-factory-opens-a-store-with-its-sql",
      comment: "SQL in anybody else's hands would be a way around the store",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/factory/" },
      to: { path: "^src/store/store-with-sql\\.ts$" },
    },
    {
      name: "product-code-knows-no-tests",
      comment: "what ships must not lean on tests, benchmarks or scripts",
      severity: "error",
      from: { path: "^src/" },
      to: { path: "^(test|bench|scripts)/" },
    },
    {
      name: "resolvable",
      comment: "an import that leads nowhere was not checked",
      severity: "error",
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: "declared",
      comment: "an undeclared package is missing on the next machine",
      severity: "error",
      from: { path: "^src/" },
      to: { dependencyTypes: ["npm-no-pkg", "npm-unknown", "npm-dev"] },
    },
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    exclude: { path: "\\.(test|suite)\\.ts$" },
    doNotFollow: { path: "node_modules" },
    enhancedResolveOptions: {
      extensions: [".ts", ".js", ".mjs"],
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};

export default config;
