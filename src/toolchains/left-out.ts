// Folders in which tools put what can be made again. No gate opens them, so nothing in them may take part in anything.

export const LEFT_OUT: ReadonlySet<string> = new Set(
  "node_modules dist coverage .cupel .cupel-tools .stryker-tmp .yarn .pnpm-store .vscode .idea .github .husky".split(
    " ",
  ),
);
